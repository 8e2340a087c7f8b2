/**
 * Takes a step back that the field allowed and an exact test does not: along the way of the code to the last place that is
 * free, by bisection, and what goes on into the contact is taken out of its rate. The learned field then only has to be
 * nearly right, as the exact test is asked once a step and a few times where it says no.
 */
import type { ExactTest } from '../../field/configuration-field.js'
import type { ReducedBody } from './reduced-body.js'

export interface GuardReport {
  /** Exact tests asked. */
  tests: number
  /** Whether the step was taken back. */
  takenBack: boolean
}

export class ExactGuard {
  private readonly after: Float64Array
  private readonly way: Float64Array

  constructor(private readonly body: ReducedBody) {
    this.after = new Float64Array(body.codeSize)
    this.way = new Float64Array(body.codeSize)
  }

  /**
   * @param before    the code when the step began; if it touches itself, the step stands, as there is nothing to go back to
   * @param gradient  of the field where the step ended: a way out, if it is against the code's way; else that way is taken
   * @param most      tests after the first
   */
  check(
    exact: ExactTest,
    before: Float64Array,
    gradient: Float64Array | undefined,
    most: number,
    report: GuardReport,
  ): void {
    const { after, way, body } = this
    const { code } = body
    report.tests = 1
    report.takenBack = false
    if (!exact.touches(code)) return
    after.set(code)
    report.tests++
    code.set(before)
    if (exact.touches(code)) {
      code.set(after)
      return
    }
    let [free, touching] = [0, 1]
    while (report.tests <= most) {
      const middle = (free + touching) / 2
      for (let k = 0; k < code.length; k++) code[k] = before[k] + middle * (after[k] - before[k])
      report.tests++
      if (exact.touches(code)) touching = middle
      else free = middle
    }
    for (let k = 0; k < code.length; k++) {
      way[k] = after[k] - before[k]
      code[k] = before[k] + free * way[k]
    }
    report.takenBack = true
    this.stop(gradient)
  }

  /** Takes the part of the rate that goes on into the contact, as an impulse there would: by the modal masses. */
  private stop(gradient: Float64Array | undefined): void {
    const { way, body } = this
    const { codeVelocity: u, modalMasses: m } = body
    let against = 0
    for (let k = 0; k < way.length; k++) against += gradient ? gradient[k] * way[k] : 0
    let [speed, response] = [0, 0]
    for (let k = 0; k < way.length; k++) {
      if (gradient && against < 0) way[k] = -gradient[k]
      speed += way[k] * u[k]
      response += (way[k] * way[k]) / m[k]
    }
    if (!(speed > 0 && response > 0)) return
    for (let k = 0; k < way.length; k++) u[k] -= ((speed / response) * way[k]) / m[k]
  }
}
