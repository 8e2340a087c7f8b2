/** Point, learned and exact distance, and their difference, as a small table that keeps its size. */
import { lengthText, unitFor } from '../../draw/length-text.js'
import { element } from '../../shell/element.js'
import type { ProbeReading } from './probe.js'

const NONE = '\u2013'

export class ReadOut {
  readonly root: HTMLElement
  readonly #point = element('td', { 'data-testid': 'read-point' })
  readonly #learned = element('td', { 'data-testid': 'read-learned' })
  readonly #exact = element('td', { 'data-testid': 'read-exact' })
  readonly #error = element('td', { 'data-testid': 'read-error' })

  constructor() {
    const rows: [string, HTMLElement][] = [
      ['Point x, y, z [m]', this.#point],
      ['Learned distance', this.#learned],
      ['Exact distance', this.#exact],
      ['Error', this.#error],
    ]
    const table = element('table', { class: 'facts' })
    for (const [name, cell] of rows) table.append(element('tr', {}, element('th', { scope: 'row' }, name), cell))
    this.root = element('div', { 'aria-live': 'polite' }, table)
    this.show(undefined, 1)
  }

  /** @param truncation beyond it [m] the two are not compared; it also sets the unit */
  show(reading: ProbeReading | undefined, truncation: number): void {
    const unit = unitFor(truncation)
    this.#point.textContent = reading ? reading.point.map(coordinate).join(', ') : 'point at a slice'
    this.#learned.textContent = reading ? lengthText(reading.learned, unit) : NONE
    this.#exact.textContent = reading ? lengthText(reading.exact, unit) : NONE
    const error = reading && Math.abs(reading.learned - reading.exact)
    if (error === undefined) this.#error.textContent = NONE
    else if (Math.abs(reading!.exact) > truncation) this.#error.textContent = 'beyond the trained band'
    else this.#error.textContent = lengthText(error, unitFor(error))
  }
}

function coordinate(value: number): string {
  return value.toFixed(3).replace('-', '\u2212')
}
