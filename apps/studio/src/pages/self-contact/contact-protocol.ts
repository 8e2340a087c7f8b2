/** What the Self-contact page and its worker say to each other: the types of the simulation. */
import type { SelfContactQuality } from 'pliant'
import type { Simulation } from '../../shell/simulation/protocol.js'
import type { AddressNames } from '../../shell/simulation/settings-in-address.js'
import type { Held } from '../../shell/view/pull-input.js'

/** What keeps the body from running into itself: nothing, the learned field, or that with an exact test behind it. */
export const KEEPS = ['nothing', 'learned', 'hybrid'] as const
export type Keep = (typeof KEEPS)[number]

/** Who pulls: the visitor alone, or a script as well. */
export const PULLERS = ['hand', 'script'] as const
export type Puller = (typeof PULLERS)[number]

export interface ContactSimulation extends Simulation {
  files: { name: string; bytes: Uint8Array }
  settings: ContactSettings
  opened: Opened
  /** The body back above the table, at rest. */
  command: 'reset'
  /** What the visitor holds; undefined for nothing. */
  input: Held | undefined
  frame: Frame
}

export interface ContactSettings {
  keep: Keep
  pull: Puller
  /** Modes along the axes of the slice, counted from 1. */
  across: number
  up: number
}

export const CONTACT_ADDRESS: AddressNames<ContactSettings> = {
  object: 'body',
  words: ['keep', 'pull'],
  numbers: ['across', 'up'],
}

export interface Opened {
  name: string
  backend: string
  triangles: Uint32Array
  /** Diagonal of the body at rest [m]. */
  size: number
  /** Where its centre of mass begins [m]. */
  start: readonly [number, number, number]
  /** The trained box of codes. */
  bounds: CodeBox
  quality: SelfContactQuality | null
  /** What active learning asked for; undefined if the file keeps none. */
  rounds: LearnedRounds | undefined
  /** The file itself: another worker makes the slices. */
  bytes: Uint8Array
  settings: ContactSettings
}

export interface CodeBox {
  lower: Float64Array
  upper: Float64Array
}

/** Samples in the order in which they were acquired, and how many of them belong to each round. */
export interface LearnedRounds {
  counts: readonly number[]
  codes: Float32Array
  /** 1 for a free code, -1 for one that touches itself. */
  signs: Int8Array
}

export interface Frame {
  /** In the world [m]. */
  vertices: { body: Float32Array<ArrayBuffer> }
  /** Simulated since the last reset [s]. */
  time: number
  keep: Keep
  code: Float64Array
  /** The learned distance at that code, in its unit. */
  distance: number
  /** Centre of mass [m]. */
  position: readonly [number, number, number]
  /** Of every pull: the vertex, then where it is pulled to [m]; six numbers each. */
  pulls: Float32Array
  look: Look
  /** Mean times of the steps just made [ms]. */
  spent: Record<StepPart, number>
  /** Exact tests that a step asked for. */
  exactTests: number
}

export const PARTS = ['step', 'look'] as const
/** The step itself; looking at it by exact geometry and timing answers, which no simulation needs. */
export type StepPart = (typeof PARTS)[number]

/** The last look by exact geometry, a few times a second, whatever keeps the body apart. */
export interface Look {
  /** Triangles that meet others. */
  triangles: Uint32Array
  touching: boolean
  /** Looks since the last reset or change of what keeps apart, and those that found the body in itself. */
  looks: number
  touchingLooks: number
  /** Median times of one answer at codes like these [us]. */
  microseconds: { learned: number; exact: number }
}
