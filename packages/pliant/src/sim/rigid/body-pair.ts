/**
 * Two bodies that may touch: their contacts, found once a step, and what each of them pushed in the last one. Contacts go on by
 * their number (`ContactList.ids`); finders that tell none are matched by place, as engines do that have no numbers.
 */
import type { Solid } from '../../detect/fields/solid.js'
import { type ContactList, NO_FEATURE } from '../../field/contact.js'
import { ContactPoint, type SolvedContact } from './contact-point.js'
import type { RigidBody } from './rigid-body.js'

/** Whatever finds contacts of two solids, as `SolidPair` does. */
export interface PairContacts {
  /** What `update` fills. */
  readonly contacts: ContactList
  /** Finds the contacts of two poses (column-major 4x4 to the world) that are no further apart than the gap [m]. */
  update(poseA: ArrayLike<number>, poseB: ArrayLike<number>, gap: number): ContactList
}

/** Makes what finds the contacts of two solids. */
export type PairFactory = (a: Solid, b: Solid) => PairContacts

/** Contacts without a number go on from what was nearer than this share of the smaller body's size. */
const NEAR = 0.05
/** A contact whose point on either body moved by more than this share of the size is at another place of it. */
const SAME = 1e-6

/** Two bodies that may touch. */
export class BodyPair {
  /** Normals point from it to the other. */
  readonly a: RigidBody
  /** The other. */
  readonly b: RigidBody
  /** Of the last step. */
  readonly contacts: ContactList
  /** Contacts as they are solved, as many as the list has. @internal */
  points: ContactPoint[] = []
  /** Coulomb coefficient of both bodies together. */
  friction = 0
  /** Of both bodies together: share of its speed with which one bounces off the other. */
  restitution = 0
  /** For how many substeps its contacts still stand. @internal */
  substepsLeft = 0
  readonly #finder: PairContacts
  readonly #size: number
  #before: ContactPoint[] = []
  readonly #across = new Float64Array(3)
  readonly #poses = [new Float64Array(16), new Float64Array(16)] as const

  /** @param key  tells it from other pairs of its world */
  constructor(
    readonly key: string,
    a: RigidBody,
    b: RigidBody,
    finder: PairContacts,
  ) {
    this.a = a
    this.b = b
    this.#finder = finder
    this.contacts = finder.contacts
    this.#size = Math.min(a.solid.size, b.solid.size)
  }

  /** Its contacts as the last substep left them, for whoever shows or measures them: made anew at every call. */
  solved(): SolvedContact[] {
    return this.points.map(({ solved }) => solved)
  }

  /**
   * Finds contacts anew.
   * @param seconds  how far ahead, by the velocities as they are
   * @param gap      distance up to which there are contacts [m]
   */
  update(seconds: number, gap: number): void {
    const { a, b } = this
    const [poseA, poseB] = this.#poses
    a.poseAfter(seconds, poseA)
    b.poseAfter(seconds, poseB)
    const list = this.#finder.update(poseA, poseB, gap)
    // Those of before last are written again.
    const room = this.#before
    this.#before = this.points
    room.length = Math.min(room.length, list.count)
    for (let i = 0; i < list.count; i++) {
      const point = room[i] ?? new ContactPoint()
      room[i] = point
      point.set(a, poseA, b, poseB, list, i)
      point.id = list.ids[i]
      point.friction = this.friction
      point.restitution = this.restitution
      this.#goOnFrom(this.#match(point), point)
    }
    this.points = room
  }

  #match(point: ContactPoint): ContactPoint | undefined {
    if (point.id !== NO_FEATURE) return this.#before.find(({ id }) => id === point.id)
    let [nearest, least]: [ContactPoint | undefined, number] = [undefined, NEAR * this.#size]
    for (const each of this.#before) {
      const way = Math.min(wayBetween(each.localA, point.localA), wayBetween(each.localB, point.localB))
      if (way < least) [nearest, least] = [each, way]
    }
    return nearest
  }

  #goOnFrom(before: ContactPoint | undefined, point: ContactPoint): void {
    if (!before) {
      point.impulses.fill(0)
      point.stickHere()
      return
    }
    before.frictionImpulse(this.#across)
    point.startFrom(before.impulses[0], this.#across)
    // One of both is the point that was found, and stays where it is on its body; the other lies across from it.
    const moved = Math.min(wayBetween(before.localA, point.localA), wayBetween(before.localB, point.localB))
    if (before.hasSlipped || moved > SAME * this.#size) point.stickHere()
    else {
      point.stuckA.set(before.stuckA)
      point.stuckB.set(before.stuckB)
      point.hasSlipped = false
    }
  }
}

function wayBetween(a: Float64Array, b: Float64Array): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}
