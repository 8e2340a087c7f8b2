/**
 * A hand that presses on a soft body, slides over it and leaves: the scene of Zesch et al. 2022, Fig. 1a, with a recorded
 * path instead of a device. The body is in the material of run time, fixed below, and has sagged under its weight; the
 * hand is laid where the body is thickest and slides where that is flattest.
 */
import { ExactMeshField } from '../../exact/index.js'
import { type BodyMaterial, boxOfPoints, type TetMesh, type Vec3 } from '../../index.js'
import { gatherVertices } from '../../respond/index.js'
import { FemBody } from '../../sim/index.js'
import { boxDiagonal, pressPath, runTimeMaterial, ToolPath } from '../../unstable.js'
import { nodesAbove, nodesBelow } from './mesh-ends.js'
import type { TouchSceneOptions, TouchScript } from './touch-scene.js'

/** What is pressed, and with what. */
export interface PressSubject {
  /** What is touched, at rest [m]. */
  bodyMesh: TetMesh
  /** What it was made of in training; it is touched in the material of run time. */
  material: BodyMaterial
  /** At rest in its own frame [m]: fingers along -Z, palm down. */
  hand: TetMesh
}

/** How the scene begins, and how the hand goes on from there. */
export interface PressScript extends TouchScript {
  /** Of the wrist's middle. */
  readonly path: ToolPath
  /** From when to when the hand presses and slides [s]. */
  readonly pressing: readonly [number, number]
}

/** Nodes in so much of the body's height are fixed, from below. */
const FIXED = 0.2
/** The hand is at most so large, as a share of the body's diagonal; it is held by so much, from the forearm. */
const TOOL_SIZE = 0.8
const HELD = 0.5
/** Young's modulus of the hand, in those of the body in training: as soft as that, fingers give way and press nothing. */
const TOOL_STIFFNESS = 20
/** What is laid there, from the fingertips, as a share of the hand's length, and from how many sides. */
const FINGERS = 0.2
const WAYS = 8
/** Way of the hand beyond the first touch, sideways, and before: shares of the body's diagonal. */
const DEPTH = 0.05
const SLIDE = 0.12
const CLEARANCE = 0.06
/** The body sags under its weight for so long before it is touched [s], by such frames, and keeps so much of its speed in each. */
const SETTLE = 1.5
const FRAME = 1 / 60
const CALM = 0.9
/** Solvers that leave more are felt (docs/notes/touch.md). */
const TOLERANCE = 0.01
/** How often the height of the surface is taken along the slide, and how far above the touch to begin, in diagonals. */
const STATIONS = 5
const CLIMB = 0.1
/** Nearer than this share of the diagonal is a touch. */
const TOUCHING = 1e-4

/** @param seconds  how long approaching, pressing, sliding and leaving take [s] */
export function pressScript(
  { bodyMesh, material, hand }: PressSubject,
  seconds: readonly [number, number, number, number],
): PressScript {
  const diagonal = boxDiagonal(boxOfPoints(bodyMesh.positions))
  const options = pressMatter(material, diagonal)
  const fixed = nodesBelow(bodyMesh, 1, FIXED)
  const body = new FemBody(bodyMesh, options.body)
  body.pin(fixed)
  for (let t = 0; t < SETTLE; t += FRAME) {
    body.step(FRAME)
    for (let i = 0; i < body.velocities.length; i++) body.velocities[i] *= CALM
  }
  const exact = exactNow(body)
  const toolMesh = { positions: placeAbove(exact, body, hand, diagonal), tetrahedra: hand.tetrahedra }
  // Fingers point along -Z, so the forearm is at the other end.
  const wrist = nodesAbove(hand, 2, HELD)
  const { slide, heights } = flattestSlide(exact, toolMesh, diagonal)
  const straight = pressPath({
    touch: [0, 1, 2].map((axis) => meanOf(toolMesh, wrist, axis)) as unknown as Vec3,
    depth: DEPTH * diagonal,
    slide,
    clearance: CLEARANCE * diagonal,
    seconds,
  })
  const path = overSurface(straight, slide, heights)
  for (let i = 1; i < toolMesh.positions.length; i += 3) toolMesh.positions[i] += CLEARANCE * diagonal
  const pressing = [seconds[0], seconds[0] + seconds[1] + seconds[2]] as const
  return { bodyMesh, bodyStart: body.positions.slice(), fixed, toolMesh, wrist, path, pressing, options }
}

function pressMatter(material: BodyMaterial, diagonal: number): TouchSceneOptions {
  return {
    body: { material: runTimeMaterial(material), tolerance: TOLERANCE },
    // Whoever holds the hand carries its weight.
    tool: {
      material: { ...material, young: TOOL_STIFFNESS * material.young, poisson: 0.4 },
      tolerance: TOLERANCE,
      // Slender fingers that are ten times as stiff as flesh take more than the standard 40.
      iterations: 150,
      gravity: [0, 0, 0],
    },
    // For so soft a body a hand is weak as well by default, and swings.
    touch: { handStiffness: 0.5 * material.young * diagonal, handForce: 0.05 * material.young * diagonal ** 2 },
  }
}

/** The surface of a body as it is now. */
function exactNow(body: FemBody): ExactMeshField {
  const positions = new Float64Array(body.surface.positions.length)
  gatherVertices(body.positions, body.surface.nodeOfVertex, positions)
  return new ExactMeshField({ positions, triangles: body.surface.triangles })
}

/** Of the ways to lay fingers from above onto where the body is thickest, the one in which they get lowest: past heads and ears. */
function placeAbove(exact: ExactMeshField, body: FemBody, tool: TetMesh, diagonal: number): Float64Array {
  const { lower, upper } = boxOfPoints(tool.positions)
  const scale = Math.min(1, (TOOL_SIZE * diagonal) / boxDiagonal({ lower, upper }))
  const fingers = [(lower[0] + upper[0]) / 2, lower[1], lower[2] + FINGERS * (upper[2] - lower[2])]
  const middle = deepestNode(exact, body)
  const top = boxOfPoints(body.positions).upper[1]
  const placings = waysRound().map(([cos, sin]) => {
    const positions = tool.positions.slice()
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y, z] = [0, 1, 2].map((axis) => scale * (tool.positions[i + axis] - fingers[axis]))
      positions.set([middle[0] + cos * x + sin * z, top + y, middle[2] + cos * z - sin * x], i)
    }
    return { positions, height: lowerOnto(exact, positions, diagonal) }
  })
  return placings.reduce((best, placing) => (placing.height < best.height ? placing : best)).positions
}

/** Cosine and sine of even angles. */
function waysRound(): [number, number][] {
  const angles = Array.from({ length: WAYS }, (_, way) => (2 * Math.PI * way) / WAYS)
  return angles.map((angle) => [Math.cos(angle), Math.sin(angle)])
}

/** The way to slide on which the tool goes up and down least, and how high it touches at even shares of it [m]. */
function flattestSlide(exact: ExactMeshField, tool: TetMesh, diagonal: number): { slide: Vec3; heights: number[] } {
  const slides = waysRound().map(([cos, sin]) => {
    const slide: Vec3 = [SLIDE * diagonal * cos, 0, SLIDE * diagonal * sin]
    const heights = surfaceHeights(exact, tool, slide, diagonal)
    return { slide, heights, spread: Math.max(...heights) - Math.min(...heights) }
  })
  return slides.reduce((best, other) => (other.spread < best.spread ? other : best))
}

/** How much higher or lower the tool touches at even shares of the slide than where it begins [m]. */
function surfaceHeights(exact: ExactMeshField, tool: TetMesh, slide: Vec3, diagonal: number): number[] {
  return Array.from({ length: STATIONS }, (_, station) => {
    const share = station / (STATIONS - 1)
    const positions = tool.positions.map((value, i) => value + (i % 3 === 1 ? CLIMB * diagonal : share * slide[i % 3]))
    return CLIMB * diagonal + lowerOnto(exact, positions, diagonal)
  })
}

/** A path that keeps its height above a surface. @param heights at even shares of the slide [m] */
function overSurface({ times, positions, quaternions }: ToolPath, slide: Vec3, heights: readonly number[]): ToolPath {
  const squared = slide[0] ** 2 + slide[2] ** 2
  const lifted = positions.slice()
  for (let i = 0; i < lifted.length; i += 3) {
    const along = (positions[i] - positions[0]) * slide[0] + (positions[i + 2] - positions[2]) * slide[2]
    const at = Math.min(Math.max(along / squared, 0), 1) * (heights.length - 1)
    const before = Math.min(Math.floor(at), heights.length - 2)
    lifted[i + 1] += heights[before] + (at - before) * (heights[before + 1] - heights[before])
  }
  return new ToolPath({ times, positions: lifted, quaternions })
}

/** Lowers a tool until it touches. @returns by how much it came down, negated [m] */
function lowerOnto(exact: ExactMeshField, positions: Float64Array, diagonal: number): number {
  const distances = new Float64Array(positions.length / 3)
  let height = 0
  // Nothing is nearer than the least distance, so the tool may be lowered by as much.
  for (let gap = Infinity; gap > TOUCHING * diagonal; ) {
    exact.query(positions, distances.length, distances)
    gap = distances.reduce((least, distance) => Math.min(least, distance))
    if (gap > diagonal) return Infinity
    for (let i = 1; i < positions.length; i += 3) positions[i] -= gap
    height -= gap
  }
  return height
}

/** The node furthest inside. */
function deepestNode(exact: ExactMeshField, { positions, nodeCount }: FemBody): Float64Array {
  const distances = new Float64Array(nodeCount)
  exact.query(positions, nodeCount, distances)
  const deepest = distances.reduce((best, distance, node) => (distance < distances[best] ? node : best), 0)
  return positions.slice(3 * deepest, 3 * deepest + 3)
}

function meanOf({ positions }: TetMesh, nodes: readonly number[], axis: number): number {
  return nodes.reduce((sum, node) => sum + positions[3 * node + axis], 0) / nodes.length
}
