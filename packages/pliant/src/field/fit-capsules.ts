/**
 * Capsules fitted to a body at rest: both ends and the radius of each, by damped least squares (Levenberg-Marquardt) of
 * the capsules' distance against the body's at points near its surface, each point answered by the capsule that is
 * nearest to it, as in the union.
 */
import type { Vec3 } from '../math/box.js'
import { randomStream } from '../math/random.js'
import type { BoneBox } from './bone-grids.js'
import { type BoneSegment, jointScale, PosedSegments } from './bone-segments.js'
import type { SignedField } from './signed-field.js'

/** Points near the surface that each bone's box contributes. */
const SAMPLES = 600
/** Draws per box; thin parts fill little of theirs. */
const DRAWS = 4000
/** Points count as near within this share of the box's mean half extent. */
const NEAR = 0.15
/** Rounds of assigning points to capsules and stepping each: the error settles in about half as many. */
const ROUNDS = 40
/** Two ends and a radius. */
const UNKNOWNS = 7

/** @returns the bones with `start`, `end` and `radius` replaced */
export function fitCapsules(
  bones: readonly BoneBox[],
  restField: SignedField,
  restMatrices: ArrayLike<number>,
): BoneSegment[] {
  const { points, distances } = nearSurface(bones, restField, restMatrices)
  // In the root frame at rest, where all points are; carried into the joints' frames at the end.
  const segments = new PosedSegments(bones)
  segments.pose(restMatrices)
  const capsules = bones.map((_, b) => {
    const s = segments.values.subarray(8 * b, 8 * b + 8)
    return Float64Array.of(s[0], s[1], s[2], s[0] + s[3], s[1] + s[4], s[2] + s[5], s[7])
  })
  const owner = new Int32Array(1)
  const leastRadius = meanOf(distances.map(Math.abs)) * 1e-3
  for (let round = 0; round < ROUNDS; round++) {
    const systems = bones.map(() => ({ normal: new Float64Array(UNKNOWNS ** 2), right: new Float64Array(UNKNOWNS) }))
    const counts = new Int32Array(bones.length)
    for (let i = 0; i < distances.length; i++) {
      const [x, y, z] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]]
      segments.nearest(x, y, z, 1, owner)
      counts[owner[0]]++
      addRow(
        systems[owner[0]],
        slopeOf(capsules[owner[0]], x, y, z),
        distances[i] - segments.distance(owner[0], x, y, z),
      )
    }
    capsules.forEach((capsule, b) => {
      // Too few points to say anything: left as it is.
      if (counts[b] < 4 * UNKNOWNS) return
      const step = solveDamped(systems[b].normal, systems[b].right, 0.02 * counts[b])
      for (let k = 0; k < UNKNOWNS; k++) capsule[k] += step[k]
      capsule[6] = Math.max(capsule[6], leastRadius)
      segments.set(b, capsule)
    })
  }
  return bones.map(({ joint }, b) => ({
    joint,
    start: toJoint(restMatrices, joint, capsules[b], 0),
    end: toJoint(restMatrices, joint, capsules[b], 3),
    radius: capsules[b][6] / jointScale(restMatrices, joint),
  }))
}

/** Points drawn from the bones' boxes that lie near the surface, and the body's distance there. */
function nearSurface(
  bones: readonly BoneBox[],
  restField: SignedField,
  matrices: ArrayLike<number>,
): { points: number[]; distances: number[] } {
  const points: number[] = []
  const distances: number[] = []
  const drawn = new Float64Array(3 * 1000)
  const found = new Float64Array(1000)
  bones.forEach(({ joint, centre, half }, b) => {
    const random = randomStream(1, b)
    const m = 16 * joint
    const near = (NEAR * jointScale(matrices, joint) * (half[0] + half[1] + half[2])) / 3
    for (let batch = 0, kept = 0; batch < DRAWS / 1000 && kept < SAMPLES; batch++) {
      for (let i = 0; i < 1000; i++) {
        const local = centre.map((c, axis) => c + half[axis] * random.between(-1, 1))
        for (let axis = 0; axis < 3; axis++) {
          drawn[3 * i + axis] =
            matrices[m + axis] * local[0] +
            matrices[m + 4 + axis] * local[1] +
            matrices[m + 8 + axis] * local[2] +
            matrices[m + 12 + axis]
        }
      }
      restField.query(drawn, 1000, found)
      for (let i = 0; i < 1000 && kept < SAMPLES; i++) {
        if (!(Math.abs(found[i]) < near)) continue
        points.push(drawn[3 * i], drawn[3 * i + 1], drawn[3 * i + 2])
        distances.push(found[i])
        kept++
      }
    }
  })
  return { points, distances }
}

/** How the distance to a capsule changes with both its ends and its radius. */
function slopeOf(c: Float64Array, x: number, y: number, z: number): number[] {
  const d = [c[3] - c[0], c[4] - c[1], c[5] - c[2]]
  const q = [x - c[0], y - c[1], z - c[2]]
  const squared = d[0] ** 2 + d[1] ** 2 + d[2] ** 2
  const along = squared > 0 ? (q[0] * d[0] + q[1] * d[1] + q[2] * d[2]) / squared : 0
  const t = Math.min(Math.max(along, 0), 1)
  const e = [q[0] - t * d[0], q[1] - t * d[1], q[2] - t * d[2]]
  const length = Math.hypot(e[0], e[1], e[2])
  const n = length > 0 ? e.map((value) => value / length) : [0, 1, 0]
  return [...n.map((value) => (t - 1) * value), ...n.map((value) => -t * value), -1]
}

function addRow(system: { normal: Float64Array; right: Float64Array }, slope: number[], residual: number): void {
  for (let i = 0; i < UNKNOWNS; i++) {
    system.right[i] += slope[i] * residual
    for (let j = 0; j < UNKNOWNS; j++) system.normal[UNKNOWNS * i + j] += slope[i] * slope[j]
  }
}

/** Cholesky of the normal matrix plus damping; positive definite by the damping. */
function solveDamped(normal: Float64Array, right: Float64Array, damping: number): Float64Array {
  const n = UNKNOWNS
  const l = normal.slice()
  for (let j = 0; j < n; j++) {
    l[n * j + j] += damping
    for (let k = 0; k < j; k++) l[n * j + j] -= l[n * j + k] ** 2
    l[n * j + j] = Math.sqrt(l[n * j + j])
    for (let i = j + 1; i < n; i++) {
      for (let k = 0; k < j; k++) l[n * i + j] -= l[n * i + k] * l[n * j + k]
      l[n * i + j] /= l[n * j + j]
    }
  }
  const x = right.slice()
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= l[n * i + k] * x[k]
    x[i] /= l[n * i + i]
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= l[n * k + i] * x[k]
    x[i] /= l[n * i + i]
  }
  return x
}

function toJoint(matrices: ArrayLike<number>, joint: number, p: Float64Array, at: number): Vec3 {
  const m = 16 * joint
  const squared = jointScale(matrices, joint) ** 2
  const d = [0, 1, 2].map((axis) => p[at + axis] - matrices[m + 12 + axis])
  const along = (column: number): number =>
    (matrices[m + 4 * column] * d[0] + matrices[m + 4 * column + 1] * d[1] + matrices[m + 4 * column + 2] * d[2]) /
    squared
  return [along(0), along(1), along(2)]
}

function meanOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)
}
