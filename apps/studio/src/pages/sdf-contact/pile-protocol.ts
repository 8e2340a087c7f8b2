/** What the SDF contact page and its worker say to each other: the types of the simulation. */
import type { Simulation } from '../../shell/simulation/protocol.js'
import type { AddressNames } from '../../shell/simulation/settings-in-address.js'
import type { Target } from '../../shell/view/pull-input.js'

/** Which fields scanned bodies answer by. */
export const SCANS = ['voxels', 'learned'] as const
export type Scans = (typeof SCANS)[number]

/** What is drawn where bodies touch. */
export const MARKS = ['nothing', 'normals', 'forces'] as const
export type Marks = (typeof MARKS)[number]

export const SWITCH = ['on', 'off'] as const
export type Switch = (typeof SWITCH)[number]

/** Bodies at most: a step takes longer than it lasts with more. */
export const MOST_BODIES = 20

export interface PileSimulation extends Simulation {
  files: PileFiles
  settings: PileSettings
  opened: Opened
  /** The pile above the tray again; one step while time stands still. */
  command: 'reset' | 'step'
  /** What the visitor holds; undefined for nothing. */
  input: HeldBody | undefined
  frame: Frame
}

export interface PileFiles {
  /** Trained files of the bunny and the armadillo, which hold their triangles, too. */
  bunny: Uint8Array
  armadillo: Uint8Array
  /** What falls at first: names, separated by commas, and how many bodies. */
  kinds: string
  count: number
  /** One's own: a shape as JSON, or a closed mesh. */
  own: NamedBytes | undefined
}

export interface NamedBytes {
  name: string
  bytes: Uint8Array
}

export interface PileSettings {
  /** Names of what falls, separated by commas: bodies take turns. */
  kinds: string
  count: number
  /** How bodies are turned when they fall. */
  seed: number
  /** Coulomb coefficient of all bodies and the tray. */
  friction: number
  /** Share of the speed with which bodies bounce, 0 to 1. */
  bounce: number
  scans: Scans
  /** The body of one's own, as JSON; empty for the one that the page begins with. */
  shape: string
  /** Whether time passes. */
  run: Switch
  marks: Marks
  /** Whether bodies are shown in the oriented boxes of their parts. */
  boxes: Switch
  /** Whether octree cells of an overlap are looked for. */
  cells: Switch
  /** Numbers of the pair whose cells are shown, from 1; 0 for whichever is deepest. */
  first: number
  second: number
}

export const PILE_ADDRESS: AddressNames<PileSettings> = {
  object: 'pile',
  words: ['kinds', 'scans', 'run', 'marks', 'boxes', 'cells', 'shape'],
  numbers: ['count', 'seed', 'friction', 'bounce', 'first', 'second'],
}

/** A body in the visitor's hand, by its number from 0 and a point in its own frame [m]. */
export interface BodyGrip {
  body: number
  point: readonly [number, number, number]
}
export type HeldBody = BodyGrip & Target

export interface Opened {
  /** Names that can fall. */
  kinds: readonly string[]
  settings: PileSettings
}

export const PARTS = ['broad', 'contacts', 'solver'] as const
export type StepPart = (typeof PARTS)[number]

export interface Frame {
  /** Of every body, its frame to the world, column-major 4x4. */
  vertices: { poses: Float32Array<ArrayBuffer> }
  /** Simulated since the pile was made [s]. */
  time: number
  /** Steps of this frame; none while time stands still. */
  steps: number
  /** What there is to draw, if that is new. */
  pile: DrawnPile | undefined
  contacts: ContactMarks
  energy: { kinetic: number; total: number }
  /** What is pulled, then where to [m], six numbers; empty if nothing is. */
  pull: Float32Array
  /** Boxes of one more of the kinds in the pile; undefined if there are none that are new. */
  boxes: KindBoxes | undefined
  /** Undefined: as before. */
  overlap: OverlapLook | 'none' | undefined
  /** Mean times of the steps just made [ms]. */
  spent: Record<StepPart, number>
  /** Why the body of one's own is not what was asked for. */
  problem: string | undefined
}

/** What falls and into what, to be drawn. */
export interface DrawnPile {
  kinds: readonly DrawnKind[]
  /** Of every body, which of the kinds it is. */
  bodies: readonly number[]
  /** Half of the tray's inner width, height of its walls and their thickness [m]. */
  tray: { half: number; height: number; thickness: number }
  /** Diagonal of the largest body [m]. */
  size: number
}

export interface DrawnKind {
  name: string
  positions: Float32Array
  triangles: Uint32Array
  /** Whether edges are to be seen as such, or the surface is bent all over. */
  hasEdges: boolean
}

/** Numbers of an oriented box in `values`: its frame, column-major 4x4, and half of its sides [m]. */
export const BOX_SIZE = 19

/** A body in oriented boxes, in its own frame. */
export interface KindBoxes {
  /** Which of the pile's kinds. */
  kind: number
  values: Float32Array
}

/** Numbers of a contact in `values`: point, normal and force, xyz each, and separation. */
export const CONTACT_SIZE = 10

export interface ContactMarks {
  values: Float32Array
  count: number
  /** Those that push. */
  pushing: number
  /** Pairs of bodies that have some. */
  pairs: number
  /** How deep the deepest overlap is [m]; 0 if nothing overlaps. */
  deepest: number
}

/** Octree cells of where two bodies overlap, in the frame of the first. */
export interface OverlapLook {
  /** Numbers of both bodies, from 0. */
  bodies: readonly [number, number]
  /** Cells proved to lie in both, and those at the border that may hold more: centre and half sizes [m], six numbers. */
  inside: Float32Array
  border: Float32Array
  /** How many there are; the lists above end earlier. */
  counts: { inside: number; border: number }
  /** Volume of the overlap, at least and at most [m^3]. */
  volume: readonly [number, number]
  /** What looking took [ms]. */
  milliseconds: number
}
