/**
 * ACAP features of many shapes over worker threads. Each shape's depend on it and the reference alone, so they are the
 * same for any number of workers.
 */
import type { TriangleMesh } from 'pliant'
import type { OnProgress } from 'pliant/unstable'
import { BadInput } from '../input/bad-input.js'
import { inOrder, WorkerPool } from '../pool/index.js'

export interface EncodeShapesOptions {
  /** Worker threads; by default one per core. */
  threads?: number
  /** Ends all work at once; it rejects with the signal's reason. */
  signal?: AbortSignal
  onProgress?: OnProgress
}

/** Shapes that a worker takes at a time: some tenths of a second. */
const CHUNK = 16

/**
 * @param shapes  vertices of each [m], xyz triples, in the order of the reference
 * @returns       features of each, nine per vertex, in the order of the shapes
 * @throws BadInput naming a shape with another number of vertices than the reference, or one that is not finite
 * @throws RangeError if the reference cannot be one
 */
export async function encodeShapes(
  reference: TriangleMesh,
  shapes: readonly Float32Array[],
  { threads, signal, onProgress }: EncodeShapesOptions = {},
): Promise<Float32Array[]> {
  const { length } = reference.positions
  const other = shapes.findIndex((shape) => shape.length !== length)
  if (other >= 0) {
    throw new BadInput(
      `acap: shape ${other} has ${shapes[other].length / 3} vertices, the reference ${length / 3}; give meshes of the same vertices.`,
    )
  }
  const chunks = Math.ceil(shapes.length / CHUNK)
  const start = { positions: reference.positions, triangles: reference.triangles }
  const options = { name: 'acap', threads, start, tasksPerWorker: 2, signal }
  const pool = new WorkerPool<typeof import('./acap-task.js')>(new URL('./acap-task.js', import.meta.url), options)
  const out: Float32Array[] = []
  try {
    const parts = inOrder(chunks, 2 * pool.threads, (chunk) => {
      const first = chunk * CHUNK
      return pool.run('encode', { first, positions: shapes.slice(first, first + CHUNK) })
    })
    for await (const features of parts) {
      out.push(...features)
      onProgress?.({ fraction: out.length / shapes.length, stage: 'features' })
    }
  } finally {
    await pool.dispose()
  }
  return out
}
