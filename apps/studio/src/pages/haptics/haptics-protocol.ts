/** What the Haptics page and its worker say to each other: the types of the simulation. */
import type { ToolPose } from 'pliant/unstable/blocks'
import type { OwnError } from '../../draw/own-error-badge.js'
import type { Simulation } from '../../shell/simulation/protocol.js'
import type { AddressNames } from '../../shell/simulation/settings-in-address.js'

/** What says where the surfaces are: the network, or the triangles themselves. */
export const FIELDS = ['learned', 'exact'] as const
export type FieldChoice = (typeof FIELDS)[number]

export interface HapticsSimulation extends Simulation {
  files: { body: NamedBytes; tool: NamedBytes }
  settings: HapticsSettings
  opened: Opened
  /** Both bodies at rest again; the recorded path from its beginning, or left. */
  command: 'reset' | 'play' | 'leave'
  /** Where the hand is asked to be, if no path is played. */
  input: ToolPose
  frame: Frame
}

export interface HapticsSettings {
  field: FieldChoice
  /** Young's modulus of the body, in multiples of the one for run time (Zesch et al. 2022, section 4.1). */
  stiffness: number
  /** Coulomb coefficient between tool and body. */
  friction: number
}

export const HAPTICS_ADDRESS: AddressNames<HapticsSettings> = {
  object: 'body',
  words: ['field'],
  numbers: ['stiffness', 'friction'],
}

/** A file and its name, whose ending says what is in it. */
export interface NamedBytes {
  name: string
  bytes: Uint8Array
}

export interface Opened {
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

export interface Frame {
  /** In the world [m]. */
  vertices: { body: Float32Array<ArrayBuffer>; tool: Float32Array<ArrayBuffer> }
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
  /** Mean times of the steps just made [ms], all but drawing. */
  spent: Record<StepPart, number>
  /** By the triangles, in any of the steps just made. */
  penetration: Penetration
}

export const PARTS = ['code', 'queries', 'nearest', 'body', 'tool', 'rest'] as const
export type StepPart = (typeof PARTS)[number]

/** Deepest vertices inside the other's exact surface, in diagonals of the body's box; 0 if all are outside. */
export interface Penetration {
  toolInBody: number
  bodyInTool: number
}
