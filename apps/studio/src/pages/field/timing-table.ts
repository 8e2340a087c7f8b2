/**
 * The live comparison of speed: pose and queries of the learned field against refit and queries of a tree. A ratio is of
 * one round, in which the two take turns; it is shown with its range, as a busy machine makes it swing.
 */
import { threeDigits } from '../../draw/length-text.js'
import { RollingMedian } from '../../measure/rolling-median.js'
import { element } from '../../shell/element.js'
import { TIMED_QUERIES, TIMED_ROUNDS } from './query-timer.js'

/** Ratios below and above these shares of the rounds are left out of the range. */
const RANGE = [0.1, 0.9] as const
const QUERIES = TIMED_QUERIES.toLocaleString('en')

export class TimingTable {
  readonly root: HTMLElement
  readonly #learned = new RollingMedian(TIMED_ROUNDS)
  readonly #exact = new RollingMedian(TIMED_ROUNDS)
  readonly #ratios = new RollingMedian(TIMED_ROUNDS)
  readonly #learnedCell = element('td', { 'data-testid': 'timing-learned' }, '\u2026')
  readonly #exactCell = element('td', { 'data-testid': 'timing-exact' }, '\u2026')
  readonly #ratio = element('td', { class: 'wraps', 'data-testid': 'timing-ratio' }, '\u2026')

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
        row('Our exact BVH: refit + queries', this.#exactCell),
        row('Learned is faster by', this.#ratio),
      ),
      element(
        'p',
        { class: 'quiet' },
        `${QUERIES} points near the surface, one thread, in turns; median of the last ${TIMED_ROUNDS} rounds on this machine, and the range of eight in ten of them.`,
      ),
    )
  }

  /** Medians [ms]; NaN before the first round. */
  get medians(): { learnedMs: number; exactMs: number; rounds: number } {
    return { learnedMs: this.#learned.value, exactMs: this.#exact.value, rounds: this.#learned.count }
  }

  /** How many times as fast the learned field is: median and range; NaN before the first round. */
  get ratio(): { median: number; low: number; high: number } {
    const [low, high] = RANGE.map((share) => this.#ratios.quantile(share))
    return { median: this.#ratios.value, low, high }
  }

  add(learnedMs: number, exactMs: number): void {
    this.#learned.add(learnedMs)
    this.#exact.add(exactMs)
    this.#ratios.add(exactMs / learnedMs)
    const { medians, ratio } = this
    this.#learnedCell.textContent = `${threeDigits(medians.learnedMs)}\u202fms`
    this.#exactCell.textContent = `${threeDigits(medians.exactMs)}\u202fms`
    const [low, high] = [ratio.low.toFixed(1), ratio.high.toFixed(1)]
    this.#ratio.textContent = `${ratio.median.toFixed(1)}\u202f\u00d7 (${low} to ${high})`
  }
}
