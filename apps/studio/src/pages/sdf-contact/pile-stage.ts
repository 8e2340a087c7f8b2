/**
 * The pile in its tray: takes settings, lets time pass, and is dragged about. While time stands still, what is dragged goes
 * wherever it is put, into others, too, so that deep overlaps can be looked at.
 */
import type { RigidBody, RigidPull, SolvedContact } from 'pliant/sim'
import { boxDiagonal } from 'pliant/unstable'
import { PileScene } from 'pliant/unstable/blocks'
import { fittingBuffers, STEP } from '../../shell/simulation/protocol.js'
import type { Stage } from '../../shell/simulation/worker-host.js'
import { lookAtOverlap } from './overlap-look.js'
import { boxesOf, isShape, OWN_MESH, OWN_SHAPE, type PileBodies, type PileBody } from './pile-bodies.js'
import { PileClock } from './pile-clock.js'
import {
  BOX_SIZE,
  CONTACT_SIZE,
  type ContactMarks,
  type DrawnPile,
  type Frame,
  type HeldBody,
  type KindBoxes,
  MARKS,
  MOST_BODIES,
  type Opened,
  type OverlapLook,
  type PileFiles,
  type PileSettings,
  type PileSimulation,
  SCANS,
  SWITCH,
} from './pile-protocol.js'
import { StillContacts } from './still-contacts.js'

/** Contacts that are handed over to be drawn. */
const MOST_CONTACTS = 400
/** A hand pulls at most so many times the body's weight. */
const STRENGTH = 12
/** What is held is turned back to rest at this rate [1/s], or it would swing for ever. */
const CALM = 3
/** Frames between two looks at an overlap. */
const LOOK_EVERY = 8
/** A pair that moved less than this against each other is not looked at again [m]. */
const STILL = 1e-5

/** How much deeper another pair must be to be looked at in place of the one before, as a share. */
const KEPT = 0.5

/** Numbers of two bodies; -1 is the tray. */
type Bodies = readonly [number, number]

interface PairMarks {
  readonly bodies: Bodies
  readonly contacts: readonly SolvedContact[]
}

export class PileStage implements Stage<PileSimulation> {
  readonly settings: PileSettings
  readonly #bodies: PileBodies
  readonly #clock = new PileClock()
  #scene!: PileScene
  #numbers = new Map<RigidBody, number>()
  #still!: StillContacts
  /** What is new to draw, until it is handed over. */
  #drawn: DrawnPile | undefined
  /** What falls, and how many of these have been shown in their boxes. */
  #kinds: readonly PileBody[] = []
  #boxed = 0
  /** Settings were changed: the pile is made again before the next frame. */
  #stale = false
  #time = 0
  /** Steps asked for while time stands still. */
  #owed = 0
  /** Somebody has put a body elsewhere since the last step. */
  #moved = false
  #pull: { by: RigidPull; held: HeldBody } | undefined
  #lookedAt: { bodies: Bodies | undefined; poses: Float64Array } | undefined
  /** Frames since. */
  #sinceLook = 0

  /** @throws Error in one line if a body cannot be made */
  constructor(bodies: PileBodies, { kinds, count, own }: PileFiles, settings: Partial<PileSettings>) {
    this.#bodies = bodies
    const shape = own && isShape(own) ? new TextDecoder().decode(own.bytes) : ''
    const fallen = own ? (shape ? OWN_SHAPE : OWN_MESH) : kinds
    this.settings = {
      ...{ kinds: fallen, count, shape, seed: 1, friction: 0.5, bounce: 0, scans: 'voxels' },
      ...{ run: 'on', marks: 'normals', boxes: 'off', cells: 'off', first: 0, second: 0 },
    }
    this.#take(settings)
    this.#make()
  }

  get opened(): Opened {
    return { kinds: this.#bodies.kinds, settings: { ...this.settings } }
  }

  set(settings: Partial<PileSettings>): void {
    const before = { ...this.settings }
    this.#take(settings)
    const { kinds, count, seed, scans, shape, friction, bounce, first, second, cells } = this.settings
    const others = kinds !== before.kinds || count !== before.count || seed !== before.seed
    if (others || scans !== before.scans || shape !== before.shape) this.#stale = true
    for (const body of this.#scene.world.bodies) Object.assign(body, { friction, restitution: bounce })
    if (first !== before.first || second !== before.second || cells !== before.cells) this.#lookedAt = undefined
  }

  command(command: PileSimulation['command']): void {
    if (command === 'step') this.#owed = Math.min(this.#owed + 1, 60)
    else this.#startAgain()
  }

  dispose(): void {
    this.#bodies.dispose()
  }

  /**
   * @param held   what the visitor drags
   * @param spare  buffers of an earlier frame, to be used again if they still fit
   * @throws RangeError if the simulation cannot go on
   */
  advance(steps: number, held: HeldBody | undefined, spare: Frame['vertices'] | undefined): Frame {
    if (this.#stale) this.#make()
    const made = this.settings.run === 'on' ? steps : this.#owed
    this.#owed = 0
    if (this.settings.run === 'on') this.#hold(held)
    else this.#place(held)
    const spent = this.#letPass(made)
    const pairs = this.#moved ? this.#stillPairs() : this.#solvedPairs()
    const { kinetic, total } = this.#scene.world.energy()
    const pile = this.#drawn
    this.#drawn = undefined
    return {
      vertices: this.#poses(spare),
      time: this.#time,
      steps: made,
      pile,
      contacts: marksOf(pairs, this.#scene.world.settings.substeps / STEP),
      energy: { kinetic, total },
      pull: this.#pullLine(held),
      boxes: this.#nextBoxes(),
      overlap: this.#lookAtPair(pairs),
      spent,
      problem: this.#bodies.problem,
    }
  }

  #take(settings: Partial<PileSettings>): void {
    const now = this.settings
    const { kinds, shape } = settings
    const names = kinds?.split(',').filter((name) => this.#bodies.kinds.includes(name))
    if (names && names.length > 0) now.kinds = names.slice(0, MOST_BODIES).join(',')
    if (shape !== undefined) now.shape = shape
    takeWord(now, settings, 'scans', SCANS)
    takeWord(now, settings, 'run', SWITCH)
    takeWord(now, settings, 'marks', MARKS)
    takeWord(now, settings, 'boxes', SWITCH)
    takeWord(now, settings, 'cells', SWITCH)
    takeNumber(now, settings, 'count', 1, MOST_BODIES)
    takeNumber(now, settings, 'seed', 1, 9999)
    takeNumber(now, settings, 'first', 0, MOST_BODIES)
    takeNumber(now, settings, 'second', 0, MOST_BODIES)
    if (isShare(settings.friction)) now.friction = settings.friction
    if (isShare(settings.bounce)) now.bounce = settings.bounce
  }

  #make(): void {
    this.#stale = false
    const { kinds, count, seed, scans, shape, friction, bounce } = this.settings
    const names = kinds.split(',')
    const made = new Map(names.map((name) => [name, this.#bodies.body(name, scans, shape)]))
    const falling = Array.from({ length: count }, (_, i) => names[i % names.length])
    this.#letGo()
    this.#scene = new PileScene({
      ...{ bodies: falling, seed, friction, restitution: bounce },
      solids: Object.fromEntries([...made].map(([name, { solid }]) => [name, solid])),
      contactsOf: this.#clock.contactsOf,
      broadPhase: this.#clock.broadPhase,
    })
    const kindNames = [...made.keys()]
    this.#kinds = [...made.values()]
    this.#boxed = 0
    this.#numbers = new Map(this.#scene.bodies.map(({ body }, i) => [body, i]))
    this.#still = new StillContacts(this.#scene.world.bodies)
    this.#drawn = {
      kinds: this.#kinds.map(({ drawn }) => drawn),
      bodies: falling.map((name) => kindNames.indexOf(name)),
      tray: this.#scene.tray,
      size: Math.max(...this.#kinds.map(({ solid }) => boxDiagonal(solid.box))),
    }
    this.#startAgain()
  }

  #startAgain(): void {
    this.#letGo()
    this.#scene.reset()
    this.#time = 0
    this.#moved = false
    this.#lookedAt = undefined
  }

  #letPass(steps: number): Frame['spent'] {
    const clock = this.#clock
    clock.reset()
    if (steps === 0) return { broad: 0, contacts: 0, solver: 0 }
    this.#moved = false
    const began = performance.now()
    for (let step = 0; step < steps; step++) {
      if (this.#pull) {
        const { angularVelocity } = this.#pull.by.body
        for (let k = 0; k < 3; k++) angularVelocity[k] *= Math.exp(-CALM * STEP)
      }
      this.#scene.step(STEP)
    }
    const { broad, contacts } = clock
    const solver = performance.now() - began - broad - contacts
    this.#time += steps * STEP
    return { broad: broad / steps, contacts: contacts / steps, solver: solver / steps }
  }

  #hold(held: HeldBody | undefined): void {
    const before = this.#pull?.held
    if (before && !(held && held.body === before.body && held.point.every((value, k) => value === before.point[k]))) {
      this.#letGo()
    }
    const body = held && this.#scene.bodies[held.body]?.body
    if (!held || !body) return
    this.#pull ??= {
      by: this.#scene.world.pull(body, held.point, { maxForce: STRENGTH * 9.81 * body.mass }),
      held,
    }
    this.#pull.by.target.set(aboveFloor(held.target))
  }

  #letGo(): void {
    if (this.#pull) this.#scene.world.release(this.#pull.by)
    this.#pull = undefined
  }

  /** Puts a body where it is dragged to within the tray, whatever other body is there. */
  #place(held: HeldBody | undefined): void {
    this.#letGo()
    const body = held && this.#scene.bodies[held.body]?.body
    if (!held || !body) return
    const from = worldPoint(body.pose, held.point)
    const { lower, upper } = body.worldBox()
    const { half } = this.#scene.tray
    // Not into walls, from whose middle it would be pushed both ways.
    const [low, high] = [
      [-half, 0, -half],
      [half, Infinity, half],
    ]
    const way = held.target.map((value, k) => {
      return Math.max(low[k] - lower[k], Math.min(high[k] - upper[k], value - from[k]))
    })
    if (way.every((value) => Math.abs(value) < STILL)) return
    const pose = body.pose.slice()
    for (let k = 0; k < 3; k++) pose[12 + k] += way[k]
    body.moveTo(pose)
    body.velocity.fill(0)
    body.angularVelocity.fill(0)
    this.#scene.world.forget()
    this.#moved = true
  }

  #solvedPairs(): PairMarks[] {
    return this.#scene.world.contacts.map((pair) => ({
      bodies: [this.#numbers.get(pair.a) ?? -1, this.#numbers.get(pair.b) ?? -1],
      contacts: pair.solved(),
    }))
  }

  /** The tray is the first body of the world. */
  #stillPairs(): PairMarks[] {
    return this.#still.find().map(({ bodies: [i, j], contacts }) => ({ bodies: [i - 1, j - 1], contacts }))
  }

  /** One kind a frame, so that the pile does not stand still until all are cut. */
  #nextBoxes(): KindBoxes | undefined {
    if (this.settings.boxes === 'off' || this.#boxed === this.#kinds.length) return undefined
    const kind = this.#boxed++
    const boxes = boxesOf(this.#kinds[kind])
    const values = new Float32Array(BOX_SIZE * boxes.length)
    boxes.forEach(({ frame, half }, i) => {
      values.set(frame, BOX_SIZE * i)
      values.set(half, BOX_SIZE * i + 16)
    })
    return { kind, values }
  }

  #lookAtPair(pairs: readonly PairMarks[]): OverlapLook | 'none' | undefined {
    if (this.settings.cells === 'off' || (this.#lookedAt && ++this.#sinceLook < LOOK_EVERY)) return undefined
    this.#sinceLook = 0
    const before = this.#lookedAt
    const chosen = this.#chosenPair(pairs, before?.bodies)
    if (!chosen) {
      this.#lookedAt = { bodies: undefined, poses: new Float64Array(0) }
      return 'none'
    }
    const [a, b] = chosen.map((i) => this.#scene.bodies[i].body)
    const poses = Float64Array.of(...a.pose, ...b.pose)
    const isSame = before?.bodies?.every((body, i) => body === chosen[i])
    if (isSame && poses.every((value, i) => Math.abs(value - before!.poses[i]) < STILL)) return undefined
    this.#lookedAt = { bodies: chosen, poses }
    const look = lookAtOverlap(a, b)
    return look ? { ...look, bodies: chosen } : 'none'
  }

  /** The two that are asked for, or of those that touch the deepest; those of before while none is much deeper. */
  #chosenPair(pairs: readonly PairMarks[], before: Bodies | undefined): Bodies | undefined {
    const [first, second] = [this.settings.first - 1, this.settings.second - 1]
    const isThere = (i: number): boolean => i >= 0 && i < this.#scene.bodies.length
    if (isThere(first) && isThere(second) && first !== second) return [first, second]
    const wanted = [first, second].filter(isThere)
    let [chosen, least]: [Bodies | undefined, number] = [undefined, Infinity]
    for (const { bodies, contacts } of pairs) {
      if (!bodies.every((i) => i >= 0) || !wanted.every((i) => bodies.includes(i))) continue
      const separation = Math.min(...contacts.map((contact) => contact.separation))
      const isBefore = before?.every((body, i) => body === bodies[i])
      const rank = isBefore ? separation - KEPT * Math.abs(separation) : separation
      if (rank < least) [chosen, least] = [bodies, rank]
    }
    return chosen
  }

  #poses(spare: Frame['vertices'] | undefined): Frame['vertices'] {
    const { bodies } = this.#scene
    const { poses } = fittingBuffers(spare, { poses: 16 * bodies.length })
    bodies.forEach(({ body }, i) => {
      poses.set(body.pose, 16 * i)
    })
    return { poses }
  }

  #pullLine(held: HeldBody | undefined): Float32Array {
    const body = held && this.#scene.bodies[held.body]?.body
    if (!held || !body) return new Float32Array(0)
    return Float32Array.of(...worldPoint(body.pose, held.point), ...aboveFloor(held.target))
  }
}

/** @param perSecond  what makes forces of impulses [1/s] */
function marksOf(pairs: readonly PairMarks[], perSecond: number): ContactMarks {
  const contacts = pairs.flatMap((pair) => pair.contacts)
  const values = new Float32Array(CONTACT_SIZE * Math.min(contacts.length, MOST_CONTACTS))
  contacts.slice(0, MOST_CONTACTS).forEach(({ point, normal, impulse, separation }, i) => {
    const force = impulse.map((value) => value * perSecond)
    values.set([...point, ...normal, ...force, separation], CONTACT_SIZE * i)
  })
  return {
    values,
    count: contacts.length,
    pushing: contacts.filter(({ impulse }) => impulse.some((value) => value !== 0)).length,
    pairs: pairs.length,
    deepest: contacts.reduce((deepest, { separation }) => Math.max(deepest, -separation), 0),
  }
}

function worldPoint(m: Float64Array, [x, y, z]: readonly [number, number, number]): number[] {
  return [0, 1, 2].map((k) => m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k])
}

function aboveFloor([x, y, z]: readonly [number, number, number]): number[] {
  return [x, Math.max(0, y), z]
}

type Words = 'scans' | 'run' | 'marks' | 'boxes' | 'cells'

function takeWord<Name extends Words>(
  now: PileSettings,
  settings: Partial<PileSettings>,
  name: Name,
  words: readonly PileSettings[Name][],
): void {
  const given = settings[name]
  if (given !== undefined && words.includes(given)) now[name] = given
}

type Numbers = 'count' | 'seed' | 'first' | 'second'

function takeNumber(now: PileSettings, given: Partial<PileSettings>, name: Numbers, low: number, high: number): void {
  const value = given[name]
  if (typeof value === 'number' && Number.isFinite(value)) now[name] = Math.min(high, Math.max(low, Math.round(value)))
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1
}
