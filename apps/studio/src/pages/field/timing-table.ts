/** The live comparison of speed: pose and queries of the learned field against refit and queries of a tree. */
import { threeDigits } from '../../draw/length-text.js'
import { RollingMedian } from '../../measure/rolling-median.js'
import { element } from '../../shell/element.js'
import { TIMED_QUERIES, TIMED_ROUNDS } from './query-timer.js'

const QUERIES = TIMED_QUERIES.toLocaleString('en')

export class TimingTable {
  readonly root: HTMLElement
  readonly #learned = new RollingMedian(TIMED_ROUNDS)
  readonly #exact = new RollingMedian(TIMED_ROUNDS)
  readonly #learnedCell = element('td', { 'data-testid': 'timing-learned' }, '\u2026')
  readonly #exactCell = element('td', { 'data-testid': 'timing-exact' }, '\u2026')
  readonly #ratio = element('td', { 'data-testid': 'timing-ratio' }, '\u2026')

  constructor() {
    const row = (name: string, cell: HTMLElement): HTMLElement =>
      element('tr', {}, element('th', { scope: 'row' }, name), cell)
    this.root = element(
      'div',
      {},
      element(
        'table',
        { class: 'facts' },
        row('Learned: pose + queries', this.#learnedCell),
        row('BVH: refit + queries', this.#exactCell),
        row('Learned is faster by', this.#ratio),
      ),
      element(
        'p',
        { class: 'quiet' },
        `${QUERIES} points near the surface, one thread; median of the last ${TIMED_ROUNDS} rounds on this machine.`,
      ),
    )
  }

  /** Medians [ms]; NaN before the first round. */
  get medians(): { learnedMs: number; exactMs: number; rounds: number } {
    return { learnedMs: this.#learned.value, exactMs: this.#exact.value, rounds: this.#learned.count }
  }

  add(learnedMs: number, exactMs: number): void {
    this.#learned.add(learnedMs)
    this.#exact.add(exactMs)
    const medians = this.medians
    this.#learnedCell.textContent = `${threeDigits(medians.learnedMs)}\u202fms`
    this.#exactCell.textContent = `${threeDigits(medians.exactMs)}\u202fms`
    this.#ratio.textContent = `${(medians.exactMs / medians.learnedMs).toFixed(1)}\u202f\u00d7`
  }
}
