/** What the page and its worker say to each other. The worker owns body and cloth; the page asks for time to pass. */
import type { GarmentKind } from 'pliant/sim'
import type { OwnError } from '../../draw/own-error-badge.js'

/** What the cloth meets: the learned field, the triangles themselves, or nothing. */
export const COLLISIONS = ['neural', 'exact', 'none'] as const
export type Collision = (typeof COLLISIONS)[number]

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

/** Buffers of an earlier frame come back, so that none are allocated in flight. */
export interface FrameBuffers {
  /** Vertices of the body in its root frame [units]. */
  body: Float32Array<ArrayBuffer>
  /** Vertices of the cloth in the world [m]. */
  cloth: Float32Array<ArrayBuffer>
}

export type ToWorker =
  | { kind: 'open'; collider: Uint8Array; rig: Uint8Array; settings: Partial<ClothSettings> }
  | { kind: 'set'; settings: Partial<ClothSettings> }
  | { kind: 'dress' }
  | { kind: 'advance'; steps: number; buffers: FrameBuffers | undefined }

export type FromWorker =
  | Opened
  | Dressed
  | Frame
  | { kind: 'failed'; message: string /** Whether what was on show before goes on. */; opening: boolean }

export interface Opened {
  kind: 'opened'
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

/** Another garment is worn. */
export interface Dressed {
  kind: 'dressed'
  triangles: Uint32Array
  vertices: number
}

export interface Frame extends FrameBuffers {
  kind: 'frame'
  /** Root frame to world, column-major, in metres. */
  rootFrame: Float64Array
  /** Time in the clip [s]. */
  time: number
  clip: string
  collision: Collision
  /** Of the learned field, whatever the cloth collides with; where it is not trusted, the cloth collides with the exact one. */
  ownError: OwnError
  /** Mean times of the steps just made [ms]: posing the body and its field, asking the field, the cloth, vertices for the eye. */
  spent: { pose: number; queries: number; cloth: number; skin: number }
  /** Points asked in a step. */
  queries: number
  penetration: Penetration | undefined
}

/** How deep the cloth is inside the exact body, whatever it collides with. */
export interface Penetration {
  /** Of the deepest vertex, in body heights; 0 if all are outside. */
  deepest: number
  /** Share of the vertices deeper than 1% of the height. */
  share: number
}

/** Time that one step takes in the world [s]. */
export const STEP = 1 / 60
