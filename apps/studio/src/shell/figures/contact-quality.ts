/** What a file that tells self-contact says of itself: measured on codes that it was never trained on. */
import type { SelfContactQuality } from 'pliant'
import { threeDigits } from '../../draw/length-text.js'
import { element } from '../element.js'
import { percent } from './facts-table.js'

/** Share of codes for exact tests that a visitor would put up with. */
const FEW_EXACT = 0.05

export function contactQuality(quality: SelfContactQuality | null): HTMLElement {
  if (!quality) {
    return element('p', { class: 'quiet' }, 'This file carries no measured quality; run pliant evaluate.')
  }
  const table = element('table', { class: 'facts' })
  for (const [name, value, title] of qualityRows(quality)) {
    table.append(element('tr', { title }, element('th', { scope: 'row' }, name), element('td', {}, value)))
  }
  const codes = quality.codes.toLocaleString('en')
  return element('div', {}, table, element('p', { class: 'quiet' }, `Measured on ${codes} unseen codes.`))
}

/** Name, value, and what it means. */
export function qualityRows(quality: SelfContactQuality): [string, string, string][] {
  const { distanceError, hybrid } = quality
  const few = hybrid.filter(({ exactShare }) => exactShare <= FEW_EXACT).at(-1)
  return [
    ['Sign right', share(quality.signAccuracy), 'Codes that are called what they are, touching or free'],
    ['Sign right, balanced', share(quality.balancedAccuracy), 'Mean of touching and of free codes'],
    ['Within 0.1 of the boundary', share(quality.nearAccuracy), 'Where it is hardest'],
    ['Touching, called free', percent(quality.falseNegatives), 'Of the touching codes'],
    ...(distanceError
      ? ([
          ['Distance error, mean', threeDigits(distanceError.mean), '|f| against the exact distance, unit of the code'],
        ] as [string, string, string][])
      : []),
    ['Gradient error', threeDigits(quality.gradientError), 'Mean of | |grad f| - 1 | (Cai et al., Eq. 24)'],
    ...(few
      ? ([
          [
            `With ${threeDigits(100 * few.exactShare)}% exact tests`,
            share(few.accuracy),
            `Codes with |f| below ${threeDigits(few.tau)} go to the exact test`,
          ],
        ] as [string, string, string][])
      : []),
  ]
}

/** Rounded down: 99.998 % is not all. */
function share(value: number): string {
  return `${(Math.floor(1e4 * value) / 100).toFixed(2)}\u202f%`
}
