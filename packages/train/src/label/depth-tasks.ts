/** What a worker does that tells how deep shapes are in themselves at codes, domain by domain. */
import type { IntersectingPairs } from 'pliant/exact'
import { type DomainShares, splitDepths } from 'pliant/unstable/exact'
import { moved } from '../pool/index.js'

/** Any exact test that tells how deep triangles are in each other at a code; `PosedSelfContact` is one. */
export interface DepthTest {
  readonly codeSize: number
  intersections(code: Float32Array): IntersectingPairs
}

/** @param sharesOf  made when depths are first asked for */
export function depthTasks(contact: DepthTest, sharesOf: () => DomainShares) {
  let shares: DomainShares | undefined
  return {
    /** For each code the depth of each domain [m], zeros if its shape is free. */
    depths({ codes }: { codes: Float32Array }) {
      shares ??= sharesOf()
      const { codeSize } = contact
      const { domainCount } = shares
      const count = codes.length / codeSize
      const depths = new Float32Array(count * domainCount)
      for (let row = 0; row < count; row++) {
        const found = contact.intersections(codes.subarray(row * codeSize, (row + 1) * codeSize))
        splitDepths(found, shares, depths.subarray(row * domainCount, (row + 1) * domainCount))
      }
      return moved(depths, depths)
    },
  }
}
