/**
 * How deep a surface is in itself, domain by domain (Tan et al., section 3.2, after FCL; algorithms.md 1.5). The whole is the sum
 * over pairs of triangles that meet, each counted once and neighbours not at all, of how deep one is in the other:
 *
 *   PD   = sum over pairs of depth
 *   PD_i = sum over pairs of depth (a_i(t1) + a_i(t2)) / 2          (a_i(t): share of domain i in triangle t)
 *   a_i(t) = mean over its corners v of m_i(v) / sum_k m_k(v)       (m_i(v): how much of vertex v is of domain i)
 *
 * Shares of a triangle sum up to 1, so the PD_i sum up to PD: the paper's loss asks for both.
 */
import type { Floats } from '../../math/floats.js'
import type { IntersectingPairs } from '../self-intersection.js'

/** Which domains the triangles of a surface are of. */
export interface DomainShares {
  /** How many domains there are. */
  readonly domainCount: number
  /** Share of each domain in each triangle, `domainCount` numbers for one triangle after the other; they sum up to 1. */
  readonly ofTriangle: Float64Array
}

/**
 * @param triangles  vertex index triples
 * @param weights    how much each vertex is of each domain, `domainCount` numbers for one vertex after the other, zero or more
 * @throws RangeError naming the first vertex that is of no domain, or whose weight is none
 */
export function domainShares(triangles: Uint32Array, weights: ArrayLike<number>, domainCount: number): DomainShares {
  const ofTriangle = new Float64Array((triangles.length / 3) * domainCount)
  for (let corner = 0; corner < triangles.length; corner++) {
    const from = triangles[corner] * domainCount
    let sum = 0
    for (let i = 0; i < domainCount; i++) {
      if (!(weights[from + i] >= 0)) throw wrongWeight(triangles[corner], i, weights[from + i])
      sum += weights[from + i]
    }
    if (!(sum > 0 && sum < Infinity)) {
      throw new RangeError(`domains: vertex ${triangles[corner]} is of no domain; give it a weight above 0 in one.`)
    }
    const to = Math.floor(corner / 3) * domainCount
    for (let i = 0; i < domainCount; i++) ofTriangle[to + i] += weights[from + i] / sum / 3
  }
  return { domainCount, ofTriangle }
}

function wrongWeight(vertex: number, domain: number, weight: number | undefined): RangeError {
  return new RangeError(`domains: vertex ${vertex} has weight ${weight} in domain ${domain}; give zero or more.`)
}

/**
 * Splits the depth of a surface over its domains.
 * @param out  receives PD_i of each domain [m]
 * @returns PD [m]
 */
export function splitDepths(
  { pairs, depths }: Pick<IntersectingPairs, 'pairs' | 'depths'>,
  { domainCount, ofTriangle }: DomainShares,
  out: Floats,
): number {
  let whole = 0
  for (let i = 0; i < domainCount; i++) out[i] = 0
  for (let pair = 0; pair < depths.length; pair++) {
    const [a, b] = [pairs[2 * pair] * domainCount, pairs[2 * pair + 1] * domainCount]
    whole += depths[pair]
    for (let i = 0; i < domainCount; i++) out[i] += (depths[pair] * (ofTriangle[a + i] + ofTriangle[b + i])) / 2
  }
  return whole
}
