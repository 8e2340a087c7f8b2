/**
 * Parts by joint segmentation (Liu et al., section 4.1): cuboids and each point's share of each, found together. Theirs come
 * out of a network that Yang and Chen train on many shapes of a kind; of one shape alone there is nothing to train on, so
 * that cuboids and shares themselves are what Adam moves (Kingma and Ba 2015), down the same loss (segmentation-loss.ts).
 */
import type { Random } from '../../../math/random.js'
import { along, NORMAL_WEIGHT, type Part, type Parts, type UnitSurface } from './parts.js'
import { CUBOID, SegmentationLoss } from './segmentation-loss.js'

/** How long the segmentation is looked for. */
export interface SegmentationSettings {
  /** Cuboids to begin with. */
  most: number
  /** Steps of Adam. */
  steps: number
  /** Points that take part, evenly chosen; the others go with the nearest of them. */
  points: number
}

/** Standard deviation of how far points are moved along their normals: theirs. */
const MOVED = 0.05
/**
 * How far a step moves a number: shares are settled long before cuboids, so that a point goes with what is near it. At one
 * speed for both, cuboids first grow over the whole body, and each takes all points that face one way.
 */
const RATES = { cuboids: 0.01, shares: 0.3 }
/** What is left of them at the last step. */
const LAST_RATE = 0.1
/** Of Adam; `least` is below its usual 1e-8, which gradients by one point's shares are not above. */
const ADAM = { first: 0.9, second: 0.999, least: 1e-12 }
/** Half sides to begin with: from .1 on, a mug's cuboids end with four times the volume. */
const FIRST_HALF = 0.03
/** Cuboids with no more of 4,096 points than this are none: theirs. */
const LEAST_POINTS = 24 / 4096

export function segmentParts(
  surface: UnitSurface,
  random: Random,
  { most, steps, points }: SegmentationSettings,
): Parts {
  const chosen = evenlyChosen(surface.count, points)
  const loss = new SegmentationLoss(triples(surface.points, chosen), triples(surface.normals, chosen), most)
  const numbers = firstNumbers(loss, most, random)
  descend(loss, numbers, CUBOID.entries * most, steps, random)
  const sums = new Float64Array(most)
  for (let at = 0; at < loss.shares.length; at++) sums[at % most] += loss.shares[at]
  const largest = sums.indexOf(Math.max(...sums))
  const kept = [...sums.keys()].filter((m) => m === largest || sums[m] > LEAST_POINTS * chosen.length)
  const ofChosen = Uint32Array.from(chosen, (_, i) => {
    const shares = kept.map((m) => loss.shares[i * most + m])
    return shares.indexOf(Math.max(...shares))
  })
  return {
    parts: kept.map((m) => partOf(loss, m)),
    owners: Uint32Array.from({ length: surface.count }, (_, i) => ofChosen[nearestOf(chosen, surface, i)]),
  }
}

function evenlyChosen(count: number, most: number): Uint32Array {
  const size = Math.min(count, most)
  return Uint32Array.from({ length: size }, (_, i) => Math.floor((i * count) / size))
}

function triples(of: Float64Array, chosen: Uint32Array): Float64Array {
  return Float64Array.from({ length: 3 * chosen.length }, (_, at) => of[3 * chosen[Math.trunc(at / 3)] + (at % 3)])
}

/** Small cuboids at points drawn from the surface, turned a little; every point belongs to all of them alike. */
function firstNumbers(loss: SegmentationLoss, most: number, random: Random): Float64Array {
  const numbers = new Float64Array(loss.size)
  const count = loss.points.length / 3
  for (let m = 0; m < most; m++) {
    const at = CUBOID.entries * m
    const point = random.below(count)
    for (let k = 0; k < 3; k++) {
      numbers[at + k] = Math.log(FIRST_HALF / (1 - FIRST_HALF))
      numbers[at + CUBOID.turn + k] = 0.1 * random.normal()
      numbers[at + CUBOID.middle + k] = Math.atanh(loss.points[3 * point + k])
    }
    numbers[at + CUBOID.turn + 3] = 1
  }
  return numbers
}

/** @param cuboidsEnd  where the numbers of the cuboids end and those of the shares begin */
function descend(
  loss: SegmentationLoss,
  numbers: Float64Array,
  cuboidsEnd: number,
  steps: number,
  random: Random,
): void {
  const [gradient, first, second] = [0, 1, 2].map(() => new Float64Array(loss.size))
  const lengths = new Float64Array(loss.points.length / 3)
  for (let step = 1; step <= steps; step++) {
    for (let i = 0; i < lengths.length; i++) lengths[i] = MOVED * random.normal()
    loss.at(numbers, lengths, gradient)
    const decay = LAST_RATE ** (step / steps) / (1 - ADAM.first ** step)
    const warm = 1 - ADAM.second ** step
    for (let at = 0; at < numbers.length; at++) {
      first[at] += (1 - ADAM.first) * (gradient[at] - first[at])
      second[at] += (1 - ADAM.second) * (gradient[at] ** 2 - second[at])
      const rate = decay * (at < cuboidsEnd ? RATES.cuboids : RATES.shares)
      numbers[at] -= (rate * first[at]) / (Math.sqrt(second[at] / warm) + ADAM.least)
    }
  }
}

function partOf({ axes, halves, middles }: SegmentationLoss, m: number): Part {
  const own = axes.slice(9 * m, 9 * m + 9)
  const ends = [-1, 1].map((side) =>
    Float64Array.from([0, 1, 2], (axis) => along(own, axis, middles, m) + side * halves[3 * m + axis]),
  )
  return { axes: own, lower: ends[0], upper: ends[1] }
}

/** Nearest in place and normal. @returns which of those chosen */
function nearestOf(chosen: Uint32Array, { points, normals }: UnitSurface, i: number): number {
  let [least, nearest] = [Infinity, 0]
  for (let c = 0; c < chosen.length; c++) {
    let squared = 0
    for (let k = 0; k < 3; k++) {
      const [own, other] = [3 * i + k, 3 * chosen[c] + k]
      squared += (points[other] - points[own]) ** 2 + (NORMAL_WEIGHT * (normals[other] - normals[own])) ** 2
    }
    if (squared < least) {
      least = squared
      nearest = c
    }
  }
  return nearest
}
