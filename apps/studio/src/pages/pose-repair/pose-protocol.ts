/** What the Pose repair page and its worker say to each other. */
import type { Box, SelfContactQuality } from 'pliant'
import type { Simulation } from '../../shell/simulation/protocol.js'
import type { AddressNames } from '../../shell/simulation/settings-in-address.js'
import type { Held } from '../../shell/view/pull-input.js'
import type { CodeEntry, MotionFile, NearParts } from './subjects/pose-subject.js'

export const SWITCHES = ['off', 'on'] as const
export type Switch = (typeof SWITCHES)[number]

/** What is drawn: the pose that is asked for, the one that was made of it, or that with the first as a ghost. */
export const SHOWN = ['before', 'after', 'both'] as const
export type Shown = (typeof SHOWN)[number]

export interface PoseSimulation extends Simulation {
  /** `pose` is what is asked for at first, unless an address says more. */
  files: { name: string; bytes: Uint8Array; motions: readonly MotionFile[]; pose?: string }
  settings: PoseSettings
  opened: PoseOpened
  /** An entry of the code is set; all of them are zero, or anything in the box; the pose on show is repaired. */
  command: { entry: number; value: number } | 'rest' | 'random' | 'repair'
  input: Held | undefined
  frame: PoseFrame
}

export interface PoseSettings {
  /** Whether every pose is kept free as it comes. */
  keep: Switch
  show: Shown
  /** Name of the motion that plays; empty for none. */
  motion: string
  play: Switch
  /** The pose that is asked for, as an address has it (pose-text.ts). */
  code: string
}

export const POSE_ADDRESS: AddressNames<PoseSettings> = {
  object: 'body',
  words: ['keep', 'show', 'motion', 'play', 'code'],
  numbers: [],
}

export interface PoseOpened {
  name: string
  backend: string
  quality: SelfContactQuality | null
  triangles: Uint32Array
  /** Of the surface at rest [m]. */
  box: Box
  /** Diagonal of that box [m]. */
  size: number
  entries: readonly CodeEntry[]
  bounds: { lower: Float64Array; upper: Float64Array }
  parts: { ofTriangle: Uint16Array; groups: readonly string[] }
  /** In which unit parts are apart. */
  unit: NearParts['unit']
  motions: readonly { name: string; seconds: number }[]
  settings: PoseSettings
}

export interface PoseFrame {
  /** Of both poses [m]. */
  vertices: { before: Float32Array<ArrayBuffer>; after: Float32Array<ArrayBuffer> }
  /** What is asked for, and what was made of it: the same where nothing had to be. */
  codes: { before: Float64Array; after: Float64Array }
  before: PoseLook
  after: PoseLook
  keep: Switch
  /** Nobody has asked for another pose for a moment. */
  still: boolean
  /** Of the grabbed vertex: where it is, then where it is pulled to [m], six numbers; empty while nobody holds anything. */
  pull: Float32Array
  /** What became of the pose on show when it was repaired; undefined if it was not. */
  repair: PoseRepair | undefined
  /** In the motion that plays [s]. */
  time: number
  /** Settings that the stage has changed by itself, such as a motion that somebody's hand has stopped. */
  play: Switch
  /** Median times: of an answer [us], and of keeping a pose free [ms]. */
  times: { learned: number; exact: number; keep: number }
}

/** A pose, looked at by what was learned and by exact geometry. */
export interface PoseLook {
  /** Another number for another pose: what has been drawn need not be drawn again. */
  id: number
  /** Learned distance from self-contact, in the unit of the code. */
  distance: number
  /** Of the two parts that are nearest, or deepest in each other: how far they are apart, and what they are called. */
  clearance: number
  nearest: string
  /** Of each part: 0 away from all others, 1 where it touches one, 2 deep in it; by what was learned. */
  heat: Float32Array
  /** Whether triangles meet, exactly, and how many pairs of them do. */
  touching: boolean
  pairs: number
  triangles: Uint32Array
  /** Lines along which they meet [m], six numbers each. */
  segments: Float32Array
}

export interface PoseRepair {
  /** By the exact test. */
  free: boolean
  /** The pose was so before. */
  wasFree: boolean
  /** Exact tests asked. */
  tests: number
  milliseconds: number
}
