/**
 * A space of shapes split as the collision detector of Tan et al. takes it: each domain with its own numbers of the code, those
 * of the whole shared by all.
 */
import type { CodeDomains } from '../character-domains.js'
import type { PartSight } from './shape-part.js'

/** @param parts  the whole, then one for each domain */
export function spaceDomains({
  parts,
  reference,
}: {
  parts: readonly PartSight[]
  reference: { positions: ArrayLike<number> }
}): CodeDomains {
  const domains = parts.slice(1)
  const count = domains.length
  const weights = new Float32Array((reference.positions.length / 3) * count)
  let start = parts[0].codeSize
  const entries = domains.map(({ codeSize, vertices, attention }, domain) => {
    vertices.forEach((vertex, i) => {
      weights[vertex * count + domain] = attention[i]
    })
    const own = Array.from({ length: codeSize }, (_, k) => start + k)
    start += codeSize
    return own
  })
  return { names: domains.map((_, i) => `domain ${i + 1}`), entries, weights }
}
