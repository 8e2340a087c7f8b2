/** What the page and its worker say to each other. The worker owns both bodies; the page asks for time to pass. */
import type { OwnError } from '../../draw/own-error-badge.js'

/** What says where the surfaces are: the network, or the triangles themselves. */
export const FIELDS = ['learned', 'exact'] as const
export type FieldChoice = (typeof FIELDS)[number]

export interface HapticsSettings {
  field: FieldChoice
  /** Young's modulus of the body, in multiples of the one for run time (Zesch et al. 2022, section 4.1). */
  stiffness: number
  /** Coulomb coefficient between tool and body. */
  friction: number
}

/** Of the tool's own frame in the world: position [m], quaternion xyzw. */
export interface ToolPose {
  position: readonly [number, number, number]
  rotation: readonly [number, number, number, number]
}

/** A file and its name, whose ending says what is in it. */
export interface NamedBytes {
  name: string
  bytes: Uint8Array
}

/** Buffers of an earlier frame come back, so that none are allocated in flight. Vertices in the world [m]. */
export interface FrameBuffers {
  body: Float32Array<ArrayBuffer>
  tool: Float32Array<ArrayBuffer>
}

export type ToWorker =
  | { kind: 'open'; body: NamedBytes; tool: NamedBytes; settings: Partial<HapticsSettings> }
  | { kind: 'set'; settings: Partial<HapticsSettings> }
  | { kind: 'reset' }
  | { kind: 'play'; on: boolean }
  | { kind: 'advance'; steps: number; pose: ToolPose; buffers: FrameBuffers | undefined }

export type FromWorker =
  | Opened
  | Frame
  | { kind: 'failed'; message: string /** Whether what was on show before goes on. */; opening: boolean }

export interface Opened {
  kind: 'opened'
  name: string
  backend: string
  /** Of the body. */
  nodes: number
  bodyTriangles: Uint32Array
  toolTriangles: Uint32Array
  /** Whether the tool has a learned field too; else it always goes by its triangles. */
  toolLearned: boolean
  /** Around the body at rest [m]. */
  box: { lower: readonly number[]; upper: readonly number[] }
  /** The middle of the tool in its own frame [m], where a pointer points. */
  toolMiddle: readonly [number, number, number]
  /** Where the tool waits, and where the recorded path begins. */
  start: ToolPose
  pathSeconds: number
  /** Young's modulus for run time [Pa]. */
  young: number
  settings: HapticsSettings
}

export interface Frame extends FrameBuffers {
  kind: 'frame'
  /** Simulated since the last reset [s]. */
  time: number
  /** Where in the recorded path [s]; undefined while the tool follows the page. */
  pathTime: number | undefined
  /** Where the hand that holds the tool is: it goes to the pose that was asked for, not faster than a hand would. */
  hand: ToolPose
  field: FieldChoice
  /** Triangles of the body, and vertices of the tool on them, that push each other; pairs. */
  touched: { triangles: Uint32Array; vertices: Uint32Array }
  /** Of the body on the hand [N]. */
  force: readonly [number, number, number]
  /** Of the body's learned field, if that was asked for; where it is not trusted, its triangles are used. */
  ownError: OwnError | undefined
  /** Mean times of the steps just made [ms]. */
  spent: Spent
  /** By the triangles, in any of the steps just made. */
  penetration: Penetration
}

export const PARTS = ['code', 'queries', 'nearest', 'body', 'tool', 'rest'] as const
/** Everything but drawing, in milliseconds. */
export type Spent = Record<(typeof PARTS)[number], number>

/** Deepest vertices inside the other's exact surface, in diagonals of the body's box; 0 if all are outside. */
export interface Penetration {
  toolInBody: number
  bodyInTool: number
}

/** Time that one step takes in the world [s]. */
export const STEP = 1 / 60
