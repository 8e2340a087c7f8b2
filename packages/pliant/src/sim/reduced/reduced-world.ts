/**
 * Reduced bodies that fall, bend, meet obstacles, each other and themselves (Cai et al., section 5.2). A substep:
 *
 * 1. Rows: what the step may not do, as one list, from where the bodies are and where they would go unhindered; a few of
 *    all contacts to begin with, and those that turn out to be missing once 2 and 3 are solved, which are then done again.
 * 2. Impact, if a row is violated by the velocities as they are: impulses within an instant make J u >= bound.
 * 3. Motion by the implicit midpoint, with impulses such that the mean velocity w = (u + u')/2, by which everything moves,
 *    keeps J w >= bound; friction and pulls act on u'.
 *
 * The paper asks J u' >= 0 alone. With a trapezoid that lets what falls go on by h u/2 into the ground, and resting
 * stiff modes on w alone lets their rate swing by h k q / 2m from step to step. In two parts both are right: the first only
 * takes energy, and the second does the work lambda . bound, so as long as nothing is pushed out (bound <= 0)
 * contacts never add energy, whatever the step. At rest there is nothing to do in the first part.
 */
import type { Floats } from '../../math/floats.js'
import { requireDuration, requireIndices, shown } from '../../math/require.js'
import type { Obstacle } from '../obstacle.js'
import { BodyStep } from './body-step.js'
import { AT_LEAST, ConstraintRows, SOFT } from './constraint-rows.js'
import { ContactRows } from './contact-rows.js'
import { ExactGuard } from './exact-guard.js'
import { GaussSeidel, type InverseMass } from './gauss-seidel.js'
import { NearContacts } from './near-contacts.js'
import { Pull, type PullOptions } from './pull.js'
import { ReducedBody } from './reduced-body.js'
import { type ReducedWorldOptions, type ReducedWorldSettings, reducedWorldSettings } from './reduced-options.js'
import { SelfRows } from './self-rows.js'
import type { StepPlan } from './step-plan.js'
import { WarmStart } from './warm-start.js'

/** Times that a substep is solved at most, as contacts turn out to be missing. */
const ROUNDS = 8

/** What the last `step` did. One object, written again by the next. */
export interface ReducedReport {
  /** Sweeps of the solver over all rows, of all substeps. */
  iterations: number
  /** Largest violation left of what rows demand [m/s, or 1/s of a code], of all substeps. */
  residual: number
  /** Rows of the substep that had most. */
  rows: number
  /** Exact tests asked. */
  exactTests: number
  /** Steps of a body taken back because an exact test said so. */
  takenBack: number
}

/** Reduced bodies that fall, bend, meet obstacles, each other and themselves. */
export class ReducedWorld {
  /** The options with everything filled in. */
  readonly settings: Readonly<ReducedWorldSettings>
  /** What the last `step` did. */
  readonly report: Readonly<ReducedReport>
  /** The last substep's rows, and their impulses in its two parts. @internal */
  readonly rows: ConstraintRows
  /** @internal */
  readonly impacts = new GaussSeidel()
  /** @internal */
  readonly motion = new GaussSeidel()
  readonly #steps: BodyStep[]
  readonly #near: NearContacts
  readonly #contacts: ContactRows
  readonly #self: SelfRows
  readonly #guards: ExactGuard[]
  readonly #warm = new WarmStart()
  readonly #pulls: Pull[] = []
  readonly #report: ReducedReport = { iterations: 0, residual: 0, rows: 0, exactTests: 0, takenBack: 0 }
  readonly #solved = { iterations: 0, residual: 0 }
  readonly #guarded = { tests: 0, takenBack: false }
  readonly #plan: StepPlan
  /** Velocities after impacts, at the end, and the mean of both. */
  readonly #before: Float64Array
  readonly #after: Float64Array
  readonly #mean: Float64Array
  readonly #contactImpulses: Float64Array
  /** Of each body: its code when the substep began, and the field's gradient where it ended. */
  readonly #codes: Float64Array[]
  readonly #gradients: Float64Array[]
  readonly #distance = new Float64Array(1)
  #obstacles: readonly Obstacle[] = []
  #firstPull = 0

  /**
   * @param bodies   that meet each other as far as they have shapes
   * @throws RangeError if one is no reduced body, or an option does not exist or is out of its range
   */
  constructor(
    readonly bodies: readonly ReducedBody[],
    options: ReducedWorldOptions = {},
  ) {
    this.settings = reducedWorldSettings(options)
    const layout = new Uint32Array(bodies.length + 1)
    for (const [b, body] of bodies.entries()) {
      if (!(body instanceof ReducedBody)) {
        throw new RangeError(`reduced world: body ${b} is ${shown(body)}; pass reduced bodies.`)
      }
      layout[b + 1] = layout[b] + 6 + body.codeSize
    }
    const total = layout[bodies.length]
    this.report = this.#report
    this.rows = new ConstraintRows(layout)
    this.#steps = bodies.map((body, b) => new BodyStep(body, layout[b]))
    this.#near = new NearContacts(layout, this.#steps, this.settings)
    this.#contacts = new ContactRows(this.rows, this.#near, this.#steps, this.settings)
    this.#self = new SelfRows(this.rows, this.#steps, this.settings)
    this.#guards = bodies.map((body) => new ExactGuard(body))
    this.#plan = { h: 0, remaining: 0, now: new Float64Array(total), free: new Float64Array(total) }
    this.#before = new Float64Array(total)
    this.#after = new Float64Array(total)
    this.#mean = new Float64Array(total)
    this.#contactImpulses = new Float64Array(3 * bodies.length)
    this.#codes = bodies.map((body) => body.code.slice())
    this.#gradients = bodies.map((body) => body.code.slice())
    this.setObstacles(this.settings.obstacles)
  }

  /** What bodies meet from the next step on. @throws RangeError naming the first that has no field */
  setObstacles(obstacles: readonly Obstacle[]): void {
    for (const [o, obstacle] of obstacles.entries()) {
      if (typeof obstacle?.field?.query === 'function') continue
      throw new RangeError(
        `reduced world: obstacle ${o} is ${shown(obstacle)}; give { field }, a signed field in the world.`,
      )
    }
    this.#obstacles = obstacles
  }

  /** Pulls a vertex from the next step on, at first to where it is; write the pull's `target` to move it. */
  pull(body: ReducedBody, vertex: number, options: PullOptions = {}): Pull {
    if (!this.bodies.includes(body)) throw new RangeError('pull: the body is not in this world; pass one that is.')
    const pull = new Pull(body, vertex, options)
    this.#pulls.push(pull)
    return pull
  }

  /** Ends a pull. */
  release(pull: Pull): void {
    const at = this.#pulls.indexOf(pull)
    if (at >= 0) this.#pulls.splice(at, 1)
  }

  /** Forgets the last step: after a body's state was written anew, so that a run does not depend on the one before it. */
  forget(): void {
    this.#warm.forget()
  }

  /**
   * Simulates one frame.
   * @param frame  its duration [s]; nothing happens for 0 or less, and no more than `maxFrame` is simulated
   * @returns      what it did, the world's own `report`
   * @throws RangeError if the duration is not a number, or naming what of a body's state is not finite; nothing has moved
   *   then
   */
  step(frame: number): Readonly<ReducedReport> {
    requireDuration('reduced world', frame)
    const { settings } = this
    const report = this.#report
    report.iterations = report.residual = report.rows = report.exactTests = report.takenBack = 0
    this.#contactImpulses.fill(0)
    const duration = Math.min(frame, settings.maxFrame)
    if (!(duration > 0)) return report
    for (const body of this.bodies) body.requireFiniteState()
    // A hair less, so that a frame of 1/60 s is one substep of 1/60 s in spite of rounding.
    const substeps = Math.max(1, Math.ceil(duration / settings.substep - 1e-9))
    const h = duration / substeps
    for (let s = 0; s < substeps; s++) this.#substep(h, (substeps - s) * h)
    return report
  }

  /**
   * Sum of the impulses [N s] that contacts with obstacles and other bodies gave a body over the last `step`.
   * @param body  its number
   */
  contactImpulse(body: number, out: Floats): void {
    requireIndices('reduced world', [body], 'body', this.bodies.length)
    for (let axis = 0; axis < 3; axis++) out[axis] = this.#contactImpulses[3 * body + axis]
  }

  #substep(h: number, remaining: number): void {
    const { settings, rows } = this
    const plan = this.#plan
    const [before, after, report] = [this.#before, this.#after, this.#report]
    plan.h = h
    plan.remaining = remaining
    for (const step of this.#steps) {
      step.begin(plan.now)
      step.free(h, settings.gravity, plan.now, plan.free)
    }
    const source = this.#near.find(this.#obstacles, plan)
    this.#contacts.choose(this.#warm)
    for (let b = 0; b < this.bodies.length; b++) this.#self.begin(b, plan)
    this.#solve(source)
    report.rows = Math.max(report.rows, rows.count)
    for (let b = 0; b < this.#steps.length; b++) {
      this.#codes[b].set(this.bodies[b].code)
      this.#steps[b].advance(h, plan.now, before, after)
      this.#guard(b)
    }
    this.#carryOn(h)
  }

  /** Solves with the contacts that were chosen, and again with those that turn out to be missing. */
  #solve(source: number): void {
    const { rows, settings } = this
    const plan = this.#plan
    const [before, after, mean, report] = [this.#before, this.#after, this.#mean, this.#report]
    let residual = 0
    for (let round = 1; ; round++) {
      this.#addRows(source)
      before.set(plan.now)
      residual = 0
      if (rows.count > 0) {
        residual = this.#hit()
        for (const step of this.#steps) step.free(plan.h, settings.gravity, before, after)
        residual = Math.max(residual, this.#move())
      } else after.set(plan.free)
      for (let i = 0; i < mean.length; i++) mean[i] = (before[i] + after[i]) / 2
      if (round >= ROUNDS || !this.#findMissing(residual, round)) break
    }
    report.residual = Math.max(report.residual, residual, this.#contacts.missedBy(mean))
    if (rows.count === 0) {
      this.#warm.forget()
      return
    }
    this.#count(this.impacts)
    this.#count(this.motion)
  }

  /**
   * Over the step the vertex of a contact goes on with its own body, so what it gives the other acts half a step's way
   * farther on. Without that, bodies that slide along each other would change the angular momentum of the pair.
   */
  #carryOn(h: number): void {
    const { rows } = this
    const { impulses } = this.motion
    const mean = this.#mean
    for (let row = 0; row < rows.count; row++) {
      const b = rows.bodiesB[row]
      if (b < 0 || impulses[row] === 0) continue
      const [from, to] = [rows.layout[rows.bodiesA[row]], rows.layout[b]]
      const start = rows.startB(row)
      const factor = (h / 2) * impulses[row]
      const x = factor * (mean[from] - mean[to])
      const y = factor * (mean[from + 1] - mean[to + 1])
      const z = factor * (mean[from + 2] - mean[to + 2])
      const [nx, ny, nz] = [rows.values[start], rows.values[start + 1], rows.values[start + 2]]
      const { angularMomentum } = this.bodies[b]
      angularMomentum[0] += y * nz - z * ny
      angularMomentum[1] += z * nx - x * nz
      angularMomentum[2] += x * ny - y * nx
    }
  }

  /** Contacts without a row that would go in, and codes that would cross the boundary. @returns whether there are any */
  #findMissing(residual: number, round: number): boolean {
    let some = this.#contacts.chooseMissed(this.#mean, Math.max(this.settings.tolerance, residual), round)
    for (let b = 0; b < this.bodies.length; b++) some = this.#self.addCrossing(b, this.#mean, this.#plan) || some
    return some
  }

  /** Contacts with obstacles and other bodies, bodies against themselves, pulls; in this order, as the keys tell. */
  #addRows(source: number): void {
    const { rows, bodies } = this
    const plan = this.#plan
    let next = source
    rows.clear()
    this.#contacts.add(plan)
    for (let b = 0; b < bodies.length; b++) this.#self.add(b, next++, plan)
    this.#firstPull = rows.count
    for (const pull of this.#pulls) {
      const b = bodies.indexOf(pull.body)
      pull.addRows(rows, b, this.#steps[b], next++, plan.h)
    }
  }

  /** What the velocities as they are violate is ended in an instant. Pulls take time. @returns the residual */
  #hit(): number {
    const { rows, impacts, settings } = this
    const before = this.#before
    const all = rows.count
    rows.count = this.#firstPull
    let violated = false
    for (let row = 0; row < rows.count && !violated; row++) {
      violated = rows.kinds[row] === AT_LEAST && rows.speed(row, before) < rows.bounds[row] - settings.tolerance
    }
    if (violated) {
      const bounds = settings.restitution > 0 ? rows.bounds.slice(0, rows.count) : undefined
      if (bounds) this.#bounce()
      impacts.prepare(rows, this.#instantMass)
      impacts.solve(rows, before, settings.iterations, settings.tolerance, this.#solved)
      this.#report.iterations += this.#solved.iterations
      if (bounds) rows.bounds.set(bounds)
    } else impacts.impulses.fill(0)
    rows.count = all
    return violated ? this.#solved.residual : 0
  }

  /** What is hit is to bounce off. */
  #bounce(): void {
    const { rows, settings } = this
    for (let row = 0; row < rows.count; row++) {
      const isHit =
        rows.kinds[row] === AT_LEAST && rows.speed(row, this.#before) < rows.bounds[row] - settings.tolerance
      if (isHit) rows.bounds[row] = Math.max(rows.bounds[row], rows.rebounds[row])
    }
  }

  /** Impulses over the step, from where impacts left it. @returns the residual */
  #move(): number {
    const { rows, motion, settings } = this
    const [before, after] = [this.#before, this.#after]
    motion.prepare(rows, this.#stepMass)
    if (settings.warmStart) {
      this.#warm.begin(rows, motion.impulses, this.#plan.h)
      motion.applyImpulses(rows, after)
    }
    for (let row = 0; row < rows.count; row++) {
      // The mean velocity keeps the bound, where the first part did.
      if (rows.kinds[row] === AT_LEAST) {
        rows.bounds[row] = 2 * rows.bounds[row] - Math.max(rows.bounds[row], rows.speed(row, before))
      }
    }
    motion.solve(rows, after, settings.iterations, settings.tolerance, this.#solved)
    this.#warm.keep(rows, motion.impulses, this.#plan.h)
    this.#report.iterations += this.#solved.iterations
    return this.#solved.residual
  }

  #count({ impulses }: GaussSeidel): void {
    const { rows } = this
    for (let row = 0; row < rows.count; row++) {
      if (rows.kinds[row] === SOFT || !impulses[row]) continue
      this.#addImpulse(rows.bodiesA[row], rows.starts[row], impulses[row])
      if (rows.bodiesB[row] >= 0) this.#addImpulse(rows.bodiesB[row], rows.startB(row), impulses[row])
    }
  }

  #addImpulse(b: number, start: number, impulse: number): void {
    for (let axis = 0; axis < 3; axis++) {
      this.#contactImpulses[3 * b + axis] += impulse * this.rows.values[start + axis]
    }
  }

  /** Asks the exact test, if there is one. */
  #guard(b: number): void {
    const { body } = this.#steps[b]
    const { exact, field } = body.selfContact
    if (!exact) return
    const gradient = this.#gradients[b]
    if (field) field.query(body.code, 1, this.#distance, gradient)
    const way = field ? gradient : undefined
    this.#guards[b].check(exact, this.#codes[b], way, this.settings.guardTests, this.#guarded)
    this.#report.exactTests += this.#guarded.tests
    if (this.#guarded.takenBack) this.#report.takenBack++
  }

  readonly #instantMass: InverseMass = {
    apply: (b, from, fromAt, out, outAt) => this.#steps[b].apply(true, from, fromAt, out, outAt),
  }
  readonly #stepMass: InverseMass = {
    apply: (b, from, fromAt, out, outAt) => this.#steps[b].apply(false, from, fromAt, out, outAt),
  }
}
