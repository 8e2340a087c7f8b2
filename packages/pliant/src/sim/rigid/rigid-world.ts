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
import { RigidBody, type RigidBodyOptions } from './rigid-body.js'
import { type RigidWorldOptions, type RigidWorldSettings, rigidWorldSettings } from './rigid-options.js'

/** Of the soft rows: frequency at most [Hz], also a share of how often there are substeps, and damping ratio (Catto 2024). */
const FREQUENCY = 30
const FREQUENCY_SHARE = 0.25
const DAMPING = 10

/** How a world is put together, beside its options. */
export interface RigidWorldParts {
  /** What finds the contacts of two solids; `SolidPair` if not given. */
  contactsOf?: PairFactory
  /** Coulomb coefficient of two bodies, in place of the geometric mean of theirs. */
  frictionOf?: (a: RigidBody, b: RigidBody) => number
}

/** Mechanical energy [J]. */
export interface RigidEnergy {
  kinetic: number
  /** In the field of gravity, of the centres of mass over the origin. */
  potential: number
  total: number
}

/** Rigid bodies that fall, stack and slide. */
export class RigidWorld {
  /** The options with everything filled in. */
  readonly settings: Readonly<RigidWorldSettings>
  /** In the order in which they were added. */
  readonly bodies: readonly RigidBody[] = []
  readonly #broad = new BroadPhase()
  readonly #pairs = new Map<string, BodyPair>()
  readonly #contactsOf: PairFactory
  readonly #frictionOf: (a: RigidBody, b: RigidBody) => number
  #touching: BodyPair[] = []
  #step = 0

  /** @throws RangeError if an option is wrong */
  constructor(options: RigidWorldOptions = {}, parts: RigidWorldParts = {}) {
    this.settings = rigidWorldSettings(options)
    const { maxContacts } = this.settings
    this.#contactsOf = parts.contactsOf ?? ((a, b) => new SolidPair(a, b, { maxContacts }))
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

  /** @throws RangeError if it is not in the world */
  remove(body: RigidBody): void {
    const at = this.bodies.indexOf(body)
    if (at < 0) throw new RangeError('rigid world: the body is not in this world; remove one that was added.')
    ;(this.bodies as RigidBody[]).splice(at, 1)
    // Pairs go by the numbers of bodies, which are others now.
    this.forget()
  }

  /** Forgets contacts, and with them what they pushed: for bodies that are put elsewhere. */
  forget(): void {
    this.#pairs.clear()
    this.#touching = []
  }

  /** Pairs of bodies with contacts, of the last step. */
  get contacts(): readonly BodyPair[] {
    return this.#touching
  }

  /** Goes on by `dt` [s]. @throws RangeError if that is no positive number, or a body's motion is not finite */
  step(dt: number): void {
    requireDuration('rigid world', dt)
    if (!(dt > 0 && dt < Infinity))
      throw new RangeError(`rigid world: a step of ${shown(dt)} s; give a positive number.`)
    this.#requireMotion()
    this.#step++
    this.#findContacts(dt)
    const { substeps } = this.settings
    for (let i = 0; i < substeps; i++) this.#substep(dt / substeps)
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

  #findContacts(dt: number): void {
    const { gravity, gap } = this.settings
    const fall = dt * dt * Math.hypot(gravity[0], gravity[1], gravity[2])
    const reaches = this.bodies.map((body) => reachOf(body, dt) + (body.isFixed ? 0 : fall))
    const boxes = this.bodies.map((body, i): Box => {
      const share = body.solid.size < Infinity ? gap * body.solid.size : 0
      return boxExpand(body.worldBox(), reaches[i] + share)
    })
    this.#touching = []
    this.#broad.forPairs(boxes, (i, j) => {
      const [a, b] = [this.bodies[i], this.bodies[j]]
      if (a.isFixed && b.isFixed) return
      const key = `${i},${j}`
      const pair = this.#pairs.get(key) ?? new BodyPair(a, b, this.#contactsOf(a.solid, b.solid))
      this.#pairs.set(key, pair)
      pair.lastStep = this.#step
      const near = gap * Math.min(a.solid.size, b.solid.size)
      const ahead = process.env.AHEAD === '0' ? 0 : dt * Math.min(1, near / (reaches[i] + reaches[j]))
      pair.update(ahead, near + reaches[i] + reaches[j], this.#frictionOf(a, b), Math.max(a.restitution, b.restitution))
      if (pair.points.length > 0) this.#touching.push(pair)
    })
    for (const [key, { lastStep }] of this.#pairs) if (lastStep < this.#step) this.#pairs.delete(key)
    // The broad phase's order changes as bodies move, and with it what sweeps leave over.
    const numbers = new Map(this.bodies.map((body, i) => [body, i]))
    const orderOf = ({ a, b }: BodyPair): number =>
      (numbers.get(a) as number) * this.bodies.length + (numbers.get(b) as number)
    this.#touching.sort((x, y) => orderOf(x) - orderOf(y))
  }

  #substep(h: number): void {
    const { gravity, iterations, pushOut, restitutionSpeed } = this.settings
    const soft = this.#softness(h)
    const points = this.#touching.flatMap((pair) => pair.points)
    for (const body of this.bodies) {
      if (body.isFixed) continue
      for (let k = 0; k < 3; k++) body.velocity[k] += h * gravity[k]
    }
    for (const point of points) {
      point.place()
      point.prepare()
    }
    for (const point of points) point.warmStart()
    for (let i = 0; i < iterations; i++) for (const point of points) point.solveSoftly(soft, h, pushOut)
    for (const body of this.bodies) body.advance(h)
    for (const point of points) point.place()
    for (let i = 0; i < iterations; i++) for (const point of points) point.settle(h)
    for (let i = 0; i < iterations; i++) for (const point of points) point.bounce(restitutionSpeed)
  }

  #softness(h: number): Softness {
    if (process.env.RATE) return { rate: +process.env.RATE / h, massShare: 1, impulseShare: 0 }
    return softness(Math.min(+(process.env.FREQ ?? FREQUENCY), FREQUENCY_SHARE / h), +(process.env.DAMP ?? DAMPING), h)
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

/** How far a body's points can go in a step, if nothing stops it [m]. */
function reachOf({ velocity, angularVelocity, radius }: RigidBody, dt: number): number {
  const speed = Math.hypot(velocity[0], velocity[1], velocity[2])
  const turning = Math.hypot(angularVelocity[0], angularVelocity[1], angularVelocity[2])
  // A chord of a circle is no longer than its diameter.
  return dt * speed + (turning > 0 ? Math.min(dt * turning * radius, 2 * radius) : 0)
}
