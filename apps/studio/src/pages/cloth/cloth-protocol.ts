/** What the Cloth page and its worker say to each other: the types of the simulation. */
import type { GarmentKind } from 'pliant/sim'
import type { OwnError } from '../../draw/own-error-badge.js'
import type { Simulation } from '../../shell/simulation/protocol.js'
import type { AddressNames } from '../../shell/simulation/settings-in-address.js'

/** What the cloth collides with: the learned field, the triangles themselves, or nothing. */
export const COLLISIONS = ['learned', 'exact', 'none'] as const
export type Collision = (typeof COLLISIONS)[number]

export interface ClothSimulation extends Simulation {
  /** Bytes of the trained collider, and of a glTF file of the same skeleton, with its clips. */
  files: { collider: Uint8Array; rig: Uint8Array }
  settings: ClothSettings
  opened: Opened
  /** Puts the garment on again, from the rest pose. */
  command: 'reset'
  input: undefined
  frame: Frame
}

export interface ClothSettings {
  clip: string
  /** Clip seconds per second. */
  speed: number
  garment: GarmentKind
  collision: Collision
  /** Speed of the air [m/s], and where it comes from: radians about +Y, 0 from the front. */
  wind: number
  windFrom: number
}

export const CLOTH_ADDRESS: AddressNames<ClothSettings> = {
  object: 'character',
  words: ['clip', 'garment', 'collision'],
  numbers: ['speed', 'wind', 'windFrom'],
}

export interface Opened {
  name: string
  backend: string
  /** [m] */
  height: number
  bodyTriangles: Uint32Array
  /** `trained` is null where the file cannot tell. */
  clips: { name: string; seconds: number; trained: boolean | null }[]
  garments: GarmentKind[]
  settings: ClothSettings
}

export interface Frame {
  vertices: {
    /** Of the body in its root frame [units]. */
    body: Float32Array<ArrayBuffer>
    /** Of the cloth in the world [m]. */
    cloth: Float32Array<ArrayBuffer>
  }
  /** Triangles of the cloth, in the first frame of a garment. */
  clothTriangles: Uint32Array | undefined
  /** Root frame to world, column-major, in metres. */
  rootFrame: Float64Array
  /** Time in the clip [s]. */
  time: number
  clip: string
  collision: Collision
  /** Of the learned field, whatever the cloth collides with; where it is not trusted, the cloth collides with the exact one. */
  ownError: OwnError
  /** Mean times of the steps just made [ms]. */
  spent: Record<StepPart, number>
  /** Points asked in a step. */
  queries: number
  penetration: Penetration | undefined
}

/** Posing the character and its field, asking the field, the cloth itself, skinning for display. */
export type StepPart = 'pose' | 'queries' | 'cloth' | 'skin'

/** How deep the cloth is inside the exact body, whatever it collides with. */
export interface Penetration {
  /** Of the deepest vertex, in body heights; 0 if all are outside. */
  deepest: number
  /** Share of the vertices deeper than 1% of the height. */
  share: number
}
