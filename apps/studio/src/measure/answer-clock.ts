/**
 * What one answer takes, learned and exact, at codes that the body really has. Clocks of browsers tick every 5 to 100
 * us, longer than an answer: several are asked at a time. Medians over the last looks, as others use the machine, too.
 */
import type { ConfigurationField, ExactTest } from 'pliant'
import { RollingMedian } from './rolling-median.js'

/** Looks that medians are taken over. */
const LOOKS = 40

/** Times as many answers as at a look before the first: until then browsers have not compiled what computes them. */
const WARM_UP = 40

export class AnswerClock {
  readonly #distance = new Float64Array(1)
  readonly #gradient: Float64Array
  readonly #learned = new RollingMedian(LOOKS)
  readonly #exact = new RollingMedian(LOOKS)

  /** @param answers  asked at a look */
  constructor(
    private readonly field: ConfigurationField,
    private readonly exact: ExactTest,
    private readonly answers: { readonly learned: number; readonly exact: number },
  ) {
    this.#gradient = new Float64Array(field.codeSize)
  }

  /** Of one answer [us]; NaN before the first look. */
  get microseconds(): { learned: number; exact: number } {
    return {
      learned: (1000 * this.#learned.value) / this.answers.learned,
      exact: (1000 * this.#exact.value) / this.answers.exact,
    }
  }

  look(code: Float64Array): void {
    if (this.#learned.count === 0) this.#askLearned(code, WARM_UP * this.answers.learned)
    const began = performance.now()
    this.#askLearned(code, this.answers.learned)
    const asked = performance.now()
    for (let n = 0; n < this.answers.exact; n++) this.exact.touches(code)
    this.#learned.add(asked - began)
    this.#exact.add(performance.now() - asked)
  }

  #askLearned(code: Float64Array, times: number): void {
    for (let n = 0; n < times; n++) this.field.query(code, 1, this.#distance, this.#gradient)
  }
}
