/**
 * Contact between two bodies, each a field of any kind: where either is deepest in the other, and what touches around it
 * (Liu et al., section 4.4 and Algorithm 3), thinned out to a few contacts that push as all of it would (manifold.ts).
 *
 * Their contact normals contradict each other; those of Algorithm 3 are taken: where A's point p_a is deepest in B, the
 * normal is that of B there, and where B's point is in A, that of A.
 */
import { ContactList } from '../../field/contact.js'
import type { Box } from '../../math/box.js'
import { multiplyAffine } from '../../math/mat4.js'
import { NOT_NEGATIVE, type Rule, settingsOf } from '../../math/settings.js'
import { DeepestPointSearch } from './deepest-points.js'
import type { DeepestPoints } from './found-points.js'
import { carryPoints, requireRigid, turnOut } from './frames.js'
import { KeptContacts } from './kept-contacts.js'
import { limitOf } from './limit.js'
import { type Candidate, loads, spread } from './manifold.js'
import { acrossRoom } from './shared-room.js'
import type { Solid } from './solid.js'
import { writeContacts } from './write-contacts.js'

/** What is told of contacts. */
export interface CollideOptions {
  /** Contacts at most, up to 1,000. */
  maxContacts?: number
  /** How far apart bodies may be and still have a contact, which is about to happen [m]. */
  gap?: number
  /** Taken off every separation: how much larger the bodies count than they are, together [m]. */
  margin?: number
}
/** Eight contacts hold any body in its place. */
export const COLLIDE_DEFAULTS = { maxContacts: 8, gap: 0, margin: 0 } as const

/** Room is made for all of them; a solid has some 1,500 points. */
export const CONTACT_COUNT: Rule = {
  fits: (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 1000,
  needs: 'give a whole number from 1 to 1000',
}
/** A ball in both bodies that is this much further across than they were found to be deep shows that they are deeper. */
const DEEPER = 1.1
/** And by so much of the size: grids are off by about as much. */
const NOTICED = 1e-3

/**
 * One body and another, met again and again: contacts keep their number from pose to pose as long as they touch, at the
 * same point of either body, or one that was near it.
 */
export class SolidPair {
  /** Filled by `update`. */
  readonly contacts: ContactList
  readonly #a: Solid
  readonly #b: Solid
  readonly #settings: Required<CollideOptions>
  readonly #inA: DeepestPointSearch
  readonly #inB: DeepestPointSearch
  readonly #kept = new KeptContacts()
  readonly #frames = [0, 1, 2, 3].map(() => new Float64Array(16))

  /** @throws RangeError if an option is wrong, or neither body has an end */
  constructor(a: Solid, b: Solid, options: CollideOptions = {}) {
    this.#settings = settingsOf<Required<CollideOptions>>('collide', options, COLLIDE_DEFAULTS, {
      maxContacts: CONTACT_COUNT,
      gap: NOT_NEGATIVE,
      margin: NOT_NEGATIVE,
    })
    if (a.points.length === 0 && b.points.length === 0) {
      throw new RangeError('collide: neither body has an end; give one of them a box that holds it.')
    }
    this.#a = a
    this.#b = b
    this.#inA = new DeepestPointSearch(b)
    this.#inB = new DeepestPointSearch(a)
    this.contacts = new ContactList(this.#settings.maxContacts)
  }

  /**
   * Finds the contacts of two poses, the deepest first. Where a separation is not all there is to say, its contact says why
   * (`ContactList.limits`).
   * @param poseA  from A's frame to the world, rigid, column-major 4x4
   * @param poseB  the same of B
   * @param gap    that of this call [m], in place of the option
   * @throws RangeError if a pose is not rigid or not finite, or the gap is below zero
   */
  update(poseA: ArrayLike<number>, poseB: ArrayLike<number>, gap = this.#settings.gap): ContactList {
    const [fromA, fromB, toA, toB] = this.#frames
    requireRigid('collide: pose of A', poseA, fromA, toA)
    requireRigid('collide: pose of B', poseB, fromB, toB)
    if (!NOT_NEGATIVE.fits(gap)) throw new RangeError(`collide: gap is ${gap}; ${NOT_NEGATIVE.needs}.`)
    const { margin } = this.#settings
    const within = gap + margin
    const found: Candidate[] = []
    const size = Math.min(this.#a.size, this.#b.size)
    this.contacts.unanswered = 0
    if (this.#isNear(fromA, fromB, within)) {
      const [aToB, bToA] = [new Float64Array(16), new Float64Array(16)]
      multiplyAffine(toB, 0, fromA, 0, aToB, 0)
      multiplyAffine(toA, 0, fromB, 0, bToA, 0)
      const sides = [
        { ...{ solid: this.#a, into: this.#b, search: this.#inB }, toOther: aToB, toWorld: fromA, isOfA: true },
        { ...{ solid: this.#b, into: this.#a, search: this.#inA }, toOther: bToA, toWorld: fromB, isOfA: false },
      ].map((side) => ({ ...side, other: side.into.field }))
      for (const { solid, into, other, search, toOther, toWorld, isOfA } of sides) {
        const deepest = search.search(other, toOther, within, into.slope)
        addCandidates(solid, into, deepest, toWorld, isOfA, found)
        this.contacts.unanswered += deepest.unanswered
      }
      for (const { into, toOther, toWorld, isOfA } of sides) {
        this.#kept.ask(isOfA, into, toOther, toWorld, within, found)
      }
      const depth = found.reduce((most, { separation }) => Math.max(most, -separation), 0)
      const across = acrossRoom(sides, DEEPER * depth + NOTICED * size, this.#fromAToB(fromA, fromB))
      if (across) found.push(across)
    }
    const chosen = spread(found, this.contacts.capacity, size)
    this.#kept.keep(chosen, toA, toB)
    writeContacts(this.contacts, chosen, loads(chosen, found, size), margin)
    return this.contacts
  }

  /** From middle to middle; upwards where these are the same, or a body has none. */
  #fromAToB(fromA: Float64Array, fromB: Float64Array): Candidate['normal'] {
    const [a, b] = [worldCentre(this.#a.box, fromA), worldCentre(this.#b.box, fromB)]
    const way = b.map((value, k) => value - a[k])
    const length = Math.hypot(...way)
    return length > 0 && length < Infinity ? [way[0] / length, way[1] / length, way[2] / length] : [0, 1, 0]
  }

  /** Whether balls around both boxes come near each other. */
  #isNear(fromA: Float64Array, fromB: Float64Array, within: number): boolean {
    const [a, b] = [this.#a, this.#b]
    if (!(a.size < Infinity && b.size < Infinity)) return true
    const [centreA, centreB] = [worldCentre(a.box, fromA), worldCentre(b.box, fromB)]
    const way = Math.hypot(centreA[0] - centreB[0], centreA[1] - centreB[1], centreA[2] - centreB[2])
    return way <= (a.size + b.size) / 2 + within
  }
}

function addCandidates(
  solid: Solid,
  into: Solid,
  found: DeepestPoints,
  toWorld: Float64Array,
  isOfA: boolean,
  out: Candidate[],
): void {
  const points = found.points.slice(0, 3 * found.count)
  const normals = found.normals.slice(0, 3 * found.count)
  for (let i = 0; i < found.count; i++) {
    // Where a field is flat it tells no direction: inside, the body's own surface does; outside, there is nothing to push.
    if (found.distances[i] < 0 && isZero(normals, 3 * i)) faceInwards(solid.facings, found.features[i], normals, 3 * i)
  }
  carryPoints(toWorld, points, found.count, points)
  turnOut(toWorld, normals, found.count, normals)
  // Out of B at A's point is towards A.
  const sign = isOfA ? -1 : 1
  const isNested = found.inside === solid.points.length / 3
  for (let i = 0; i < found.count; i++) {
    if (isZero(normals, 3 * i)) continue
    const [nx, ny, nz] = normals.subarray(3 * i, 3 * i + 3)
    out.push({
      point: [points[3 * i], points[3 * i + 1], points[3 * i + 2]],
      normal: [sign * nx, sign * ny, sign * nz],
      separation: found.distances[i],
      area: found.areas[i],
      feature: found.features[i],
      isOfA,
      limit: limitOf(found.distances[i], found.slopes[i], into) ?? (isNested ? 'nested' : undefined),
    })
  }
}

function isZero(vectors: Float64Array, at: number): boolean {
  return vectors[at] === 0 && vectors[at + 1] === 0 && vectors[at + 2] === 0
}

/** Against the outward normal of a point of the solid. */
function faceInwards(facings: Float64Array, point: number, out: Float64Array, at: number): void {
  const length = Math.hypot(facings[3 * point], facings[3 * point + 1], facings[3 * point + 2])
  if (length > 0) for (let k = 0; k < 3; k++) out[at + k] = -facings[3 * point + k] / length
}

function worldCentre({ lower, upper }: Box, frame: Float64Array): Float64Array {
  const centre = Float64Array.from(lower, (low, k) => (low + upper[k]) / 2)
  carryPoints(frame, centre, 1, centre)
  return centre
}
