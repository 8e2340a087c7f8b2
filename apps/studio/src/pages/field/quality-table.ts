/** What the artifact says about itself: quality measured on unseen poses, and what a query costs. */
import { lengthText, threeDigits, unitFor } from '../../draw/length-text.js'
import { element } from '../../shell/element.js'
import type { StudioObject } from './studio-object.js'

export function qualityTable({ artifact, multiplications }: StudioObject): HTMLElement {
  const table = element('table', { class: 'facts', 'data-testid': 'quality' })
  const add = (name: string, value: string, title: string): void => {
    table.append(element('tr', { title }, element('th', { scope: 'row' }, name), element('td', {}, value)))
  }
  const { quality } = artifact.manifest
  if (quality) {
    const share = (length: number): string => `${threeDigits((100 * length) / quality.size)}\u202f%`
    const { bandError, normalError } = quality
    add(
      'Error, mean',
      `${share(bandError.mean)} \u00b7 ${lengthText(bandError.mean, unitFor(bandError.mean))}`,
      '|learned \u2212 exact| inside the trained band, in % of the diagonal of the rest shape',
    )
    add(
      'Error, p95',
      `${share(bandError.p95)} \u00b7 ${lengthText(bandError.p95, unitFor(bandError.p95))}`,
      'Inside the trained band, in % of the diagonal of the rest shape',
    )
    add('Sign right', `${signShare(quality.signAccuracy)}\u202f%`, 'Beyond 0.5 % of the diagonal from the surface')
    add(
      'Normal, p50 / p95',
      `${threeDigits(normalError.p50)}\u00b0 / ${threeDigits(normalError.p95)}\u00b0`,
      'Angle between the learned gradient and the exact normal',
    )
    add(
      'Safety margin',
      lengthText(quality.safetyMargin, unitFor(quality.safetyMargin)),
      'Subtract it for a conservative answer near the surface',
    )
  }
  add('Multiplications', `${multiplications.toLocaleString('en')} / query`, 'Of one query, once posed')
  add(
    'Network',
    `${Math.round(networkBytes(artifact) / 1000).toLocaleString('en')}\u202fkB`,
    'All tensors, 32-bit floats',
  )
  const made = quality
    ? `Measured on ${quality.poses} unseen poses, ${quality.points.toLocaleString('en')} points.`
    : 'This artifact carries no measured quality; run pliant evaluate.'
  return element('div', {}, table, element('p', { class: 'quiet' }, made))
}

/** Rounded down: 99.998 % is not all. */
function signShare(accuracy: number): string {
  return (Math.floor(1e4 * accuracy) / 100).toFixed(2)
}

function networkBytes({ networks }: StudioObject['artifact']): number {
  let values = 0
  for (const { length } of networks.distance.values()) values += length
  return 4 * values
}
