/** What depths are measured in while they are learned, and whether there is anything to learn from them (algorithms.md 1.4, 1.5). */
import { BadInput } from '../../input/bad-input.js'

/** In units of `metres`, but for itself. */
export interface DepthScale {
  /** Depth that is called 1: the 95th percentile of those that touch [m]. */
  metres: number
  /** Of the ranking loss. */
  margin: number
  /** Depth up to which touching codes lie on the boundary. */
  epsilon: number
}

/** @param boundary  share of the touching codes that lie on the boundary */
export function depthScale(depths: Float32Array, domains: number, boundary: number): DepthScale {
  const wholes = wholeDepths(depths, domains)
  const positive = wholes.filter((depth) => depth > 0).sort()
  const at = (share: number): number => positive[Math.floor(share * (positive.length - 1))]
  const metres = at(0.95)
  return { metres, margin: (MARGIN * median([...positive])) / metres, epsilon: at(boundary) / metres }
}

/** alpha as a share of the median depth. */
const MARGIN = 0.1

/** PD of each code. */
export function wholeDepths(depths: Float32Array, domains: number): Float64Array {
  return Float64Array.from({ length: depths.length / domains }, (_, row) =>
    depths.subarray(row * domains, (row + 1) * domains).reduce((sum, depth) => sum + depth, 0),
  )
}

export function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]
}

/** @param advice  what to give instead. @throws BadInput if there is nothing to tell apart */
export function requireBoth(depths: Float32Array, domains: number, advice: string): void {
  const wholes = wholeDepths(depths, domains)
  const touching = wholes.filter((depth) => depth > 0).length
  if (touching > 0 && touching < wholes.length) return
  throw new BadInput(
    `self-contact: ${touching === 0 ? 'none' : 'all'} of ${wholes.length} codes touch themselves; there is nothing to learn. ${advice}, or tell neighbours otherwise (model.neighbours).`,
  )
}
