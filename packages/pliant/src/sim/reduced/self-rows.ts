/**
 * Rows that keep a body from running into itself, on its code alone (Cai et al., Eq. 23: 0, 0, grad f).
 *
 * 'speculative', ours: f + h grad f . w >= margin, so a code stops at the margin instead of being caught behind it. Where
 * the code would go unhindered and f is below the margin there, a second row is laid from there: on a curved boundary
 * the first alone lets a code slide out along its tangent. And where the solved step still leads over the boundary (a hard
 * pull moves codes by half their box in a step), a row is laid from where it crosses it, and the step is solved again.
 * A code below the margin comes back at a bounded rate. The field was trained in a box; outside it says nothing, so
 * each end of the box is a row, too: lower <= q + h w <= upper.
 *
 * 'paper': grad f . w >= 0, only while f is negative (Eq. 22): it keeps a code from going deeper, and no box.
 */
import { requireNumbers } from '../../math/require.js'
import type { BodyStep } from './body-step.js'
import { AT_LEAST, type ConstraintRows } from './constraint-rows.js'
import type { ReducedWorldSettings } from './reduced-options.js'
import type { SelfContact } from './self-contact.js'
import { boundOf, SOURCE, type StepPlan } from './step-plan.js'

/** Rows are laid this far [unit of the code] ahead of what the code itself would reach: other rows may push it. */
const NEAR = 0.05
/** Places from which rows are laid: the code, where it would go, and crossings. */
const PLACES = 12
/** Codes along a step's way that are asked whether it crosses the boundary. */
const WAY = 8
/** How far [unit of the code] below the margin is well enough. */
const SLACK = 1e-3

/** Where rows of one body are laid from in this substep. */
interface Places {
  count: number
  codes: Float64Array
  distances: Float64Array
  gradients: Float64Array
}

export class SelfRows {
  private readonly places: Places[]
  /** Codes along a step's way, and their distances. */
  private readonly way: Float64Array
  private readonly wayDistances = new Float64Array(WAY)

  constructor(
    private readonly rows: ConstraintRows,
    private readonly steps: readonly BodyStep[],
    private readonly settings: ReducedWorldSettings,
  ) {
    this.places = steps.map(({ body: { codeSize } }) => ({
      count: 0,
      codes: new Float64Array(PLACES * codeSize),
      distances: new Float64Array(PLACES),
      gradients: new Float64Array(PLACES * codeSize),
    }))
    this.way = new Float64Array(WAY * Math.max(0, ...steps.map(({ body }) => body.codeSize)))
  }

  /**
   * Asks a body's field where it is, and where it would go.
   * @throws RangeError if the box or the field is of another number of modes
   */
  begin(b: number, plan: StepPlan): void {
    const { body } = this.steps[b]
    const { field } = body.selfContact
    const places = this.places[b]
    requireSelfContact(body.selfContact, body.codeSize)
    places.count = 0
    if (!field) return
    this.predict(b, plan)
    places.count = this.settings.selfResponse === 'paper' ? 1 : 2
    field.query(places.codes, places.count, places.distances, places.gradients)
  }

  /** Adds the rows of a body. */
  add(b: number, source: number, plan: StepPlan): void {
    const { box } = this.steps[b].body.selfContact
    const places = this.places[b]
    if (this.settings.selfResponse === 'paper') {
      if (places.count > 0 && places.distances[0] < 0) this.writeRow(b, 0, source)
      return
    }
    for (let k = 0; k < places.count; k++) this.addRow(b, k, source, plan)
    if (box) this.addBox(b, box, source, plan)
  }

  /**
   * Lays one more row, from where a solved step leads over the boundary, if it does.
   * @param mean  velocities of the step
   * @returns whether it does
   */
  addCrossing(b: number, mean: Float64Array, { h }: StepPlan): boolean {
    const { at, body } = this.steps[b]
    const { field } = body.selfContact
    const places = this.places[b]
    if (!field || this.settings.selfResponse === 'paper' || places.count === PLACES) return false
    const { way, wayDistances } = this
    const { code, codeSize: r } = body
    for (let n = 0; n < WAY; n++) {
      for (let i = 0; i < r; i++) way[r * n + i] = code[i] + (((n + 1) * h) / WAY) * mean[at + 6 + i]
    }
    field.query(way, WAY, wayDistances)
    // From a code that is below already, a step may not go deeper.
    const least = Math.min(this.settings.selfMargin, places.distances[0]) - SLACK
    const over = wayDistances.findIndex((distance) => distance < least)
    if (over < 0) return false
    const before = over === 0 ? places.distances[0] : wayDistances[over - 1]
    const share = (over + (before - least) / (before - wayDistances[over])) / WAY
    const from = places.count * r
    for (let i = 0; i < r; i++) places.codes[from + i] = code[i] + share * h * mean[at + 6 + i]
    field.query(
      places.codes.subarray(from),
      1,
      places.distances.subarray(places.count),
      places.gradients.subarray(from),
    )
    places.count++
    return true
  }

  private addRow(b: number, k: number, source: number, { h, now, free }: StepPlan): void {
    const { rows, settings } = this
    const { codes, distances, gradients } = this.places[b]
    const r = this.steps[b].body.codeSize
    let gap = distances[k] - settings.selfMargin
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
    const { rows } = this
    const { distances, gradients } = this.places[b]
    const r = this.steps[b].body.codeSize
    let length = 0
    for (let i = 0; i < r; i++) length += gradients[r * k + i] ** 2
    if (!(length > 0 && length < Infinity && Number.isFinite(distances[k]))) return -1
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
        const row = rows.add(AT_LEAST, source * SOURCE + PLACES + 2 * i + end, b)
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
    const { codes } = this.places[b]
    const r = body.codeSize
    const { box } = body.selfContact
    for (let i = 0; i < r; i++) {
      codes[i] = body.code[i]
      const next = body.code[i] + (h / 2) * (now[at + 6 + i] + free[at + 6 + i])
      codes[r + i] = box ? Math.min(Math.max(next, box.lower[i]), box.upper[i]) : next
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
