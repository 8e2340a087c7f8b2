/** A small detector with random weights. */
import { randomStream } from '../../../src/math/random.js'
import {
  type CollisionStateShape,
  collisionStateTensors,
} from '../../../src/net/collision-state/collision-state-shape.js'

/** Domains of different sizes, one with nothing of its own, and an entry that is shared. */
export const SMALL_STATE: CollisionStateShape = {
  codeSize: 5,
  domains: [[1, 0], [], [4]],
  encoder: [9, 8],
  state: 6,
  predictor: [7, 5],
  classifier: [4],
  perLogit: 0.3,
  perDepth: 0.2,
  limit: 0.6,
  metres: 0.05,
}

export function randomStateTensors(shape: CollisionStateShape, seed: number): Map<string, Float32Array> {
  const random = randomStream(seed)
  return new Map(
    [...collisionStateTensors(shape)].map(([name, dims]) => {
      const size = dims.reduce((product, n) => product * n, 1)
      return [name, Float32Array.from({ length: size }, () => 0.6 * random.normal())]
    }),
  )
}
