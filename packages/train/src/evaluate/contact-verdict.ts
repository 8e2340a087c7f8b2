/** Whether a network that tells self-contact is of any use: it is held against what takes no training, to call all codes alike. */
import type { SelfContactQuality } from 'pliant'

/** Share of right signs. */
export const LEAST_CONTACT_SIGN = 0.9

/** @returns undefined if it will do, or else one line that says why not and by how much */
export function contactFault({
  signAccuracy,
  balancedAccuracy,
  touchingShare,
}: SelfContactQuality): string | undefined {
  // Written so that a NaN never passes.
  if (!Number.isFinite(signAccuracy) || !Number.isFinite(balancedAccuracy)) {
    return 'it does not answer with finite numbers, or all codes that it was judged on are alike'
  }
  const alike = Math.max(touchingShare, 1 - touchingShare)
  if (!(signAccuracy > alike)) {
    return `it tells touching codes from free ones at ${percent(signAccuracy)} of all, no more than calling all alike does (${percent(alike)})`
  }
  if (!(signAccuracy >= LEAST_CONTACT_SIGN)) {
    return `it tells touching codes from free ones at ${percent(signAccuracy)} of all, fewer than ${percent(LEAST_CONTACT_SIGN)}`
  }
  return undefined
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(4))}%`
}
