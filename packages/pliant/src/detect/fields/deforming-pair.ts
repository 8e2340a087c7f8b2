/**
 * Contact between two bodies that both deform, each told by a field that follows its shape: where the surface of either
 * is deepest in the other's field, at vertices and at the deepest places of edges and triangles
 * (surface/surface-places.ts). None of the papers has it: Liu et al. meet fields that keep their shape, Zesch et al. a
 * field with points.
 *
 * As in `SolidPair`, the normal at A's point is that of B's field, and the other way round. Nothing is found in
 * advance, so a body may take any shape from call to call; a contact goes on as the same while its vertex, edge or
 * triangle touches.
 */
import { ContactList, NO_FEATURE } from '../../field/contact.js'
import { type Box, boxDiagonal, boxOfPoints } from '../../math/box.js'
import { requireFinite, requireIndices } from '../../math/require.js'
import { NOT_NEGATIVE, oneOf, POSITIVE_OR_INFINITE, settingsOf } from '../../math/settings.js'
import { vertexAreas } from '../../mesh/vertex-areas.js'
import { type MeetsAt, SurfacePlaces } from '../surface/surface-places.js'
import type { CollideOptions } from './collide.js'
import type { DeformingBody } from './deforming-body.js'
import { carryPoints, requireRigid, turnOut } from './frames.js'
import { type Candidate, loads, spread } from './manifold.js'
import { writeContacts } from './write-contacts.js'

/** What is told of contacts between bodies that deform, and where they are looked for. */
export interface DeformingPairOptions extends CollideOptions {
  /** Contacts at most, spread over all that touches; `Infinity`: all that there are. */
  maxContacts?: number
  /** At vertices alone, or all over edges and triangles. */
  contact?: MeetsAt
}
/** All contacts, all over the surface. */
export const DEFORMING_PAIR_DEFAULTS = { maxContacts: Infinity, gap: 0, margin: 0, contact: 'surface' } as const

/** Two bodies that deform, met again and again. */
export class DeformingPair {
  /** Filled by `update`. */
  readonly contacts: ContactList
  readonly #a: Side
  readonly #b: Side
  readonly #settings: Required<DeformingPairOptions>
  /** Of the contacts of the last call, by feature. */
  readonly #ids = new Map<number, number>()
  #nextId = 0
  readonly #frames = [0, 1, 2, 3].map(() => new Float64Array(16))

  /** @throws RangeError if an option is wrong, or naming the first triangle's corner that is no vertex of its body */
  constructor(a: DeformingBody, b: DeformingBody, options: DeformingPairOptions = {}) {
    this.#settings = settingsOf<Required<DeformingPairOptions>>('deforming pair', options, DEFORMING_PAIR_DEFAULTS, {
      maxContacts: POSITIVE_OR_INFINITE,
      gap: NOT_NEGATIVE,
      margin: NOT_NEGATIVE,
      contact: oneOf('points', 'surface'),
    })
    this.#a = new Side(true, a, this.#settings.contact)
    this.#b = new Side(false, b, this.#settings.contact)
    const most = this.#a.places.capacity + this.#b.places.capacity
    this.contacts = new ContactList(Math.min(Math.ceil(this.#settings.maxContacts), most))
  }

  /**
   * Finds the contacts of the shapes that both bodies have now, the deepest first.
   * @param poseA  from A's frame to the world, rigid, column-major 4x4; left out, A is in the world as it is
   * @param poseB  the same of B
   * @throws RangeError if a pose is not rigid or not finite, or naming the first vertex that is not finite or for which
   *   the other's field answers no number
   */
  update(poseA: ArrayLike<number> = HERE, poseB: ArrayLike<number> = HERE): ContactList {
    const [fromA, fromB, toA, toB] = this.#frames
    requireRigid('deforming pair: pose of A', poseA, fromA, toA)
    requireRigid('deforming pair: pose of B', poseB, fromB, toB)
    const [a, b] = [this.#a, this.#b]
    const { gap, margin, maxContacts } = this.#settings
    a.follow(fromA)
    b.follow(fromB)
    const size = Math.min(a.size, b.size)
    const within = gap + margin
    const found: Candidate[] = []
    if (boxGap(a.box, b.box) <= within) {
      a.addPlaces(b, fromB, toB, within, found)
      b.addPlaces(a, fromA, toA, within, found)
    }
    for (const each of found) each.id = this.#ids.get(this.#key(each))
    const isThinned = found.length > maxContacts
    const chosen = isThinned ? spread(found, this.contacts.capacity, size) : found.sort(byDepth)
    this.#number(chosen)
    // Both bodies tell of one overlap.
    const areas = isThinned ? loads(chosen, found, size) : chosen.map(({ area }) => area / 2)
    writeContacts(this.contacts, chosen, areas, margin)
    return this.contacts
  }

  /** One number for every feature of both bodies. */
  #key({ isOfA, feature }: Candidate): number {
    return isOfA ? feature : this.#a.places.capacity + feature
  }

  #number(chosen: readonly Candidate[]): void {
    this.#ids.clear()
    for (const each of chosen) {
      if (each.id === undefined) {
        each.id = this.#nextId
        this.#nextId = (this.#nextId + 1) % NO_FEATURE
      }
      this.#ids.set(this.#key(each), each.id)
    }
  }
}

const HERE = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

const byDepth = (a: Candidate, b: Candidate): number => a.separation - b.separation

/** One body as the pair keeps it. */
class Side {
  readonly places: SurfacePlaces
  /** Diagonal of the box around it when the pair was made [m]. */
  readonly size: number
  /** Around it in the world [m]. */
  box: Box
  readonly #name: string
  readonly #world: Float64Array
  readonly #local: Float64Array
  readonly #within: Float64Array
  readonly #areas: Float64Array

  constructor(
    readonly isA: boolean,
    readonly body: DeformingBody,
    at: MeetsAt,
  ) {
    const { positions, triangles } = body
    const count = positions.length / 3
    this.#name = isA ? 'A' : 'B'
    requireIndices(`deforming pair: ${this.#name}`, triangles, 'corner', count)
    this.places = new SurfacePlaces(triangles, count, at)
    this.box = boxOfPoints(positions)
    this.size = boxDiagonal(this.box)
    this.#world = new Float64Array(3 * count)
    this.#local = new Float64Array(3 * count)
    this.#within = new Float64Array(count)
    this.#areas = new Float64Array(count)
  }

  /** Takes over where the surface is. @param frame  from its own to the world */
  follow(frame: Float64Array): void {
    const { positions } = this.body
    requireFinite(`deforming pair: ${this.#name}`, positions, 'position of vertex', 3)
    this.#world.set(positions)
    carryPoints(frame, this.#world, this.places.vertexCount, this.#world)
    this.box = boxOfPoints(this.#world)
  }

  /**
   * Adds where this surface is within the other's field.
   * @param from  the other's frame to the world, `to` the inverse
   */
  addPlaces(other: Side, from: Float64Array, to: Float64Array, within: number, out: Candidate[]): void {
    const { places, isA } = this
    carryPoints(to, this.#world, places.vertexCount, this.#local)
    this.#within.fill(within)
    const count = places.find(other.body.field, this.#local, this.#within)
    const unknown = places.values.findIndex(Number.isNaN)
    if (unknown >= 0) {
      throw new RangeError(
        `deforming pair: the field of ${other.#name} answers NaN at vertex ${unknown} of ${this.#name}; ` +
          'give one that answers everywhere.',
      )
    }
    if (count === 0) return
    vertexAreas(this.#local, this.body.triangles, this.#areas)
    const points = places.points.slice(0, 3 * count)
    const normals = places.normals.slice(0, 3 * count)
    carryPoints(from, points, count, points)
    turnOut(from, normals, count, normals)
    // Out of B at A's point is towards A.
    const sign = isA ? -1 : 1
    for (let k = 0, o = 0; k < count; k++, o += 3) {
      let area = 0
      for (let corner = o; corner < o + 3; corner++)
        area += places.weights[corner] * this.#areas[places.corners[corner]]
      out.push({
        point: [points[o], points[o + 1], points[o + 2]],
        normal: [sign * normals[o], sign * normals[o + 1], sign * normals[o + 2]],
        separation: places.separations[k],
        area,
        feature: places.features[k],
        isOfA: isA,
      })
    }
  }
}

/** How far apart two boxes are [m]; 0 or less where they overlap. */
function boxGap(a: Box, b: Box): number {
  let squared = 0
  for (let k = 0; k < 3; k++) squared += Math.max(0, a.lower[k] - b.upper[k], b.lower[k] - a.upper[k]) ** 2
  return Math.sqrt(squared)
}
