/**
 * Rows of contacts: a few of those that a step may make, each followed by two rows of friction. Hundreds of vertices of a
 * flat underside press on few degrees of freedom: their rows nearly depend on each other, which is where the solver is
 * slow, and a handful says the same. So of every two surfaces that meet the step begins with those contacts that carried
 * something in the last one and with some that lie far apart; once it is solved, contacts that were left out and would
 * go in are added, and it is solved again (as constraints are generated in linear programs). What is not
 * added keeps its bound without a row.
 */
import type { BodyStep } from './body-step.js'
import { AT_LEAST, type ConstraintRows, FRICTION, FRICTION_SECOND } from './constraint-rows.js'
import type { NearContacts } from './near-contacts.js'
import type { ReducedWorldSettings } from './reduced-options.js'
import type { StepPlan } from './step-plan.js'
import type { WarmStart } from './warm-start.js'

/** Contacts of two surfaces that a step begins with, but for more that carried something in the last. */
const FIRST = 8
/** Contacts of two surfaces that are added after the first round, and twice as many after each of the next. */
const MORE = 4

export class ContactRows {
  /** Which of the near contacts have rows. */
  private isChosen = new Uint8Array(0)
  /** Squared distance of each to the nearest that was chosen. */
  private apart = new Float64Array(0)
  private readonly tangents = new Float64Array(6)

  constructor(
    private readonly rows: ConstraintRows,
    private readonly near: NearContacts,
    private readonly steps: readonly BodyStep[],
    private readonly settings: ReducedWorldSettings,
  ) {}

  /** Chooses the contacts that a step begins with. @param last  impulses of the last step */
  choose(last: WarmStart): void {
    const { near } = this
    if (this.isChosen.length < near.count) {
      this.isChosen = new Uint8Array(2 * near.count)
      this.apart = new Float64Array(2 * near.count)
    }
    this.isChosen.fill(0, 0, near.count)
    for (let g = 0; g + 1 < near.groups.length; g++) this.chooseOf(near.groups[g], near.groups[g + 1], last)
  }

  /** Adds the rows of those that were chosen, in the order of their keys. */
  add({ now }: StepPlan): void {
    for (let i = 0; i < this.near.count; i++) if (this.isChosen[i] === 1) this.addContact(i, now)
  }

  /**
   * Chooses some more, if there are any that go in.
   * @param mean       velocities of the step
   * @param tolerance  violation [m/s] that is left as it is
   * @param round      from 1 on
   * @returns whether there are
   */
  chooseMissed(mean: Float64Array, tolerance: number, round: number): boolean {
    const { near, isChosen, apart } = this
    let some = false
    for (let g = 0; g + 1 < near.groups.length; g++) {
      const [from, to] = [near.groups[g], near.groups[g + 1]]
      let worst = -1
      let most = tolerance
      for (let i = from; i < to; i++) {
        const violation = isChosen[i] === 1 ? 0 : this.violation(i, mean)
        // Those that are well are no nearer than nothing.
        apart[i] = violation > tolerance ? Infinity : -1
        if (violation > most) [most, worst] = [violation, i]
      }
      for (let n = 0; n < MORE * 2 ** (round - 1) && worst >= 0; n++) {
        some = true
        worst = this.take(worst, from, to)
      }
    }
    return some
  }

  /** Largest violation [m/s] of the contacts that have no row. */
  missedBy(mean: Float64Array): number {
    let most = 0
    for (let i = 0; i < this.near.count; i++) {
      if (this.isChosen[i] === 0) most = Math.max(most, this.violation(i, mean))
    }
    return most
  }

  private violation(i: number, mean: Float64Array): number {
    const { rows } = this.near
    return rows.bounds[i] - rows.speed(i, mean)
  }

  private chooseOf(from: number, to: number, last: WarmStart): void {
    const { near, isChosen, apart } = this
    if (to - from <= FIRST) {
      isChosen.fill(1, from, to)
      return
    }
    let next = from
    for (let i = from; i < to; i++) {
      apart[i] = near.ahead[i] < 0 ? Infinity : -1
      if (near.ahead[i] < near.ahead[next]) next = i
    }
    let count = 0
    for (let i = from; i < to; i++) {
      if (!(last.impulseOf(near.rows.keys[i]) > 0)) continue
      next = this.take(i, from, to)
      count++
    }
    for (; count < FIRST && next >= 0; count++) next = this.take(next, from, to)
  }

  /** @returns the one that is farthest from all that were taken, or -1 */
  private take(taken: number, from: number, to: number): number {
    const { near, isChosen, apart } = this
    const { world } = this.steps[near.rows.bodiesA[taken]]
    const at = 3 * near.vertices[taken]
    isChosen[taken] = 1
    let farthest = -1
    let most = 0
    for (let i = from; i < to; i++) {
      const o = 3 * near.vertices[i]
      const squared =
        (world[o] - world[at]) ** 2 + (world[o + 1] - world[at + 1]) ** 2 + (world[o + 2] - world[at + 2]) ** 2
      apart[i] = Math.min(apart[i], squared)
      if (isChosen[i] === 0 && apart[i] > most) [most, farthest] = [apart[i], i]
    }
    return farthest
  }

  private addContact(i: number, now: Float64Array): void {
    const { rows, near, settings, tangents } = this
    const { keys, bodiesA, bodiesB, bounds } = near.rows
    const row = rows.add(AT_LEAST, keys[i], bodiesA[i], bodiesB[i])
    near.fill(rows, row, i, near.normals, 3 * i)
    rows.bounds[row] = bounds[i]
    if (settings.restitution > 0) {
      let surfaceSpeed = 0
      for (let k = 3 * i; k < 3 * i + 3; k++) surfaceSpeed += near.normals[k] * near.surfaces[k]
      rows.rebounds[row] = surfaceSpeed - settings.restitution * (rows.speed(row, now) - surfaceSpeed)
    }
    if (settings.friction === 0) return
    writeTangents(near.normals, 3 * i, tangents)
    for (let k = 0; k < 2; k++) {
      const tangent = rows.add(k === 0 ? FRICTION : FRICTION_SECOND, keys[i] + 1 + k, bodiesA[i], bodiesB[i])
      near.fill(rows, tangent, i, tangents, 3 * k)
      rows.normals[tangent] = row
      rows.limits[tangent] = settings.friction
      for (let axis = 0; axis < 3; axis++) rows.bounds[tangent] += tangents[3 * k + axis] * near.surfaces[3 * i + axis]
    }
  }
}

/** Two unit vectors across the normal, always the same for the same normal. */
function writeTangents(normals: Float64Array, at: number, out: Float64Array): void {
  const axis = Math.abs(normals[at]) < 0.6 ? 0 : Math.abs(normals[at + 1]) < 0.6 ? 1 : 2
  const along = normals[at + axis]
  const length = Math.sqrt(1 - along * along)
  for (let k = 0; k < 3; k++) out[k] = ((k === axis ? 1 : 0) - along * normals[at + k]) / length
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3]
    out[3 + k] = normals[at + i] * out[j] - normals[at + j] * out[i]
  }
}
