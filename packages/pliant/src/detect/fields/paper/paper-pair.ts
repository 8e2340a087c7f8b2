/**
 * Contact of two fields as Liu et al. publish it (section 4): detection points where oriented boxes of both bodies overlap,
 * or where A sticks out; Algorithm 2 moves each along the other's gradient by steps of one length until it is in both;
 * Algorithm 3 goes on from there to the deepest point of either. Kept for comparison with `SolidPair`, which needs no length.
 *
 * Projections end beside the surface by rounding, so that "inside" means no further out than `settled`.
 */
import { ContactList, NO_FEATURE } from '../../../field/contact.js'
import type { SignedField } from '../../../field/signed-field.js'
import { invertAffine, multiplyAffine } from '../../../math/mat4.js'
import { NOT_NEGATIVE, POSITIVE, settingsOf } from '../../../math/settings.js'
import { type OrientedBox, orientedBox } from '../boxes/oriented-box.js'
import { CONTACT_COUNT } from '../collide.js'
import { carryPoints, turnInto } from '../frames.js'
import { type Candidate, spread } from '../manifold.js'
import type { Solid } from '../solid.js'
import { ontoFrame, pushSharedCells } from './detection-points.js'

/** How the paper's method looks for contacts. */
export interface PaperOptions {
  /** Contacts at most, up to 1,000. */
  maxContacts?: number
  /** How many times boxes are halved to find where they overlap. */
  levels?: number
  /** Length of a step [m]; 0 stands for a fiftieth of the smaller body. */
  step?: number
  /** Steps shorter than this end a descent [m]. */
  settled?: number
  /** Steps at most. */
  maxSteps?: number
}
/** The paper's accuracy; its steps are tuned by hand for each scene. */
export const PAPER_DEFAULTS = { maxContacts: 8, levels: 4, step: 0, settled: 1e-5, maxSteps: 100 } as const

/** A solid, and where descents begin. */
export interface PaperSolid {
  /** The body. */
  readonly solid: Solid
  /** Boxes that hold its parts (`orientedBoxes`); of none given, one around all. */
  readonly boxes?: readonly OrientedBox[]
  /** Points that stick out [m], xyz triples (`protrusions`); if there are some, they take the boxes' place. */
  readonly points?: Float64Array
}

/** Contact as the paper finds it, to be compared. */
export class PaperPair {
  /** Filled by `update`. */
  readonly contacts: ContactList
  readonly #a: PaperSolid
  readonly #b: PaperSolid
  readonly #settings: Required<PaperOptions>
  readonly #size: number

  /** @throws RangeError if an option is wrong, or a body has neither an end nor boxes nor points */
  constructor(a: PaperSolid, b: PaperSolid, options: PaperOptions = {}) {
    this.#settings = settingsOf<Required<PaperOptions>>('paper contact', options, PAPER_DEFAULTS, {
      step: NOT_NEGATIVE,
      ...{ maxContacts: CONTACT_COUNT, levels: POSITIVE, settled: POSITIVE, maxSteps: POSITIVE },
    })
    if ([a, b].some(({ solid, boxes, points }) => solid.size === Infinity && !boxes && !points)) {
      throw new RangeError('paper contact: a body has no end; give one that has, or boxes that hold it.')
    }
    this.#size = Math.min(a.solid.size, b.solid.size)
    this.#a = a
    this.#b = b
    this.contacts = new ContactList(this.#settings.maxContacts)
  }

  /**
   * Finds the contacts of two poses, the deepest first.
   * @param poseA  from A's frame to the world, rigid, column-major 4x4
   * @param poseB  the same of B
   */
  update(poseA: ArrayLike<number>, poseB: ArrayLike<number>): ContactList {
    const [fromA, fromB] = [Float64Array.from(poseA), Float64Array.from(poseB)]
    const start = detectionPoints(this.#a, this.#b, fromA, fromB, this.#settings.levels)
    const [a, b] = [new Sided(this.#a.solid.field, fromA), new Sided(this.#b.solid.field, fromB)]
    const step = this.#settings.step > 0 ? this.#settings.step : this.#size / 50
    const options = { ...this.#settings, step }
    const shared = meet(a, b, start, options)
    const found: Candidate[] = []
    pushDeepest(a, b, shared, options, true, found)
    pushDeepest(b, a, shared, options, false, found)
    this.#write(spread(found, this.contacts.capacity, this.#size))
    return this.contacts
  }

  #write(chosen: readonly Candidate[]): void {
    const list = this.contacts
    list.count = chosen.length
    chosen.forEach(({ point, normal, separation, isOfA }, i) => {
      const way = isOfA ? 1 : -1
      for (let k = 0; k < 3; k++) {
        const across = point[k] + way * separation * normal[k]
        list.pointsA[3 * i + k] = isOfA ? point[k] : across
        list.pointsB[3 * i + k] = isOfA ? across : point[k]
        list.normals[3 * i + k] = normal[k]
      }
      list.separations[i] = separation
      list.areas[i] = 0
      list.featuresA[i] = NO_FEATURE
      list.featuresB[i] = NO_FEATURE
    })
  }
}

/** In the world. */
function detectionPoints(
  a: PaperSolid,
  b: PaperSolid,
  fromA: Float64Array,
  fromB: Float64Array,
  levels: number,
): Float64Array {
  const sticking = [a, b].flatMap(({ points }, i) =>
    points && points.length > 0 ? [...ontoFrame(i === 0 ? fromA : fromB, [...points])] : [],
  )
  if (sticking.length > 0) return Float64Array.from(sticking)
  const out: number[] = []
  for (const boxA of a.boxes ?? [orientedBox(a.solid.box)]) {
    const [worldA, toA, worldB, bToA] = [0, 1, 2, 3].map(() => new Float64Array(16))
    multiplyAffine(fromA, 0, boxA.frame, 0, worldA, 0)
    invertAffine(worldA, 0, toA, 0)
    for (const boxB of b.boxes ?? [orientedBox(b.solid.box)]) {
      multiplyAffine(fromB, 0, boxB.frame, 0, worldB, 0)
      multiplyAffine(toA, 0, worldB, 0, bToA, 0)
      const cells: number[] = []
      pushSharedCells(boxA, boxB, bToA, levels, cells)
      for (const value of ontoFrame(worldA, cells)) out.push(value)
    }
  }
  return Float64Array.from(out)
}

/** A field asked in the world. */
class Sided {
  readonly #toOwn = new Float64Array(16)

  constructor(
    readonly field: SignedField,
    frame: Float64Array,
  ) {
    invertAffine(frame, 0, this.#toOwn, 0)
  }

  ask(points: Float64Array) {
    const count = points.length / 3
    const own = new Float64Array(points.length)
    const [values, gradients] = [new Float64Array(count), new Float64Array(points.length)]
    carryPoints(this.#toOwn, points, count, own)
    this.field.query(own, count, values, gradients)
    turnInto(this.#toOwn, gradients, count, gradients)
    return { values, gradients }
  }

  /** Eq. 8 where a point is outside. */
  project(points: Float64Array, settled: number): void {
    const { values, gradients } = this.ask(points)
    for (let i = 0; i < values.length; i++) {
      if (values[i] <= settled) continue
      for (let k = 0; k < 3; k++) points[3 * i + k] -= values[i] * gradients[3 * i + k]
    }
  }
}

type Steps = Required<PaperOptions>

/** Algorithm 2, of all detection points at once: those that end in both. */
function meet(a: Sided, b: Sided, start: Float64Array, { step, settled, maxSteps }: Steps): Float64Array {
  const shared: number[] = []
  let points = start
  for (let round = 0; round < maxSteps && points.length > 0; round++) {
    const [inA, inB] = [a.ask(points), b.ask(points)]
    const [next, from]: number[][] = [[], []]
    for (let i = 0; i < inA.values.length; i++) {
      const point = points.subarray(3 * i, 3 * i + 3)
      if (inA.values[i] <= settled && inB.values[i] <= 0) {
        shared.push(...point)
        continue
      }
      const isOut = inA.values[i] > settled
      for (let k = 0; k < 3; k++) {
        const [ofA, ofB] = [inA.gradients[3 * i + k], inB.gradients[3 * i + k]]
        next.push(point[k] - (isOut ? inA.values[i] * ofA : step * ofB))
        from.push(point[k])
      }
    }
    const moved = Float64Array.from(next)
    a.project(moved, settled)
    points = stillMoving(moved, from, settled)
  }
  return Float64Array.from(shared)
}

function stillMoving(points: Float64Array, from: readonly number[], settled: number): Float64Array {
  const kept: number[] = []
  for (let at = 0; at < points.length; at += 3) {
    const way = Math.hypot(points[at] - from[at], points[at + 1] - from[at + 1], points[at + 2] - from[at + 2])
    // What is no number goes no further either.
    if (way > settled) kept.push(points[at], points[at + 1], points[at + 2])
  }
  return Float64Array.from(kept)
}

/** One half of Algorithm 3: from points in both, down the other's field inside the one, to its deepest points. */
function pushDeepest(
  one: Sided,
  other: Sided,
  start: Float64Array,
  steps: Steps,
  isOfA: boolean,
  out: Candidate[],
): void {
  const { step, settled, maxSteps } = steps
  const points = start.slice()
  const done = new Uint8Array(start.length / 3)
  for (let round = 0; round < maxSteps && done.includes(0); round++) {
    const { gradients } = other.ask(points)
    const next = points.map((value, at) => value - step * gradients[at])
    one.project(next, settled)
    const after = other.ask(next)
    for (let i = 0; i < done.length; i++) {
      if (done[i] === 1) continue
      const at = 3 * i
      const way = Math.hypot(next[at] - points[at], next[at + 1] - points[at + 1], next[at + 2] - points[at + 2])
      if (!(way > settled) || !(after.values[i] <= 0)) done[i] = 1
      else points.set(next.subarray(at, at + 3), at)
    }
  }
  const { values, gradients } = other.ask(points)
  const sign = isOfA ? -1 : 1
  for (let i = 0; i < values.length; i++) {
    const [gx, gy, gz] = gradients.subarray(3 * i, 3 * i + 3)
    const size = Math.hypot(gx, gy, gz)
    if (!(size > 0) || !(values[i] <= 0)) continue
    out.push({
      point: [points[3 * i], points[3 * i + 1], points[3 * i + 2]],
      normal: [(sign * gx) / size, (sign * gy) / size, (sign * gz) / size],
      ...{ separation: values[i], area: 0, feature: NO_FEATURE, isOfA },
    })
  }
}
