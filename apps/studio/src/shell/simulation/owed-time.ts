/** Time that has passed on the screen and was not simulated yet, in whole steps. */

/** Most steps in one frame: a slower machine shows slow motion instead of falling behind ever further. */
const MOST_STEPS = 3
/** Screens of 59.9 frames a second shall not skip a step now and then. */
const SLACK = 0.1

export class OwedTime {
  #owed = 0
  #last: number | undefined

  /** @param step [s] */
  constructor(private readonly step: number) {}

  /** @param now [ms] @returns since the last call [s]; one step for the first */
  elapsed(now: number): number {
    const seconds = this.#last === undefined ? this.step : (now - this.#last) / 1000
    this.#last = now
    return seconds
  }

  add(seconds: number): void {
    this.#owed = Math.min(this.#owed + seconds, MOST_STEPS * this.step)
  }

  /** Whole steps that are owed; they count as made. */
  take(): number {
    const steps = Math.floor(this.#owed / this.step + SLACK)
    this.#owed = Math.max(0, this.#owed - steps * this.step)
    return steps
  }
}
