/**
 * A hand that strokes a soft body, for people to look at and to take over: down onto its back until the tool touches, a
 * press, a stroke along it, and away. Suits any body and any tool of about its size; docs/notes/haptics-page.md has the
 * figures that the numbers below were chosen by.
 */
import { ExactMeshField } from '../../exact/index.js'
import {
  type BodyMaterial,
  boxOfPoints,
  fieldHalfSpace,
  surfaceOfTets,
  type TetMesh,
  type TriangleMesh,
} from '../../index.js'
import type { FemMaterial, FemOptions } from '../../sim/index.js'
import { boxCentre, boxDiagonal, pressPath, runTimeMaterial } from '../../unstable.js'
import { nodesAbove, nodesBelow } from './mesh-ends.js'
import { ToolFrame } from './tool-frame.js'
import type { RecordedPath } from './tool-hand.js'
import type { TouchSceneOptions, TouchScript } from './touch-scene.js'

/** What is stroked, and with what. */
export interface StrokeSubject {
  /** What is touched, at rest on the ground [m]. */
  bodyMesh: TetMesh
  /** What it was made of in training; it is touched in the material of run time. */
  material: BodyMaterial
  /** The tool at rest in its own frame [m]: fingers along -Z, held at the other end. */
  toolMesh: TetMesh
}

/** What may be changed while a scene goes on. */
export interface StrokeOptions {
  /** Young's modulus of the body, in multiples of the one for run time. */
  stiffness?: number
  /** Coulomb coefficient between tool and body. */
  friction?: number
}
/** Twice as stiff as for run time: what the figures of docs/notes/haptics-page.md are of. */
export const STROKE_DEFAULTS = { stiffness: 2, friction: 0.4 } as const

/** How the tool is turned about +Y [rad]: fingers to the left and a little away. */
export const STROKE_YAW = 1.0
/** And before that about +X [rad]: the tips lower than the wrist. */
export const STROKE_PITCH = -0.35

/** The part of the body's height, from below, that stands fast; the rearmost part of the tool's length that is held. */
const BASE = 0.06
const HELD = 0.28
/** Looser, bodies shiver under a hand; docs/notes/touch.md. */
const TOLERANCE = 0.01
/** A light, soft rubber: stiff enough for the palm not to fold back, and no stiffer: see below. */
const TOOL_MATERIAL: FemMaterial = { density: 500, young: 8e4, poisson: 0.4, stiffnessDamping: 0.02 }
/** Pressure per depth, in Young's moduli of the body over its size: twice the default, for half of the depth. */
const CONTACT_STIFFNESS = 80
/** How the hand holds the tool, in Young's moduli of the body: times its size [N/m], and at most times its size squared [N]. */
const HAND_STIFFNESS = 1
const HAND_FORCE = 0.02
/**
 * Half a frame at a time [s]: splitting the contact between the two solvers adds inertia to the hand, by the square of
 * this. With whole frames it swings on the body, and the force with it.
 */
const SUBSTEP = 1 / 120
/** Where the tool's middle comes down, from the middle of the box in parts of its sides along x and z. */
const OVER = [0.6, 0.2] as const
/** In diagonals of the body: from how high, how deep, how far to where; and how long each part takes [s]. */
const CLEARANCE = 0.12
const DEPTH = 0.15
const STROKE = [0.1, 0.02, 0.02] as const
const SECONDS = [0.8, 0.8, 1.6, 0.7] as const
/** Shortest step down in diagonals, and most of them; which share of the tool's nodes inside is a touch: an ear is not. */
const LEAST_STEP = 0.01
const MOST_STEPS = 150
const INSIDE = 0.02

/** The scene at rest, its tool in its own frame: a `ToolHand` on the path of `strokePath` places it. */
export function strokeScript(subject: StrokeSubject, options: StrokeOptions = {}): TouchScript {
  const { bodyMesh, toolMesh } = subject
  return {
    bodyMesh,
    fixed: nodesBelow(bodyMesh, 1, BASE),
    toolMesh,
    wrist: nodesAbove(toolMesh, 2, HELD),
    options: strokeMatter(subject, options),
  }
}

function strokeMatter({ bodyMesh, material }: StrokeSubject, options: StrokeOptions): TouchSceneOptions {
  const { stiffness, friction } = { ...STROKE_DEFAULTS, ...options }
  const soft = runTimeMaterial(material)
  const young = stiffness * soft.young
  const box = boxOfPoints(bodyMesh.positions)
  const size = boxDiagonal(box)
  const ground = { field: fieldHalfSpace([0, 1, 0], box.lower[1]) }
  const fem: FemOptions = { tolerance: TOLERANCE, obstacles: [ground] }
  return {
    body: { ...fem, material: { ...soft, young } },
    // Whose hand it is bears its weight.
    tool: { ...fem, material: TOOL_MATERIAL, gravity: [0, 0, 0] },
    touch: {
      friction,
      substep: SUBSTEP,
      stiffness: (CONTACT_STIFFNESS * young) / size,
      handStiffness: HAND_STIFFNESS * young * size,
      handForce: HAND_FORCE * young * size ** 2,
    },
  }
}

/** The way of the tool's own frame over the body at rest. */
export function strokePath({ bodyMesh, toolMesh }: Pick<StrokeSubject, 'bodyMesh' | 'toolMesh'>): RecordedPath {
  const surface = surfaceOfTets(bodyMesh)
  const box = boxOfPoints(surface.positions)
  const diagonal = boxDiagonal(box)
  const frame = new ToolFrame()
  frame.rotation.set(turnedBy(STROKE_YAW, STROKE_PITCH))
  const middle = Float64Array.from(boxCentre(boxOfPoints(toolMesh.positions)))
  frame.place(middle, middle)
  const centre = boxCentre(box)
  frame.position.set([
    centre[0] + OVER[0] * (box.upper[0] - box.lower[0]) - middle[0],
    box.upper[1] + diagonal,
    centre[2] + OVER[1] * (box.upper[2] - box.lower[2]) - middle[2],
  ])
  lowerInto(surface, toolMesh, frame, LEAST_STEP * diagonal)
  const { position, rotation } = frame.pose
  const path = pressPath({
    touch: position,
    clearance: CLEARANCE * diagonal,
    depth: DEPTH * diagonal,
    slide: [diagonal * STROKE[0], diagonal * STROKE[1], diagonal * STROKE[2]],
    seconds: SECONDS,
    rotation,
  })
  const [x, y, z] = path.positions
  return { path, start: { position: [x, y, z], rotation } }
}

/** Quaternion of a pitch about X, then a yaw about Y. */
function turnedBy(yaw: number, pitch: number): [number, number, number, number] {
  const [cy, sy, cp, sp] = [Math.cos(yaw / 2), Math.sin(yaw / 2), Math.cos(pitch / 2), Math.sin(pitch / 2)]
  return [sp * cy, cp * sy, -sp * sy, cp * cy]
}

/** Down by the least distance of any node, but not less than a step, until some nodes would be inside. */
function lowerInto(surface: TriangleMesh, { positions }: TetMesh, frame: ToolFrame, step: number): void {
  const exact = new ExactMeshField(surface)
  const placed = new Float64Array(positions.length)
  const distances = new Float64Array(positions.length / 3)
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    frame.place(positions, placed)
    exact.query(placed, distances.length, distances)
    const inside = distances.filter((distance) => distance < 0).length
    if (inside > INSIDE * distances.length) return
    const gap = distances.reduce((least, distance) => Math.min(least, distance), Infinity)
    frame.position[1] -= Math.max(gap, step)
  }
}
