/**
 * Rows that keep a body from running into itself, on its code alone (Cai et al., Eq. 23: 0, 0, grad f).
 *
 * 'speculative', ours: f + h grad f . w >= margin, so a code stops at the margin instead of being caught behind it. Where
 * the code would go unhindered and f is below the margin there, a second row is laid from there: on a curved boundary
 * the first alone lets a code slide out along its tangent. A code below the margin comes back at a bounded rate. The
 * field was trained in a box; outside it says nothing, so each end of the box is a row, too: lower <= q + h w <= upper.
 *
 * 'paper': grad f . w >= 0, only while f is negative (Eq. 22): it keeps a code from going deeper, and no box.
 */
import { requireNumbers } from '../../math/require.js'
import type { BodyStep } from './body-step.js'
import { AT_LEAST, type ConstraintRows } from './constraint-rows.js'
import { boundOf, SOURCE, type StepPlan } from './contact-rows.js'
import type { ReducedWorldSettings } from './reduced-options.js'
import type { SelfContact } from './self-contact.js'

/** Rows are laid this far [unit of the code] ahead of what the code itself would reach: other rows may push it. */
const NEAR = 0.05

export class SelfRows {
  /** The code, and where it would go: two codes, two distances, two gradients. */
  private codes = new Float64Array(0)
  private gradients = new Float64Array(0)
  private readonly distances = new Float64Array(2)

  constructor(
    private readonly rows: ConstraintRows,
    private readonly steps: readonly BodyStep[],
    private readonly settings: ReducedWorldSettings,
  ) {}

  /** @throws RangeError if the box or the field is of another number of modes */
  add(b: number, source: number, plan: StepPlan): void {
    const { body } = this.steps[b]
    const { field, box } = body.selfContact
    const isPaper = this.settings.selfResponse === 'paper'
    requireSelfContact(body.selfContact, body.codeSize)
    if (field) {
      this.predict(b, plan)
      const count = isPaper ? 1 : 2
      field.query(this.codes, count, this.distances, this.gradients)
      if (isPaper) this.addPaperRow(b, source)
      else for (let k = 0; k < count; k++) this.addRow(b, k, source, plan)
    }
    if (box && !isPaper) this.addBox(b, box, source, plan)
  }

  private addPaperRow(b: number, source: number): void {
    if (!(this.distances[0] < 0)) return
    this.writeRow(b, 0, source)
  }

  private addRow(b: number, k: number, source: number, { h, now, free }: StepPlan): void {
    const { rows, settings, codes, gradients } = this
    const { body } = this.steps[b]
    const r = body.codeSize
    let gap = this.distances[k] - settings.selfMargin
    if (k === 1 && !(gap < 0)) return
    const row = this.writeRow(b, k, source)
    if (row < 0) return
    let length = 0
    for (let i = 0; i < r; i++) {
      const slope = gradients[r * k + i]
      length += slope * slope
      // As seen from the code.
      gap -= slope * (codes[r * k + i] - codes[i])
    }
    length = Math.sqrt(length)
    const nearing = Math.min(0, rows.speed(row, now), rows.speed(row, free))
    if (k === 0 && gap + h * nearing > NEAR * length) rows.dropFrom(row)
    else rows.bounds[row] = boundOf(gap, h, settings.selfPushOut * length)
  }

  /** @returns the row, or -1 where the field says nothing */
  private writeRow(b: number, k: number, source: number): number {
    const { rows, gradients } = this
    const r = this.steps[b].body.codeSize
    let length = 0
    for (let i = 0; i < r; i++) length += gradients[r * k + i] ** 2
    if (!(length > 0 && length < Infinity && Number.isFinite(this.distances[k]))) return -1
    const row = rows.add(AT_LEAST, source * SOURCE + k, b)
    for (let i = 0; i < r; i++) rows.values[rows.starts[row] + 6 + i] = gradients[r * k + i]
    return row
  }

  private addBox(b: number, box: NonNullable<SelfContact['box']>, source: number, { h, now, free }: StepPlan): void {
    const { rows, settings } = this
    const { body } = this.steps[b]
    for (let i = 0; i < body.codeSize; i++) {
      for (let end = 0; end < 2; end++) {
        const sign = end === 0 ? 1 : -1
        const gap = sign * (body.code[i] - (end === 0 ? box.lower[i] : box.upper[i]))
        const row = rows.add(AT_LEAST, source * SOURCE + 2 + 2 * i + end, b)
        rows.values[rows.starts[row] + 6 + i] = sign
        const nearing = Math.min(0, rows.speed(row, now), rows.speed(row, free))
        if (gap + h * nearing > NEAR) rows.dropFrom(row)
        else rows.bounds[row] = boundOf(gap, h, settings.selfPushOut)
      }
    }
  }

  /** Writes the code, and where it goes unhindered, within its box. */
  private predict(b: number, { h, now, free }: StepPlan): void {
    const { body, at } = this.steps[b]
    const r = body.codeSize
    if (this.codes.length < 2 * r) {
      this.codes = new Float64Array(2 * r)
      this.gradients = new Float64Array(2 * r)
    }
    const { box } = body.selfContact
    for (let i = 0; i < r; i++) {
      this.codes[i] = body.code[i]
      const next = body.code[i] + (h / 2) * (now[at + 6 + i] + free[at + 6 + i])
      this.codes[r + i] = box ? Math.min(Math.max(next, box.lower[i]), box.upper[i]) : next
    }
  }
}

function requireSelfContact({ field, box }: SelfContact, codeSize: number): void {
  if (field && field.codeSize !== codeSize) {
    throw new RangeError(
      `reduced world: a self-contact field of ${field.codeSize} code values for ${codeSize} modes; pass one of this body.`,
    )
  }
  if (!box) return
  requireNumbers('reduced world', box.lower, 'lower end of the code', codeSize)
  requireNumbers('reduced world', box.upper, 'upper end of the code', codeSize)
}
