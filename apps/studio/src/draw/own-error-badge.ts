/** What a learned field expects to be off by, as a badge: how much, and a warning where it does not trust itself. */
import { threeDigits } from './length-text.js'

export interface OwnError {
  /** Mean near the surface, as a share of the object's size. */
  readonly expected: number
  readonly trusted: boolean
}

/** @param instead what is done where the field does not trust itself, if anything */
export function showOwnError(badge: HTMLElement, { expected, trusted }: OwnError, instead?: string): void {
  const amount = `${threeDigits(100 * expected)}%`
  badge.textContent = trusted ? `error ${amount}` : `untrusted: ${instead ?? amount}`
  badge.classList.toggle('warning', !trusted)
  badge.title = `What the learned field expects to be off by in the mean near the surface, asked on its own surface in this pose: ${amount} of the size${
    trusted ? ', as where it was evaluated.' : ', more than twice what it was measured to have.'
  }`
}
