/** One pose in flight, in memory that a label pool and its workers share. */
export interface LabelSlot {
  /** Filled by the pool. */
  positions: Float64Array
  points: Float64Array
  /** Filled by the worker. */
  distances: Float64Array
  /** Empty if normals are not asked for. */
  normals: Float64Array
}

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
