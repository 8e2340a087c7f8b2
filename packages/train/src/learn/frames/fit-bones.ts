/**
 * The parts of a character, as bone frames for a network: for each joint that carries enough of the surface, the part
 * that goes with it, its box, its segment, its radius, and the joints that bend it. Joints that carry less (twist
 * helpers, buckles) go with the nearest part above.
 */
import type { Vec3 } from 'pliant'
import type { Skeleton, SkinnedCharacter } from 'pliant/character'
import { type BoneFrame, MAX_DRIVERS } from 'pliant/unstable'
import { boxOf, withGrids } from './bone-boxes.js'
import { segmentOf } from './bone-segment.js'

export interface FitBonesOptions {
  /** Room around each part's vertices [m]: at least the truncation. */
  margin: number
  /**
   * Nodes along a side of each grid, were all parts cubes of one size. Cells are of one size instead, and as many as
   * that in all: a helmet half as tall as its knight needs more of them than a hand.
   */
  resolution?: number
}
export const FIT_BONES_DEFAULTS = { resolution: 24 } as const

/** A point belongs to a part with at least this weight, to several if need be. */
const BELONGS = 0.2
/** Parts of fewer points are joined to their parents: twist helpers, buckles. */
const FEWEST_POINTS = 12
/** Triangles with longer sides are filled with points, in body heights: a leg of few triangles is a part all the same. */
const SPACING = 0.02

export function fitBones(character: SkinnedCharacter, options: FitBonesOptions): BoneFrame[] {
  const { skeleton } = character
  const { places, jointWeights } = surfacePoints(character)
  const weights = partsOf(skeleton, jointWeights)
  // Only a root can be left with less than a point of its own.
  const joints = [...weights.keys()].filter((joint) => weights.get(joint)!.some((w) => w >= BELONGS))
  joints.sort((a, b) => a - b)
  const matrices = skeleton.restMatrices
  const shared = (a: number, b: number): number => sharedWeight(weights.get(a)!, weights.get(b)!)
  const { margin, resolution } = { ...FIT_BONES_DEFAULTS, ...options }

  const frames = joints.map((joint) => {
    const local = localPoints(places, weights.get(joint)!, matrices, joint)
    // Those with which it shares the most surface bend it the most; its own rotation always does.
    const neighbours = joints
      .filter((other) => other !== joint && other !== skeleton.root)
      .map((other) => ({ other, weight: shared(joint, other) }))
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight)
      .map(({ other }) => other)
    const own = joint === skeleton.root ? [] : [joint]
    return {
      name: skeleton.names[joint],
      joint,
      ...boxOf(local, margin),
      ...segmentOf(local),
      drivers: [...own, ...neighbours].slice(0, MAX_DRIVERS),
    }
  })
  return withGrids(frames, resolution)
}

interface SurfacePoints {
  /** At rest in the root frame [m], xyz triples. */
  places: Float64Array
  /** For each joint that moves any, its weight on every point. */
  jointWeights: Map<number, Float32Array>
}

/** All vertices, and a lattice of points on every large triangle. */
function surfacePoints(character: SkinnedCharacter): SurfacePoints {
  const { skeleton, surface, triangles, vertexCount } = character
  const rest = new Float64Array(3 * vertexCount)
  character.positionsOfPose(skeleton.rest, rest)
  const mixes: { corners: number[]; shares: number[] }[] = []
  for (let v = 0; v < vertexCount; v++) mixes.push({ corners: [v], shares: [1] })
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [...triangles.subarray(t, t + 3)]
    const side = Math.max(...corners.map((a, i) => distanceBetween(rest, a, corners[(i + 1) % 3])))
    const n = Math.ceil(side / (SPACING * character.height))
    for (let i = 0; i <= n; i++) {
      for (let j = 0; j <= n - i; j++) {
        const shares = [i / n, j / n, (n - i - j) / n]
        if (Math.max(...shares) < 1) mixes.push({ corners, shares })
      }
    }
  }
  const places = new Float64Array(3 * mixes.length)
  const jointWeights = new Map<number, Float32Array>()
  mixes.forEach(({ corners, shares }, point) => {
    corners.forEach((v, corner) => {
      for (let axis = 0; axis < 3; axis++) places[3 * point + axis] += shares[corner] * rest[3 * v + axis]
      for (let i = surface.influenceStarts[v]; i < surface.influenceStarts[v + 1]; i++) {
        const joint = surface.bones.joints[surface.influenceBones[i]]
        let weights = jointWeights.get(joint)
        if (!weights) {
          weights = new Float32Array(mixes.length)
          jointWeights.set(joint, weights)
        }
        weights[point] += shares[corner] * surface.influenceWeights[i]
      }
    })
  })
  return { places, jointWeights }
}

/** Each part's weight on every point, by its joint; joints without a part of their own go with another's. */
function partsOf(skeleton: Skeleton, jointWeights: Map<number, Float32Array>): Map<number, Float32Array> {
  const partOfJoint = Int32Array.from(skeleton.belowRoot, (below, joint) => (below === 1 ? joint : skeleton.root))
  for (;;) {
    const weights = new Map<number, Float32Array>()
    for (const [joint, weight] of jointWeights) {
      const part = partOfJoint[joint]
      weights.set(part, weights.get(part)?.map((w, point) => w + weight[point]) ?? weight)
    }
    const small = [...new Set(partOfJoint)].find((part) => {
      const carried = weights.get(part)?.filter((w) => w >= BELONGS).length ?? 0
      return part !== skeleton.root && carried < FEWEST_POINTS
    })
    if (small === undefined) return weights
    const heir = partOfJoint[skeleton.parents[small]]
    for (let joint = 0; joint < partOfJoint.length; joint++) if (partOfJoint[joint] === small) partOfJoint[joint] = heir
  }
}

/** Sum over points of the product of two parts' weights. */
function sharedWeight(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, weight, point) => sum + weight * b[point], 0)
}

function distanceBetween(places: Float64Array, a: number, b: number): number {
  return Math.hypot(
    places[3 * a] - places[3 * b],
    places[3 * a + 1] - places[3 * b + 1],
    places[3 * a + 2] - places[3 * b + 2],
  )
}

function localPoints(places: Float64Array, weight: Float32Array, matrices: Float64Array, joint: number): Vec3[] {
  const local: Vec3[] = []
  for (let n = 0; n < weight.length; n++) {
    if (weight[n] >= BELONGS)
      local.push(toJoint(matrices, joint, [places[3 * n], places[3 * n + 1], places[3 * n + 2]]))
  }
  return local
}

/** Root frame to joint frame, which is rigid at rest. */
function toJoint(matrices: Float64Array, joint: number, p: Vec3): Vec3 {
  const m = 16 * joint
  const d = [p[0] - matrices[m + 12], p[1] - matrices[m + 13], p[2] - matrices[m + 14]]
  return [0, 1, 2].map(
    (row) => matrices[m + 4 * row] * d[0] + matrices[m + 4 * row + 1] * d[1] + matrices[m + 4 * row + 2] * d[2],
  ) as unknown as Vec3
}
