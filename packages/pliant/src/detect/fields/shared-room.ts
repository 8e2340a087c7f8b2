/**
 * Whether two bodies fill the same room, which their surfaces need not show: where both are alike and in nearly the same
 * place, no point of either surface is deep in the other. A ball that lies in both bodies does show it, as they must then be
 * moved apart by no less than its diameter. Such balls are found once per body: from points of its surface inwards, as far
 * as the field goes on to tell that the surface is that far away.
 */
import { NO_FEATURE } from '../../field/contact.js'
import type { SignedField } from '../../field/signed-field.js'
import { carryPoints, turnInto, turnOut } from './frames.js'
import type { Candidate } from './manifold.js'
import type { Solid } from './solid.js'

/** Surface points that are followed inwards at most, and points that are kept. */
const MOST_STARTS = 128
const MOST_KEPT = 16
/** Every step goes deeper by this factor, for as long as the depth is this share of the way gone. */
const FURTHER = 1.1
const STILL = 0.8
const STEPS = 64

/**
 * Points deep inside a body, far from each other, and how deep each is [m].
 * @param points   of its surface [m], xyz triples
 * @param facings  outward vectors at these
 * @param reach    how far they lie apart, about [m]
 * @param size     of the body [m]
 */
export function innerPoints(
  field: SignedField,
  points: Float64Array,
  facings: Float64Array,
  reach: number,
  size: number,
): Solid['inner'] {
  const every = Math.ceil(points.length / 3 / MOST_STARTS)
  const count = Math.floor((points.length / 3 - 1) / every) + 1
  const [tried, best] = [new Float64Array(3 * count), new Float64Array(3 * count)]
  const [values, depths] = [new Float64Array(count), new Float64Array(count)]
  const isGoing = new Uint8Array(count).fill(1)
  for (let step = 0, way = reach / 8; step < STEPS && way < size && isGoing.includes(1); step++, way *= FURTHER) {
    for (let i = 0; i < count; i++) {
      const at = 3 * i * every
      const length = Math.hypot(facings[at], facings[at + 1], facings[at + 2])
      for (let k = 0; k < 3; k++)
        tried[3 * i + k] = points[at + k] - (length > 0 ? (way / length) * facings[at + k] : 0)
    }
    field.query(tried, count, values)
    for (let i = 0; i < count; i++) {
      // So written that what is no number ends the way.
      if (!(isGoing[i] === 1 && -values[i] >= STILL * way && values[i] > -Infinity)) isGoing[i] = 0
      else if (-values[i] > depths[i]) {
        depths[i] = -values[i]
        best.set(tried.subarray(3 * i, 3 * i + 3), 3 * i)
      }
    }
  }
  return furthestApart(best, depths)
}

/** The deepest first, then none that lies in the half of a ball that is kept. */
function furthestApart(points: Float64Array, depths: Float64Array): Solid['inner'] {
  const kept: number[] = []
  const order = Array.from(depths.keys()).sort((a, b) => depths[b] - depths[a] || a - b)
  for (const i of order) {
    if (!(depths[i] > 0) || kept.length === MOST_KEPT) break
    const isNew = kept.every((other) => {
      const way = [0, 1, 2].map((k) => points[3 * i + k] - points[3 * other + k])
      return Math.hypot(...way) > depths[other] / 2
    })
    if (isNew) kept.push(i)
  }
  return {
    points: Float64Array.from(kept.flatMap((i) => [...points.subarray(3 * i, 3 * i + 3)])),
    depths: Float64Array.from(kept, (i) => depths[i]),
  }
}

const _places = new Float64Array(3 * MOST_KEPT)
const _values = new Float64Array(MOST_KEPT)

/** What is looked for from one body in the other. */
export interface Side {
  solid: Solid
  other: SignedField
  /** From the solid's frame to the other's. */
  toOther: Float64Array
  /** From the solid's frame to the world. */
  toWorld: Float64Array
  isOfA: boolean
}

/**
 * A contact across the largest ball found that lies in both bodies, if it is more than this far across [m]: as deep as they
 * overlap at least, along the other's gradient at its middle.
 * @param beside  unit vector from A to B where that field is flat
 */
export function acrossRoom(sides: readonly Side[], depth: number, beside: Candidate['normal']): Candidate | undefined {
  let [found, largest]: [Candidate | undefined, number] = [undefined, depth / 2]
  for (const { solid, other, toOther, toWorld, isOfA } of sides) {
    const { points, depths } = solid.inner
    const count = depths.length
    carryPoints(toOther, points, count, _places)
    other.query(_places, count, _values)
    let deepest = -1
    for (let i = 0; i < count; i++) {
      const radius = Math.min(depths[i], -_values[i])
      if (!(radius > largest)) continue
      deepest = i
      largest = radius
    }
    if (deepest < 0) continue
    const [middle, gradient] = [points.slice(3 * deepest, 3 * deepest + 3), new Float64Array(3)]
    other.query(_places.subarray(3 * deepest, 3 * deepest + 3), 1, _values, gradient)
    turnInto(toOther, gradient, 1, gradient)
    turnOut(toWorld, gradient, 1, gradient)
    carryPoints(toWorld, middle, 1, middle)
    const [sign, length] = [isOfA ? -1 : 1, Math.hypot(...gradient)]
    const normal = length > 0 ? Array.from(gradient, (value) => (sign * value) / length) : beside
    const point = normal.map((value, k) => middle[k] - sign * largest * value) as Candidate['point']
    found = {
      ...{ point, normal: normal as Candidate['normal'], separation: -2 * largest, area: 0, feature: NO_FEATURE },
      ...{ isOfA, limit: 'room' as const },
    }
  }
  return found
}
