/**
 * How far each mode of a body goes when somebody pulls at it: the unit of its code, so that |q_k| <= 1 in use (Cai et al.,
 * section 3: "we simulate the model to collect the maximum absolute value of each configuration entry"). The body floats,
 * passes through itself, and is pulled at a few places at once: pulled at one alone, only its softest modes move. Two
 * places next to each other, pulled apart, would take a mode anywhere; so a shape counts only as far as none of its
 * vertices has gone further than somebody pulls.
 */
import { boxOfPoints, type TetMesh } from 'pliant'
import { type FemMaterial, type ReducedBody, ReducedWorld, reducedBodyOfTets } from 'pliant/sim'
import { boxDiagonal } from 'pliant/unstable'
import { streamOf } from '../streams/random-streams.js'

export interface ScaleModesOptions {
  /** How far a place is pulled at most, as a share of the body's diagonal. */
  reach?: number
  /** Places that are pulled at the same time. */
  pulls?: number
  /** How often other places are taken. */
  changes?: number
  seed?: number
}
export const SCALE_MODES_DEFAULTS = { reach: 0.5, pulls: 4, changes: 60, seed: 1 } as const

/**
 * Steps between two changes, and in a period of the softest mode: long enough for the body to get there, whatever its size
 * and the unit it comes in.
 */
const STEPS = 30
const PER_PERIOD = 60

/** Damping ratio of every mode: what swings beyond its aim is not what was asked for. */
const DAMPING = 0.7

/** Of a pull, times that of the stiffest mode: the place goes where it is pulled to. */
const STIFFNESS = 10

const DIGITS = 4

/**
 * @param modes        vibrations of all nodes, one after the other
 * @param eigenvalues  their squared angular frequencies [1/s^2]
 * @returns the largest weight of each mode, positive, to four digits: how a simulation rounds must not change what a code is
 */
export function scalesOfModes(
  tets: { mesh: TetMesh; modes: Float64Array; eigenvalues: Float64Array; material: FemMaterial },
  options: ScaleModesOptions = {},
): Float64Array {
  const { reach, pulls, changes, seed } = { ...SCALE_MODES_DEFAULTS, ...options }
  const body = reducedBodyOfTets(tets, { damping: DAMPING })
  const step = (2 * Math.PI) / Math.sqrt(Math.min(...tets.eigenvalues)) / PER_PERIOD
  const world = new ReducedWorld([body], { gravity: [0, 0, 0], substep: step, maxFrame: step })
  const size = boxDiagonal(boxOfPoints(body.rest))
  // Of a mode as given: k / |u|^2 is what a place feels of it.
  const stiffness = STIFFNESS * Math.max(...tets.eigenvalues) * body.mass
  const most = new Float64Array(body.codeSize)
  const from = new Float64Array(3)
  const moved = new Float64Array(body.rest.length)
  for (let change = 0; change < changes; change++) {
    const random = streamOf('modeScales', seed, change)
    const held = Array.from({ length: pulls }, () => {
      const pull = world.pull(body, random.below(body.vertexCount), { stiffness, damping: 0 })
      from.set(body.rest.subarray(3 * pull.vertex, 3 * pull.vertex + 3))
      const way = [random.normal(), random.normal(), random.normal()]
      const length = (reach * size * random.between(0, 1)) / Math.hypot(...way)
      for (let axis = 0; axis < 3; axis++) pull.target[axis] = from[axis] + length * way[axis]
      return pull
    })
    for (let k = 0; k < STEPS; k++) {
      world.step(step)
      const share = Math.min(1, (reach * size) / farthest(body, moved))
      for (let mode = 0; mode < most.length; mode++) {
        most[mode] = Math.max(most[mode], share * Math.abs(body.code[mode]))
      }
    }
    for (const pull of held) world.release(pull)
  }
  return most.map((weight) => Number(weight.toPrecision(DIGITS)))
}

/** Of all vertices, from rest [m]. */
function farthest(body: ReducedBody, moved: Float64Array): number {
  body.localPositions(moved)
  let squared = 0
  for (let i = 0; i < moved.length; i += 3) {
    const [x, y, z] = [0, 1, 2].map((axis) => moved[i + axis] - body.rest[i + axis])
    squared = Math.max(squared, x * x + y * y + z * z)
  }
  return Math.sqrt(squared)
}
