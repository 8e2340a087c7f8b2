/** Batches of shapes: all of them or drawn by the step, or mixed in pairs. */
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

/**
 * Features of two shapes can be mixed, which is what they are for; networks that learn from mixtures, too, do not bend
 * between the few shapes that there are. Everything that is linear in a shape is mixed alike.
 * @returns of each row of a batch, two shapes and the share of the first, up to `beyond` outside of 0 to 1
 */
export function mixedPairs(
  shapes: number,
  batch: number,
  beyond: number,
  seed: number,
): (step: number) => { first: Uint32Array; second: Uint32Array; shares: Float32Array } {
  const pairs = {
    first: new Uint32Array(batch),
    second: new Uint32Array(batch),
    shares: new Float32Array(batch),
  }
  return (step) => {
    const random = streamOf('shapeSpaceBatches', seed, STREAMS_PER_LEVEL + step)
    for (let i = 0; i < batch; i++) {
      pairs.first[i] = random.below(shapes)
      pairs.second[i] = random.below(shapes)
      pairs.shares[i] = random.between(-beyond, 1 + beyond)
    }
    return pairs
  }
}

/** @param out  receives mixtures of the rows of a table, of `width` values each */
export function mixShapes(
  table: Float32Array,
  width: number,
  { first, second, shares }: ReturnType<ReturnType<typeof mixedPairs>>,
  out: Float32Array,
): void {
  for (let i = 0, to = 0; i < shares.length; i++) {
    const [a, b, share] = [first[i] * width, second[i] * width, shares[i]]
    for (let k = 0; k < width; k++) out[to++] = share * table[a + k] + (1 - share) * table[b + k]
  }
}
