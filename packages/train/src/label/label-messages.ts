/** What a label pool and its workers say to each other, and the memory they share. */
import type { ExactMeshFieldOptions } from 'pliant/exact'

/** Given to a worker when it starts. */
export interface WorkerStart {
  positions: Float64Array
  triangles: Uint32Array
  sign: ExactMeshFieldOptions['sign']
}

/** One pose in flight: the pool fills the first two arrays, the worker the others. */
export interface LabelSlot {
  positions: Float64Array
  points: Float64Array
  distances: Float64Array
  /** Empty if normals are not asked for. */
  normals: Float64Array
}

export type ToWorker = { kind: 'slots'; slots: LabelSlot[] } | { kind: 'label'; slot: number }

export type FromWorker =
  | { kind: 'ready' }
  | { kind: 'unusable'; message: string }
  | { kind: 'done'; slot: number }
  | { kind: 'failed'; slot: number; message: string }

/** A slot over one block of shared memory. */
export function sharedSlot(coordinates: number, points: number, withNormals: boolean): LabelSlot {
  const lengths = [coordinates, 3 * points, points, withNormals ? 3 * points : 0]
  const memory = new SharedArrayBuffer(8 * lengths.reduce((sum, length) => sum + length))
  let offset = 0
  const next = (length: number): Float64Array => {
    const part = new Float64Array(memory, offset, length)
    offset += 8 * length
    return part
  }
  const [positions, query, distances, normals] = lengths.map(next)
  return { positions, points: query, distances, normals }
}
