/**
 * Contact of two distance fields as MuJoCo finds it for its `sdf` geoms, as a rival: from Halton points where the boxes of
 * both bodies overlap, descent with backtracking on A + B + |max(A, B)|, then one step on max(A, B); where that is negative in
 * the end is a contact, its normal between both gradients. Written from its description (algorithms.md section 7) and its
 * documented defaults; lengths are of bodies about a metre across, as the first step of 1 is.
 */
import { ContactList, type SignedField } from 'pliant'
import type { Solid } from 'pliant/detect'
import type { PairContacts } from './methods.js'

/** MuJoCo's defaults: `sdf_initpoints`, `sdf_iterations`. */
export const MUJOCO_DEFAULTS = { starts: 40, steps: 10 } as const
/** Backtracking: half of the step before, until the value falls by this share of what the gradient promises. */
const ENOUGH = 0.1
const SHORTEST = 1e-4

export class MujocoPair implements PairContacts {
  readonly contacts: ContactList
  readonly #a: Solid
  readonly #b: Solid
  readonly #starts: number
  readonly #steps: number

  constructor(a: Solid, b: Solid, { starts, steps }: { starts: number; steps: number } = MUJOCO_DEFAULTS) {
    this.#a = a
    this.#b = b
    this.#starts = starts
    this.#steps = steps
    this.contacts = new ContactList(starts)
  }

  update(poseA: ArrayLike<number>, poseB: ArrayLike<number>): ContactList {
    const [a, b] = [posed(this.#a.field, poseA), posed(this.#b.field, poseB)]
    const [boxA, boxB] = [worldBox(this.#a, poseA), worldBox(this.#b, poseB)]
    const lower = boxA.lower.map((value, k) => Math.max(value, boxB.lower[k]))
    const upper = boxA.upper.map((value, k) => Math.min(value, boxB.upper[k]))
    this.contacts.count = 0
    if (lower.some((value, k) => value > upper[k])) return this.contacts
    const found: { point: readonly number[]; normal: number[]; depth: number }[] = []
    for (let start = 0; start < this.#starts; start++) {
      const first = [2, 3, 5].map((base, k) => lower[k] + halton(start, base) * (upper[k] - lower[k]))
      const point = descend(largerOf(a, b), descend(sumOf(a, b), first, this.#steps), 1)
      const [atA, atB] = [a(point), b(point)]
      const depth = Math.max(atA.value, atB.value)
      if (!(depth < 0)) continue
      const between = atA.gradient.map((value, k) => value - atB.gradient[k])
      const size = Math.hypot(...between)
      if (size > 0) found.push({ point, depth, normal: between.map((value) => value / size) })
    }
    found.sort((x, y) => x.depth - y.depth)
    found.forEach(({ point, normal, depth }, i) => {
      this.contacts.pointsA.set(point, 3 * i)
      this.contacts.pointsB.set(point, 3 * i)
      this.contacts.normals.set(normal, 3 * i)
      // The point lies that deep in both, so that surfaces are twice as far apart.
      this.contacts.separations[i] = 2 * depth
    })
    this.contacts.count = found.length
    return this.contacts
  }
}

interface Value {
  value: number
  gradient: readonly number[]
}
type Objective = (point: readonly number[]) => Value

/** A + B + |max(A, B)|. */
function sumOf(a: Objective, b: Objective): Objective {
  return (point) => {
    const [atA, atB] = [a(point), b(point)]
    const larger = atA.value > atB.value ? atA : atB
    return {
      value: atA.value + atB.value + Math.abs(larger.value),
      gradient: atA.gradient.map((value, k) => value + atB.gradient[k] + Math.sign(larger.value) * larger.gradient[k]),
    }
  }
}

function largerOf(a: Objective, b: Objective): Objective {
  return (point) => {
    const [atA, atB] = [a(point), b(point)]
    return atA.value > atB.value ? atA : atB
  }
}

function descend(objective: Objective, from: readonly number[], steps: number): readonly number[] {
  let point: readonly number[] = from
  for (let step = 0; step < steps; step++) {
    const { value, gradient } = objective(point)
    const squared = gradient.reduce((sum, each) => sum + each * each, 0)
    let [length, after] = [2, Infinity]
    let next = point
    do {
      length /= 2
      next = point.map((each, k) => each - length * gradient[k])
      after = objective(next).value
    } while (length > SHORTEST && after - value > -ENOUGH * length * squared)
    point = next
    if (value < after) break
  }
  return point
}

function halton(index: number, base: number): number {
  let [value, share] = [0, 1]
  for (let left = index; left > 0; left = Math.floor(left / base)) {
    share /= base
    value += share * (left % base)
  }
  return value
}

/** A field in the world. */
function posed(field: SignedField, pose: ArrayLike<number>): Objective {
  const [own, value, gradient] = [new Float64Array(3), new Float64Array(1), new Float64Array(3)]
  return (point) => {
    const from = point.map((at, k) => at - pose[12 + k])
    for (let k = 0; k < 3; k++) own[k] = pose[4 * k] * from[0] + pose[4 * k + 1] * from[1] + pose[4 * k + 2] * from[2]
    field.query(own, 1, value, gradient)
    const turned = [0, 1, 2].map((k) => pose[k] * gradient[0] + pose[4 + k] * gradient[1] + pose[8 + k] * gradient[2])
    return { value: value[0], gradient: turned }
  }
}

function worldBox({ box: { lower, upper } }: Solid, pose: ArrayLike<number>) {
  const middle = [0, 1, 2].map((k) => (lower[k] + upper[k]) / 2)
  const centre = [0, 1, 2].map((k) => pose[12 + k] + middle.reduce((sum, at, axis) => sum + pose[4 * axis + k] * at, 0))
  const reach = [0, 1, 2].map((k) =>
    [0, 1, 2].reduce((sum, axis) => sum + (Math.abs(pose[4 * axis + k]) * (upper[axis] - lower[axis])) / 2, 0),
  )
  return { lower: centre.map((at, k) => at - reach[k]), upper: centre.map((at, k) => at + reach[k]) }
}
