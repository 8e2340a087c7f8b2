/**
 * A mesh against a field by a local optimisation over each triangle (Macklin et al. 2020), as engines have it: a tree of
 * balls leaves the triangles that may touch (field at the centre below the radius), and over the corners' weights u >= 0,
 * sum 1, of each of those the field is made least. Projected gradient as in PhysX, Frank and Wolfe as in MuJoCo, or edges
 * alone by golden section. Asked in batches, level by level and step by step, which is its best with our fields.
 */
import { ContactList, type SignedField, type TriangleMesh } from 'pliant'
import type { PairContacts } from '../methods.js'
import { BallTree } from './ball-tree.js'
import { type FoundContact, writeDeepest } from './found-contacts.js'

export type Optimiser = 'projected gradient' | 'Frank-Wolfe' | 'golden section'

const KEPT = 8
const STEPS = 16
/** PhysX: steps shrink by this, and weights that move by less are done. */
const [SHRINK, SETTLED] = [0.8, 1e-3]

/** Weights of the corners of triangles that are still looked at, and where those are in the field's frame. */
interface Sought {
  count: number
  corners: Float64Array
  weights: Float64Array
}

export class MeshFieldPair implements PairContacts {
  readonly contacts = new ContactList(KEPT)
  readonly #tree: BallTree
  readonly #field: SignedField
  readonly #optimiser: Optimiser

  /** @param mesh  of A, against B's field */
  constructor(mesh: TriangleMesh, field: SignedField, optimiser: Optimiser) {
    this.#tree = new BallTree(mesh)
    this.#field = field
    this.#optimiser = optimiser
  }

  /** What the tree and its triangles take [bytes]. */
  get bytes(): number {
    return this.#tree.bytes
  }

  update(poseA: ArrayLike<number>, poseB: ArrayLike<number>): ContactList {
    const toField = relative(poseA, poseB)
    const sought = this.#tree.near(this.#field, toField)
    if (this.#optimiser === 'golden section') overEdges(this.#field, sought)
    else if (this.#optimiser === 'Frank-Wolfe') byCorners(this.#field, sought)
    else byGradient(this.#field, sought)
    const places = placesOf(sought)
    const [values, gradients] = [new Float64Array(sought.count), new Float64Array(3 * sought.count)]
    this.#field.query(places, sought.count, values, gradients)
    const found: FoundContact[] = []
    const turn = (at: number, k: number, v: Float64Array): number =>
      poseB[k] * v[at] + poseB[4 + k] * v[at + 1] + poseB[8 + k] * v[at + 2]
    for (let i = 0; i < sought.count; i++) {
      if (!(values[i] <= 0)) continue
      const size = Math.hypot(gradients[3 * i], gradients[3 * i + 1], gradients[3 * i + 2])
      if (!(size > 0)) continue
      found.push({
        point: [0, 1, 2].map((k) => turn(3 * i, k, places) + poseB[12 + k]) as never,
        normal: [0, 1, 2].map((k) => -turn(3 * i, k, gradients) / size) as never,
        ...{ separation: values[i], isOfA: true },
      })
    }
    return writeDeepest(found, this.contacts)
  }
}

function placesOf({ count, corners, weights }: Sought): Float64Array {
  const places = new Float64Array(3 * count)
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      for (let c = 0; c < 3; c++) places[3 * i + k] += weights[3 * i + c] * corners[9 * i + 3 * c + k]
    }
  }
  return places
}

/** PhysX: from the lowest of centroid and corners, steps against the unit gradient, back onto the simplex. */
function byGradient(field: SignedField, all: Sought): void {
  const { count, corners, weights } = all
  startLowest(field, all)
  const sizes = new Float64Array(count)
  let active = Array.from({ length: count }, (_, i) => i)
  for (let step = 0; step < STEPS && active.length > 0; step++) {
    const { places, gradients } = ask(field, all, active)
    active = active.filter((i, at) => {
      const g = [0, 0, 0]
      const size = Math.hypot(gradients[3 * at], gradients[3 * at + 1], gradients[3 * at + 2])
      if (!(size > 0)) return false
      let furthest = 0
      for (let c = 0; c < 3; c++) {
        let squared = 0
        for (let k = 0; k < 3; k++) {
          const way = corners[9 * i + 3 * c + k] - places[3 * at + k]
          g[c] += (gradients[3 * at + k] / size) * way
          squared += way * way
        }
        furthest = Math.max(furthest, squared)
      }
      if (step === 0) sizes[i] = 1 / (2 * Math.sqrt(furthest))
      const moved = [0, 1, 2].map((c) => weights[3 * i + c] - sizes[i] * g[c])
      ontoSimplex(moved)
      sizes[i] *= SHRINK
      const way = Math.hypot(...moved.map((w, c) => w - weights[3 * i + c]))
      weights.set(moved, 3 * i)
      return way >= SETTLED
    })
  }
}

function startLowest(field: SignedField, { count, corners, weights }: Sought): void {
  const places = new Float64Array(12 * count)
  for (let i = 0; i < count; i++) {
    places.set(corners.subarray(9 * i, 9 * i + 9), 12 * i)
    for (let k = 0; k < 3; k++)
      places[12 * i + 9 + k] = (corners[9 * i + k] + corners[9 * i + 3 + k] + corners[9 * i + 6 + k]) / 3
  }
  const values = new Float64Array(4 * count)
  field.query(places, 4 * count, values)
  for (let i = 0; i < count; i++) {
    let least = 3
    for (let c = 0; c < 3; c++) if (values[4 * i + c] < values[4 * i + least]) least = c
    for (let c = 0; c < 3; c++) weights[3 * i + c] = least === 3 ? 1 / 3 : least === c ? 1 : 0
  }
}

/** MuJoCo: from the centroid, each step towards the corner that lies lowest by the gradient. */
function byCorners(field: SignedField, all: Sought): void {
  const { count, corners, weights } = all
  const everyone = Array.from({ length: count }, (_, i) => i)
  weights.fill(1 / 3)
  for (let step = 0; step < STEPS; step++) {
    const { gradients } = ask(field, all, everyone)
    for (let i = 0; i < count; i++) {
      let [least, lowest] = [Infinity, 0]
      for (let c = 0; c < 3; c++) {
        let along = 0
        for (let k = 0; k < 3; k++) along += gradients[3 * i + k] * corners[9 * i + 3 * c + k]
        if (along < least) [least, lowest] = [along, c]
      }
      const share = 2 / (step + 2)
      for (let c = 0; c < 3; c++) weights[3 * i + c] += share * ((c === lowest ? 1 : 0) - weights[3 * i + c])
    }
  }
}

const GOLDEN = (Math.sqrt(5) - 1) / 2

/** The least along each edge, and of the three edges of each triangle. */
function overEdges(field: SignedField, { count, corners, weights }: Sought): void {
  const [places, values] = [new Float64Array(9 * count), new Float64Array(3 * count)]
  const [low, high] = [new Float64Array(3 * count), new Float64Array(3 * count).fill(1)]
  const at = (shares: Float64Array): Float64Array => {
    for (let edge = 0; edge < 3 * count; edge++) {
      const [i, c] = [Math.trunc(edge / 3), edge % 3]
      for (let k = 0; k < 3; k++) {
        const [from, to] = [corners[9 * i + 3 * c + k], corners[9 * i + 3 * ((c + 1) % 3) + k]]
        places[3 * edge + k] = from + shares[edge] * (to - from)
      }
    }
    field.query(places, 3 * count, values)
    return values.slice()
  }
  const [left, right] = [low.map((v) => v + 1 - GOLDEN), low.map((v) => v + GOLDEN)]
  let [ofLeft, ofRight] = [at(left), at(right)]
  for (let step = 0; step < STEPS; step++) {
    const asked = new Float64Array(3 * count)
    const isLower = new Uint8Array(3 * count)
    for (let edge = 0; edge < 3 * count; edge++) {
      isLower[edge] = ofLeft[edge] < ofRight[edge] ? 1 : 0
      if (isLower[edge] === 1) {
        high[edge] = right[edge]
        right[edge] = left[edge]
        ofRight[edge] = ofLeft[edge]
        left[edge] = asked[edge] = high[edge] - GOLDEN * (high[edge] - low[edge])
      } else {
        low[edge] = left[edge]
        left[edge] = right[edge]
        ofLeft[edge] = ofRight[edge]
        right[edge] = asked[edge] = low[edge] + GOLDEN * (high[edge] - low[edge])
      }
    }
    const told = at(asked)
    ofLeft = ofLeft.map((value, edge) => (isLower[edge] === 1 ? told[edge] : value))
    ofRight = ofRight.map((value, edge) => (isLower[edge] === 1 ? value : told[edge]))
  }
  // Golden section comes to an end only in the limit.
  const ends = at(new Float64Array(3 * count))
  for (let i = 0; i < count; i++) {
    let [least, best, share] = [Infinity, 0, 0]
    for (let c = 0; c < 3; c++) {
      const edge = 3 * i + c
      if (ofLeft[edge] < least) [least, best, share] = [ofLeft[edge], c, left[edge]]
      if (ends[edge] < least) [least, best, share] = [ends[edge], c, 0]
    }
    for (let c = 0; c < 3; c++) weights[3 * i + c] = c === best ? 1 - share : c === (best + 1) % 3 ? share : 0
  }
}

/** The field and its gradient at some of the triangles' places. */
function ask(field: SignedField, { corners, weights }: Sought, which: readonly number[]) {
  const places = new Float64Array(3 * which.length)
  which.forEach((i, at) => {
    for (let k = 0; k < 3; k++) {
      for (let c = 0; c < 3; c++) places[3 * at + k] += weights[3 * i + c] * corners[9 * i + 3 * c + k]
    }
  })
  const [values, gradients] = [new Float64Array(which.length), new Float64Array(3 * which.length)]
  field.query(places, which.length, values, gradients)
  return { places, gradients }
}

/** The nearest weights that are none below zero and add up to 1 (Held et al. 1974). */
export function ontoSimplex(weights: number[]): void {
  const sorted = [...weights].sort((a, b) => b - a)
  let [sum, shift] = [0, 0]
  sorted.forEach((weight, i) => {
    sum += weight
    if (weight - (sum - 1) / (i + 1) > 0) shift = (sum - 1) / (i + 1)
  })
  weights.forEach((weight, i) => {
    weights[i] = Math.max(0, weight - shift)
  })
}

/** From A's frame to B's, of two rigid poses. */
function relative(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const out = new Float64Array(16)
  for (let column = 0; column < 4; column++) {
    const shifted = [0, 1, 2].map((k) => a[4 * column + k] - (column === 3 ? b[12 + k] : 0))
    for (let row = 0; row < 3; row++) {
      out[4 * column + row] = [0, 1, 2].reduce((sum, k) => sum + b[4 * row + k] * shifted[k], 0)
    }
  }
  out[15] = 1
  return out
}
