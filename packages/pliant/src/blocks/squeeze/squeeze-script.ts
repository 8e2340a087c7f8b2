/**
 * Two soft bodies pressed together, slid along each other, twisted and let go, in ten seconds: the lower one stands on
 * the ground, the upper one is held from above and moved, both turned as a seed says. Neither is an obstacle for the
 * other: both give way, so that both fields must follow.
 */
import { ExactMeshField } from '../../exact/index.js'
import { type BodyMaterial, boxOfPoints, type Random, randomStream, surfaceOfTets, type TetMesh } from '../../index.js'
import { gatherVertices } from '../../respond/index.js'
import { FemBody, type FemOptions } from '../../sim/index.js'
import { quaternionOfVector, rotateVector, runTimeMaterial } from '../../unstable.js'
import { nodesAbove, nodesBelow } from '../touch/mesh-ends.js'

/** One of the two bodies. */
export interface SqueezeSubject {
  /** At rest [m]. */
  mesh: TetMesh
  /** What it was made of in training; it is squeezed in the material of run time. */
  material: BodyMaterial
}

/** How the upper body is moved, in shares of the lower body's diagonal unless it says otherwise. */
export interface SqueezeOptions {
  /** Of how both are turned, and which way they are slid. */
  seed?: number
  /** How far it is pressed beyond the first touch. */
  depth?: number
  /** How far it is slid. */
  slide?: number
  /** By how much it is twisted about the vertical [rad]. */
  twist?: number
  /** Duration of the whole [s]. */
  seconds?: number
}
/** Two bunnies are a third flatter where they meet. */
export const SQUEEZE_DEFAULTS = { seed: 1, depth: 0.2, slide: 0.15, twist: Math.PI / 2, seconds: 10 } as const

/** A body where it begins, and what holds it. */
export interface SqueezedBody {
  /** At rest, turned as it is to stand or hang [m]. */
  mesh: TetMesh
  /** Where its nodes are, sagged under its weight [m], xyz triples. */
  start: Float64Array
  /** Nodes that stand still, or are moved. */
  held: readonly number[]
  /** Its material of run time. */
  options: FemOptions
}

/** How two bodies begin, and how the upper one is moved from there. */
export interface SqueezeScript {
  readonly lower: SqueezedBody
  readonly upper: SqueezedBody
  /** Duration of the whole [s]; the upper body is let go at `released`. */
  readonly seconds: number
  readonly released: number
  /** Diagonal of the lower body's box at rest [m]. */
  readonly size: number
  /**
   * Where the held nodes of the upper body are to be.
   * @param time  since the beginning [s]
   * @param out   receives xyz triples [m], in the order of `upper.held`
   */
  heldAt(time: number, out: Float64Array): void
}

/** Nodes in so much of the lower body's height stand still, and in so much of the upper's are held. */
const STANDING = 0.2
const HELD = 0.4
/** How far the upper body may lean [rad]. */
const LEAN = 2
/** Bodies sag for so many steps of so long [s], and keep so much of their speed in each. */
const SETTLING = 90
const FRAME = 1 / 60
const CALM = 0.9
/** The upper body begins about so far from the lower one, as a share of its diagonal. */
const CLEARANCE = 5e-3
/** When each part begins and ends, as shares of the whole, and when the upper body is let go. */
const PRESS = [0.02, 0.2] as const
const SLIDE = [0.25, 0.4] as const
const TWIST = [0.45, 0.65] as const
const RELEASED = 0.7

/** @throws RangeError if a body cannot be simulated */
export function squeezeScript(
  lower: SqueezeSubject,
  upper: SqueezeSubject,
  options: SqueezeOptions = {},
): SqueezeScript {
  const { seed, depth, slide, twist, seconds } = { ...SQUEEZE_DEFAULTS, ...options }
  const random = randomStream(seed)
  const standing = settled(lower, random, 0, (mesh) => nodesBelow(mesh, 1, STANDING))
  const hanging = settled(upper, random, LEAN, (mesh) => nodesAbove(mesh, 1, HELD))
  const size = diagonalOf(lower.mesh)
  placeAbove(standing, hanging, size)
  const way = random.between(0, 2 * Math.PI)
  const from = Float64Array.from(hanging.held.flatMap((node) => [...hanging.start.subarray(3 * node, 3 * node + 3)]))
  const middle = [0, 2].map((axis) => from.reduce((sum, x, i) => sum + (i % 3 === axis ? (3 * x) / from.length : 0), 0))
  const heldAt = (time: number, out: Float64Array): void => {
    const [down, along, turn] = [PRESS, SLIDE, TWIST].map(([start, end]) =>
      eased((time / seconds - start) / (end - start)),
    )
    const [cos, sin] = [Math.cos(twist * turn), Math.sin(twist * turn)]
    const [slidX, slidZ] = [Math.cos(way), Math.sin(way)].map((share) => share * along * slide * size)
    for (let i = 0; i < from.length; i += 3) {
      const [x, z] = [from[i] - middle[0], from[i + 2] - middle[1]]
      out[i] = middle[0] + cos * x + sin * z + slidX
      out[i + 1] = from[i + 1] - down * depth * size
      out[i + 2] = middle[1] - sin * x + cos * z + slidZ
    }
  }
  return { lower: standing, upper: hanging, seconds, released: RELEASED * seconds, size, heldAt }
}

/** Slow at both ends, from 0 to 1. */
function eased(share: number): number {
  const t = Math.min(1, Math.max(0, share))
  return t * t * (3 - 2 * t)
}

function diagonalOf({ positions }: TetMesh): number {
  const { lower, upper } = boxOfPoints(positions)
  return Math.hypot(...lower.map((low, axis) => upper[axis] - low))
}

/** A body turned about the vertical, leaning at random, as its weight has bent it. @param lean  at most [rad] */
function settled(
  { mesh, material }: SqueezeSubject,
  random: Random,
  lean: number,
  heldOf: (mesh: TetMesh) => number[],
): SqueezedBody {
  const positions = mesh.positions.slice()
  const [tilt, towards] = [random.between(0, lean), random.between(0, 2 * Math.PI)]
  turn(positions, [0, random.between(0, 2 * Math.PI), 0])
  turn(positions, [tilt * Math.cos(towards), 0, tilt * Math.sin(towards)])
  const turned = { positions, tetrahedra: mesh.tetrahedra }
  const [held, options] = [heldOf(turned), { material: runTimeMaterial(material) }]
  const body = new FemBody(turned, options)
  body.pin(held)
  for (let n = 0; n < SETTLING; n++) {
    body.step(FRAME)
    for (let i = 0; i < body.velocities.length; i++) body.velocities[i] *= CALM
  }
  return { mesh: turned, start: body.positions.slice(), held, options }
}

/** @param by  rotation vector [rad] */
function turn(positions: Float64Array, by: readonly number[]): void {
  const quaternion = new Float64Array(4)
  quaternionOfVector(by, 0, quaternion, 0)
  for (let i = 0; i < positions.length; i += 3) rotateVector(quaternion, 0, positions, i, positions, i)
}

/** Lays the upper body over the middle of the lower one, so low that they nearly touch. */
function placeAbove(lower: SqueezedBody, upper: SqueezedBody, size: number): void {
  const [below, above] = [boxOfPoints(lower.start), boxOfPoints(upper.start)]
  const way = [0, 1, 2].map((axis) =>
    axis === 1
      ? below.upper[1] - above.lower[1] + CLEARANCE * size
      : (below.lower[axis] + below.upper[axis] - above.lower[axis] - above.upper[axis]) / 2,
  )
  for (let i = 0; i < upper.start.length; i++) upper.start[i] += way[i % 3]
  const [lowerSide, upperSide] = [lower, upper].map(sideOf)
  // Nothing is nearer than the least distance.
  for (let gap = size; gap > CLEARANCE * size; ) {
    gap = Math.min(leastDistance(lowerSide, upperSide), leastDistance(upperSide, lowerSide))
    const down = Math.max(0, gap - (CLEARANCE * size) / 2)
    for (let i = 1; i < upper.start.length; i += 3) upper.start[i] -= down
    for (let i = 1; i < upperSide.vertices.length; i += 3) upperSide.vertices[i] -= down
    upperSide.exact.update({ vertices: upperSide.vertices })
  }
}

interface Side {
  vertices: Float64Array
  exact: ExactMeshField
}

function sideOf({ mesh, start }: SqueezedBody): Side {
  const { nodeOfVertex, triangles } = surfaceOfTets(mesh)
  const vertices = new Float64Array(3 * nodeOfVertex.length)
  gatherVertices(start, nodeOfVertex, vertices)
  return { vertices, exact: new ExactMeshField({ positions: vertices, triangles }) }
}

/** Of one's vertices from the other's triangles [m]. */
function leastDistance({ vertices }: Side, { exact }: Side): number {
  const distances = new Float64Array(vertices.length / 3)
  exact.query(vertices, distances.length, distances)
  return distances.reduce((least, distance) => Math.min(least, distance))
}
