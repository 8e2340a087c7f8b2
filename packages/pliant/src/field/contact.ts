/**
 * A place where two things touch or are about to: one record for cloth, elastic bodies, self-contact and contact
 * between fields. Kept as flat arrays, so that a step of a simulation allocates nothing.
 */

/** One contact, as a view of a list: valid until the list is filled again. */
export interface Contact {
  /** On the surface of A [m], world. */
  readonly pointA: Float64Array
  /** On the surface of B [m], world. */
  readonly pointB: Float64Array
  /** Unit vector from A to B: B is pushed along it, A against it. */
  readonly normal: Float64Array
  /** Way from A's surface to B's along the normal [m]; negative: how deep they overlap. */
  readonly separation: number
  /** Area that the contact stands for [m^2]; 0 if it is a point. */
  readonly area: number
  /** Which vertex, triangle or cell of A, by whoever found the contact; `NO_FEATURE` if none. */
  readonly featureA: number
  /** The same of B. */
  readonly featureB: number
  /** The same number as in the list before, if it is the same contact; `NO_FEATURE` where nobody tells. */
  readonly id: number
  /** Why the separation is not all there is to say; 'none' as a rule. */
  readonly limit: ContactLimit
}

/**
 * Why bodies may overlap by more than a separation tells, or by something else: the field tells no distances as far as that
 * ('band'), one body lies wholly within the other ('nested'), both fill the same room and their surfaces do not show it
 * ('room'), or the field's values are no distances there ('slope'). Their places are what `ContactList.limits` holds.
 */
export const CONTACT_LIMITS = ['none', 'band', 'nested', 'room', 'slope'] as const
/** One of `CONTACT_LIMITS`. */
export type ContactLimit = (typeof CONTACT_LIMITS)[number]

/** Stands for a feature that is not known. */
export const NO_FEATURE = 0xffffffff

/** Contacts as flat arrays, so that a step of a simulation allocates nothing. */
export class ContactList {
  /** How many contacts there are: the first so many entries of every array. */
  count = 0
  /** Points at which a field told no number when the list was filled: there are no contacts at these. */
  unanswered = 0
  /** How many contacts there is room for. */
  readonly capacity: number
  /** On the surface of A [m], xyz triples in the world. */
  readonly pointsA: Float64Array
  /** On the surface of B [m], xyz triples in the world. */
  readonly pointsB: Float64Array
  /** Unit vectors from A to B, xyz triples. */
  readonly normals: Float64Array
  /** Way from A's surface to B's along the normal [m]; negative: how deep they overlap. */
  readonly separations: Float64Array
  /** Area that each contact stands for [m^2]; 0 if it is a point. */
  readonly areas: Float64Array
  /** Vertex, triangle or cell of A, or `NO_FEATURE`. */
  readonly featuresA: Uint32Array
  /** Vertex, triangle or cell of B, or `NO_FEATURE`. */
  readonly featuresB: Uint32Array
  /** The same number as in the list before, for the same contact; `NO_FEATURE` where nobody tells. */
  readonly ids: Uint32Array
  /** Why a separation is not all there is to say: places in `CONTACT_LIMITS`; 0 where nobody tells. */
  readonly limits: Uint8Array

  /** @throws RangeError if the capacity is no whole number */
  constructor(capacity: number) {
    if (!Number.isInteger(capacity) || capacity < 0) {
      throw new RangeError(`contact list: capacity is ${capacity}; give the largest number of contacts.`)
    }
    this.capacity = capacity
    this.pointsA = new Float64Array(3 * capacity)
    this.pointsB = new Float64Array(3 * capacity)
    this.normals = new Float64Array(3 * capacity)
    this.separations = new Float64Array(capacity)
    this.areas = new Float64Array(capacity)
    this.featuresA = new Uint32Array(capacity).fill(NO_FEATURE)
    this.featuresB = new Uint32Array(capacity).fill(NO_FEATURE)
    this.ids = new Uint32Array(capacity).fill(NO_FEATURE)
    this.limits = new Uint8Array(capacity)
  }

  /** One contact, as a view of these arrays. @throws RangeError if there is no such contact */
  at(index: number): Contact {
    if (!(Number.isInteger(index) && index >= 0 && index < this.count)) {
      throw new RangeError(`contact list: there is no contact ${index} of ${this.count}; give one from 0 on.`)
    }
    const triple = (values: Float64Array): Float64Array => values.subarray(3 * index, 3 * index + 3)
    return {
      pointA: triple(this.pointsA),
      pointB: triple(this.pointsB),
      normal: triple(this.normals),
      separation: this.separations[index],
      area: this.areas[index],
      featureA: this.featuresA[index],
      featureB: this.featuresB[index],
      id: this.ids[index],
      limit: CONTACT_LIMITS[this.limits[index]],
    }
  }

  /** The contact at `from` takes the place `to`: for lists that are thinned out from the front. */
  move(from: number, to: number): void {
    if (from === to) return
    for (const triples of [this.pointsA, this.pointsB, this.normals]) triples.copyWithin(3 * to, 3 * from, 3 * from + 3)
    this.separations[to] = this.separations[from]
    this.areas[to] = this.areas[from]
    this.featuresA[to] = this.featuresA[from]
    this.featuresB[to] = this.featuresB[from]
    this.ids[to] = this.ids[from]
    this.limits[to] = this.limits[from]
  }
}
