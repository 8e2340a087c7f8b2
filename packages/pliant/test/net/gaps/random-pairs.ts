/** Random tensors of posed gap networks, and random frames. */
import type { Random } from '../../../src/math/random.js'
import { randomStream } from '../../../src/math/random.js'
import { type PosedGapShape, posedGapTensors } from '../../../src/net/gaps/posed-gap-shape.js'

/** Places are within a metre of the origins of their frames; pairs are looked at within a metre or two. */
export function randomPairs(shape: PosedGapShape, seed: number): Map<string, Float32Array> {
  const random = randomStream(seed)
  return new Map(
    [...posedGapTensors(shape)].map(([name, dims]) => {
      const size = dims.reduce((product, n) => product * n, 1)
      const spread = /^pair\.\d.*weight/.test(name) ? 1 / Math.sqrt(dims[1]) : 0.5
      const values = Float32Array.from({ length: size }, () => spread * random.normal())
      if (name === 'pair.far') return [name, values.map(() => random.between(1, 4))]
      if (name !== 'pair.places' && name !== 'pair.middles') return [name, values]
      return [name, values.map((value, i) => (i % 4 === 0 ? random.below(shape.frames) : value))]
    }),
  )
}

/** Turned, scaled a little, and sheared, as learned frames are. */
export function randomSpaces(frames: number, random: Random): Float64Array {
  return Float64Array.from({ length: 16 * frames }, (_, i) => {
    const within = i % 16
    if (within % 4 === 3) return within === 15 ? 1 : 0
    return within >= 12 ? 0.6 * random.normal() : 0.6 * random.normal() + (within % 5 === 0 ? 0.5 : 0)
  })
}
