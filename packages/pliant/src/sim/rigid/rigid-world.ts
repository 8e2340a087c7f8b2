/**
 * Rigid bodies that fall, stack and slide, by contacts between their fields: what judges these contacts, and is judged by
 * them. A step finds contacts once, also those that are about to happen, and solves them in small substeps (Macklin et al.
 * 2019, "Small Steps"): velocities, soft rows, positions, then velocities again by hard rows (contact-point.ts), so that
 * energy is only ever taken, but by what pushes overlaps apart.
 */
import { BroadPhase } from '../../detect/fields/broad-phase.js'
import { SolidPair } from '../../detect/fields/collide.js'
import { type Box, boxExpand } from '../../math/box.js'
import { requireDuration, shown } from '../../math/require.js'
import { BodyPair, type PairFactory } from './body-pair.js'
import { type Softness, softness } from './contact-point.js'
import { LiftWork } from './lift-work.js'
import { RigidBody, type RigidBodyOptions } from './rigid-body.js'
import { type RigidWorldOptions, type RigidWorldSettings, rigidWorldSettings } from './rigid-options.js'
import { RigidPull, type RigidPullOptions } from './rigid-pull.js'

/** Of the soft rows: frequency at most [Hz], also a share of how often there are substeps, and damping ratio (Catto 2024). */
const FREQUENCY = 60
const FREQUENCY_SHARE = 0.25
const DAMPING = 5

/** How a world is put together, beside its options. */
export interface RigidWorldParts {
  /** What finds the contacts of two solids; `SolidPair` if not given. */
  contactsOf?: PairFactory
  /** Coulomb coefficient of two bodies, in place of the geometric mean of theirs. */
  frictionOf?: (a: RigidBody, b: RigidBody) => number
  /** What finds bodies whose boxes overlap, for whoever watches it or has a better one. */
  broadPhase?: BroadPhase
}

/** Mechanical energy [J]. */
export interface RigidEnergy {
  /** Of all velocities and spins. */
  kinetic: number
  /** In the field of gravity, of the centres of mass over the origin. */
  potential: number
  /** Both together. */
  total: number
}

/** Rigid bodies that fall, stack and slide. */
export class RigidWorld {
  /** The options with everything filled in. */
  readonly settings: Readonly<RigidWorldSettings>
  /** In the order in which they were added. */
  readonly bodies: readonly RigidBody[] = []
  readonly #broad: BroadPhase
  readonly #lift = new LiftWork()
  readonly #pulls: RigidPull[] = []
  readonly #contactsOf: PairFactory
  readonly #frictionOf: (a: RigidBody, b: RigidBody) => number
  /** Those whose boxes overlapped in the last step. */
  #pairs: BodyPair[] = []

  /** @throws RangeError if an option is wrong */
  constructor(options: RigidWorldOptions = {}, parts: RigidWorldParts = {}) {
    this.settings = rigidWorldSettings(options)
    const { maxContacts } = this.settings
    this.#contactsOf = parts.contactsOf ?? ((a, b) => new SolidPair(a, b, { maxContacts }))
    this.#broad = parts.broadPhase ?? new BroadPhase()
    this.#frictionOf = parts.frictionOf ?? ((a, b) => Math.sqrt(a.friction * b.friction))
  }

  /**
   * Puts a body into the world.
   * @throws RangeError if a value is wrong, or a body that is not fixed cannot be weighed
   */
  add(options: RigidBodyOptions): RigidBody {
    const body = new RigidBody(options)
    ;(this.bodies as RigidBody[]).push(body)
    return body
  }

  /**
   * Takes a body out of the world.
   * @throws RangeError if it is not in the world
   */
  remove(body: RigidBody): void {
    const at = this.bodies.indexOf(body)
    if (at < 0) throw new RangeError('rigid world: the body is not in this world; remove one that was added.')
    ;(this.bodies as RigidBody[]).splice(at, 1)
    for (const pull of this.#pulls.filter((each) => each.body === body)) this.release(pull)
    // Pairs go by the numbers of bodies, which are others now.
    this.forget()
  }

  /**
   * Pulls a point of a body from the next step on, at first to where it is; write the pull's `target` to move it.
   * @param point  in the frame of the body's solid [m]
   * @throws RangeError if the body is not in the world, or a value is wrong
   */
  pull(body: RigidBody, point: ArrayLike<number>, options: RigidPullOptions = {}): RigidPull {
    if (!this.bodies.includes(body)) {
      throw new RangeError('rigid world: the body to pull is not in this world; pull one that was added.')
    }
    const pull = new RigidPull(body, point, options)
    this.#pulls.push(pull)
    return pull
  }

  /** Ends a pull. */
  release(pull: RigidPull): void {
    const at = this.#pulls.indexOf(pull)
    if (at >= 0) this.#pulls.splice(at, 1)
  }

  /** Forgets contacts, and with them what they pushed: for bodies that are put elsewhere. */
  forget(): void {
    this.#pairs = []
  }

  /** Pairs of bodies with contacts, of the last step. */
  get contacts(): readonly BodyPair[] {
    return this.#pairs.filter(({ points }) => points.length > 0)
  }

  /** Energy so far that pushing bodies apart would have given them, had it not been taken from how they move [J]. */
  get takenBack(): number {
    return this.#lift.taken
  }

  /** Goes on by `dt` [s]. @throws RangeError if that is no positive number, or a body's motion is not finite */
  step(dt: number): void {
    requireDuration('rigid world', dt)
    if (!(dt > 0 && dt < Infinity))
      throw new RangeError(`rigid world: a step of ${shown(dt)} s; give a positive number.`)
    this.#requireMotion()
    const { substeps } = this.settings
    this.#findPairs(dt)
    for (let left = substeps; left > 0; left--) this.#substep(left, dt / substeps)
  }

  /** Mechanical energy of all bodies that are not fixed. */
  energy(): RigidEnergy {
    let [kinetic, potential] = [0, 0]
    for (const body of this.bodies) {
      if (body.isFixed) continue
      kinetic += body.kineticEnergy()
      for (let k = 0; k < 3; k++) potential -= body.mass * this.settings.gravity[k] * body.position[k]
    }
    return { kinetic, potential, total: kinetic + potential }
  }

  /** Pairs whose boxes come to overlap in the step, if nothing stops them. */
  #findPairs(dt: number): void {
    const boxes = this.bodies.map((body): Box => {
      const near = body.solid.size < Infinity ? this.settings.gap * body.solid.size : 0
      return boxExpand(body.worldBox(), near + this.#reachOf(body, dt))
    })
    const found: [number, number][] = []
    this.#broad.forPairs(boxes, (i, j) => {
      if (!(this.bodies[i].isFixed && this.bodies[j].isFixed)) found.push([i, j])
    })
    // In an order that does not change as bodies move, as what sweeps leave over goes by it.
    found.sort((x, y) => x[0] - y[0] || x[1] - y[1])
    const before = new Map(this.#pairs.map((pair) => [pair.key, pair]))
    this.#pairs = found.map(([i, j]) => {
      const [a, b, key] = [this.bodies[i], this.bodies[j], `${i},${j}`]
      const pair = before.get(key) ?? new BodyPair(key, a, b, this.#contactsOf(a.solid, b.solid))
      pair.friction = this.#frictionOf(a, b)
      pair.restitution = Math.max(a.restitution, b.restitution)
      pair.substepsLeft = 0
      return pair
    })
  }

  /**
   * Contacts of a pair for the next substeps: for all of them where bodies hardly move, and for as few as it takes where
   * they would go further than the gap, as other places meet then than those that were nearest.
   */
  #findContacts(pair: BodyPair, left: number, h: number): void {
    const { a, b } = pair
    const near = this.settings.gap * Math.min(a.solid.size, b.solid.size)
    const each = this.#reachOf(a, h) + this.#reachOf(b, h)
    pair.substepsLeft = Math.max(1, Math.min(left, Math.floor(near / each)))
    const seconds = pair.substepsLeft * h
    const reach = this.#reachOf(a, seconds) + this.#reachOf(b, seconds)
    pair.update(seconds * Math.min(1, near / reach), near + reach)
  }

  /** How far a body's points can go in some time, if nothing stops it [m]. */
  #reachOf({ velocity, angularVelocity, radius, isFixed }: RigidBody, seconds: number): number {
    const [vx, vy, vz] = velocity
    const [gx, gy, gz] = this.settings.gravity
    const speed = Math.hypot(vx, vy, vz) + (isFixed ? 0 : seconds * Math.hypot(gx, gy, gz))
    const turning = Math.hypot(angularVelocity[0], angularVelocity[1], angularVelocity[2])
    // A chord of a circle is no longer than its diameter.
    return seconds * speed + (turning > 0 ? Math.min(seconds * turning * radius, 2 * radius) : 0)
  }

  /** @param left  substeps of the step, this one among them */
  #substep(left: number, h: number): void {
    const { gravity, iterations, pushOut, restitutionSpeed } = this.settings
    for (const pair of this.#pairs) {
      if (pair.substepsLeft === 0) this.#findContacts(pair, left, h)
      pair.substepsLeft--
    }
    const soft = this.#softness(h)
    const points = this.#pairs.flatMap((pair) => pair.points)
    for (const body of this.bodies) {
      if (body.isFixed) continue
      for (let k = 0; k < 3; k++) body.velocity[k] += h * gravity[k]
    }
    for (const pull of this.#pulls) pull.give(h)
    for (const point of points) {
      point.place()
      point.prepare()
      point.begin()
    }
    for (const point of points) point.warmStart()
    for (let i = 0; i < iterations; i++) for (const point of points) point.solveSoftly(soft, h, pushOut)
    this.#lift.begin(this.bodies, gravity)
    for (const body of this.bodies) body.advance(h)
    for (const point of points) {
      point.place()
      point.prepare()
    }
    for (let i = 0; i < iterations; i++) for (const point of points) point.settle(h)
    for (let i = 0; i < iterations; i++) for (const point of points) point.bounce(restitutionSpeed)
    this.#lift.takeBack(this.bodies, this.#pairs, gravity, h)
  }

  #softness(h: number): Softness {
    return softness(Math.min(FREQUENCY, FREQUENCY_SHARE / h), DAMPING, h)
  }

  #requireMotion(): void {
    this.bodies.forEach(({ velocity, angularVelocity, pose }, i) => {
      for (const [what, values] of Object.entries({ velocity, 'angular velocity': angularVelocity, pose })) {
        if (values.every(Number.isFinite)) continue
        throw new RangeError(`rigid world: the ${what} of body ${i} is ${values.join(', ')}; give finite numbers.`)
      }
    })
  }
}
