/** Batches of shapes: all of them, or drawn by the step. */
import { streamOf } from '../../streams/random-streams.js'

/** Steps of both levels draw from streams of their own. */
const STREAMS_PER_LEVEL = 5_000_000

/** @returns numbers of the shapes of a step; the same array each time */
export function shapeBatches(shapes: number, batch: number, seed: number, level: 1 | 2): (step: number) => Uint32Array {
  const drawn = Uint32Array.from({ length: Math.min(shapes, batch) }, (_, i) => i)
  if (shapes <= batch) return () => drawn
  return (step) => {
    const random = streamOf('shapeSpaceBatches', seed, (level - 1) * STREAMS_PER_LEVEL + step)
    for (let i = 0; i < drawn.length; i++) drawn[i] = random.below(shapes)
    return drawn
  }
}

/** @param out  receives the rows of a table, of `width` values each */
export function takeShapes(table: Float32Array, width: number, shapes: Uint32Array, out: Float32Array): Float32Array {
  shapes.forEach((shape, i) => {
    out.set(table.subarray(shape * width, (shape + 1) * width), i * width)
  })
  return out
}
