/**
 * Where level 1 begins: one component per domain, each local and where shapes differ most, away from those before
 * (as in Neumann et al. 2013). Published are random values, which would leave it to chance where centres are.
 */
import { ACAP_CHANNELS } from 'pliant/unstable'
import type { CentreDistances } from './centre-distances.js'
import { priceOfDistance } from './price-of-distance.js'

/** Power steps; a start needs no digits. */
const STEPS = 8

/**
 * @param shapes  numbers of each shape about zero, nine per vertex
 * @returns one component after the other, such that codes of the shapes have a root mean square of about 1
 */
export function firstComponents(
  shapes: readonly Float32Array[],
  count: number,
  { centres, distances }: CentreDistances,
  reach: number,
): Float32Array {
  const size = shapes[0].length
  const vertexCount = size / ACAP_CHANNELS
  const left = shapes.map((shape) => shape.slice())
  const free = new Float64Array(vertexCount).fill(1)
  const out = new Float32Array(count * size)
  for (let k = 0; k < count; k++) {
    // Where every place is taken, best places are taken again.
    const centre = strongest(left, centres, free) ?? strongest(left, centres, free.fill(1)) ?? 0
    const support = Float64Array.from(
      distances.subarray(centre * vertexCount, (centre + 1) * vertexCount),
      (distance) => 1 - priceOfDistance(distance, reach),
    )
    const component = out.subarray(k * size, (k + 1) * size)
    const weights = localComponent(left, support, centres[centre], component)
    left.forEach((shape, s) => {
      for (let i = 0; i < size; i++) shape[i] -= weights[s] * component[i]
    })
    for (let v = 0; v < vertexCount; v++) free[v] *= 1 - support[v]
  }
  return out
}

/** The centre around which squares are largest, as far as places are free; undefined if none is. */
function strongest(left: readonly Float32Array[], centres: Int32Array, free: Float64Array): number | undefined {
  let [best, most] = [-1, 0]
  centres.forEach((vertex, c) => {
    let sum = 0
    for (const shape of left) {
      for (let i = ACAP_CHANNELS * vertex; i < ACAP_CHANNELS * (vertex + 1); i++) sum += shape[i] * shape[i]
    }
    if (sum * free[vertex] <= most) return
    most = sum * free[vertex]
    best = c
  })
  return best < 0 ? undefined : best
}

/** The largest direction within the support, begun at the centre. @returns weights of the shapes, of mean square 1 */
function localComponent(
  shapes: readonly Float32Array[],
  support: Float64Array,
  centre: number,
  out: Float32Array,
): Float64Array {
  const direction = new Float64Array(out.length)
  const loudest = shapes.reduce((a, b) => (squaresAt(b, centre) > squaresAt(a, centre) ? b : a))
  for (let i = 0; i < out.length; i++) direction[i] = support[Math.trunc(i / ACAP_CHANNELS)] * loudest[i]
  let weights = new Float64Array(shapes.length)
  for (let step = 0; step < STEPS; step++) {
    weights = Float64Array.from(shapes, (shape) => {
      let sum = 0
      for (let i = 0; i < shape.length; i++) sum += shape[i] * direction[i]
      return sum
    })
    const mean = Math.sqrt(weights.reduce((sum, weight) => sum + weight * weight, 0) / shapes.length)
    if (mean === 0) return weights
    for (let s = 0; s < weights.length; s++) weights[s] /= mean
    direction.fill(0)
    shapes.forEach((shape, s) => {
      const weight = weights[s] / shapes.length
      for (let i = 0; i < direction.length; i++) direction[i] += weight * shape[i]
    })
    for (let i = 0; i < direction.length; i++) direction[i] *= support[Math.trunc(i / ACAP_CHANNELS)]
  }
  out.set(direction)
  return weights
}

function squaresAt(shape: Float32Array, vertex: number): number {
  let sum = 0
  for (let i = ACAP_CHANNELS * vertex; i < ACAP_CHANNELS * (vertex + 1); i++) sum += shape[i] * shape[i]
  return sum
}
