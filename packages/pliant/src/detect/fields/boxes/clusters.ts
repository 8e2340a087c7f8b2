/**
 * The baseline beside the joint segmentation (algorithms.md 4.3): points of a surface clustered by where they are and which
 * way they face (k-means of Lloyd 1982, begun as k-means++ of Arthur and Vassilvitskii 2007), and along the principal axes
 * of each cluster a box.
 */
import type { Random } from '../../../math/random.js'
import { createEigen3, eigen3 } from '../../../math/symmetric-eigen3.js'
import { NORMAL_WEIGHT, type Part, type Parts, type UnitSurface } from './parts.js'

const MOST_ROUNDS = 60
/** Place and normal. */
const ENTRIES = 6

/** @param most  clusters; fewer if there are fewer points */
export function clusterParts(surface: UnitSurface, most: number, random: Random): Parts {
  const { count, points, normals } = surface
  const features = new Float64Array(ENTRIES * count)
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) {
      features[ENTRIES * i + k] = points[3 * i + k]
      features[ENTRIES * i + 3 + k] = NORMAL_WEIGHT * normals[3 * i + k]
    }
  }
  const centres = firstCentres(features, count, most, random)
  const owners = new Uint32Array(count)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const changed = assign(features, count, centres, owners)
    if (!changed && round > 0) break
    moveCentres(features, count, centres, owners)
  }
  const parts = Array.from({ length: centres.length / ENTRIES }, (_, part) => alongPrincipalAxes(points, owners, part))
  return { parts, owners }
}

/** Each new one at a point drawn by its squared distance to those before. */
function firstCentres(features: Float64Array, count: number, most: number, random: Random): Float64Array {
  const chosen = [random.below(count)]
  const squares = new Float64Array(count).fill(Infinity)
  while (chosen.length < most) {
    let total = 0
    for (let i = 0; i < count; i++) {
      squares[i] = Math.min(squares[i], squaredWay(features, i, features, chosen.at(-1)!))
      total += squares[i]
    }
    if (!(total > 0)) break
    let left = random.uniform() * total - squares[0]
    let next = 0
    while (next < count - 1 && left >= 0) left -= squares[++next]
    chosen.push(next)
  }
  return Float64Array.from(chosen.flatMap((i) => [...features.subarray(ENTRIES * i, ENTRIES * (i + 1))]))
}

/** @returns whether any point went over to another cluster */
function assign(features: Float64Array, count: number, centres: Float64Array, owners: Uint32Array): boolean {
  let changed = false
  for (let i = 0; i < count; i++) {
    let [least, best] = [Infinity, 0]
    for (let c = 0; c < centres.length / ENTRIES; c++) {
      const squared = squaredWay(features, i, centres, c)
      if (squared < least) {
        least = squared
        best = c
      }
    }
    changed ||= owners[i] !== best
    owners[i] = best
  }
  return changed
}

/** A cluster that has lost all its points stays where it is. */
function moveCentres(features: Float64Array, count: number, centres: Float64Array, owners: Uint32Array): void {
  const sums = new Float64Array(centres.length)
  const counts = new Uint32Array(centres.length / ENTRIES)
  for (let i = 0; i < count; i++) {
    counts[owners[i]]++
    for (let k = 0; k < ENTRIES; k++) sums[ENTRIES * owners[i] + k] += features[ENTRIES * i + k]
  }
  for (let at = 0; at < sums.length; at++) {
    const size = counts[Math.trunc(at / ENTRIES)]
    if (size > 0) centres[at] = sums[at] / size
  }
}

function squaredWay(a: Float64Array, i: number, b: Float64Array, j: number): number {
  let sum = 0
  for (let k = 0; k < ENTRIES; k++) sum += (a[ENTRIES * i + k] - b[ENTRIES * j + k]) ** 2
  return sum
}

/** Nowhere yet: the box is made to hold its points by `growOver`. */
function alongPrincipalAxes(points: Float64Array, owners: Uint32Array, part: number): Part {
  const eigen = createEigen3()
  const mean = [0, 0, 0]
  let count = 0
  for (let i = 0; i < owners.length; i++) {
    if (owners[i] !== part) continue
    count++
    for (let k = 0; k < 3; k++) mean[k] += points[3 * i + k]
  }
  for (let i = 0; i < owners.length; i++) {
    if (owners[i] !== part) continue
    const [x, y, z] = mean.map((sum, k) => points[3 * i + k] - sum / count)
    const products = [x * x, x * y, x * z, x * y, y * y, y * z, x * z, y * z, z * z]
    for (let k = 0; k < 9; k++) eigen.matrix[k] += products[k]
  }
  eigen3(eigen)
  // Columns of a rotation, read as rows.
  const axes = Float64Array.from({ length: 9 }, (_, at) => eigen.vectors[3 * (at % 3) + Math.trunc(at / 3)])
  return { axes, lower: new Float64Array(3).fill(Infinity), upper: new Float64Array(3).fill(-Infinity) }
}
