/**
 * How many numbers of the code each domain has. Published is the same for all; a palm that five fingers leave differs in
 * more ways than the tip of one, so by default each next number goes where it explains most.
 */
import type { ShapeSpaceOptions } from './shape-space-options.js'

/**
 * @param needs  of each domain, what each of its directions explains, most first
 * @returns code sizes, of `domainCode` on average, none of them 0
 */
export function allotCodes(
  needs: readonly (readonly number[])[],
  { domainCode, allotment }: Pick<ShapeSpaceOptions, 'domainCode' | 'allotment'>,
): number[] {
  if (allotment === 'even') return needs.map(() => domainCode)
  const sizes = needs.map(() => 1)
  for (let left = needs.length * (domainCode - 1); left > 0; left--) {
    const next = needs.map((own, domain) => own[sizes[domain]] ?? 0)
    sizes[next.indexOf(Math.max(...next))]++
  }
  return sizes
}
