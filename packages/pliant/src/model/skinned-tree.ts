/**
 * Moves a tree over a skinned surface to a code without posing its vertices. Linear skinning puts a vertex into the convex
 * hull of where its bones would carry it, so the box around a leaf is that around the boxes of its bound vertices, one for
 * each bone that moves any, carried along. A few thousand of these take a tenth of the time of all vertices.
 */
import type { SelfIntersection } from '../exact/self-intersection.js'
import { boxDiagonal, boxOfPoints } from '../math/box.js'
import type { SkinnedCharacter } from './skinned-character.js'
import { applyMorphTargets, skinMatrices } from './skinned-surface.js'

/** Weights of a vertex add up to 1 in single precision: boxes are wider by this share of the surface's diagonal. */
const ROUNDING = 2e-6

/** @returns undefined where skinning is not linear */
export function skinnedTreeMover(
  { skeleton, surface, code, skinning }: SkinnedCharacter,
  tree: Pick<SelfIntersection, 'leaves' | 'moveLeaves'>,
): ((at: ArrayLike<number>) => void) | undefined {
  if (skinning !== 'linear') return undefined
  const bound = new Float64Array(surface.bound.length)
  applyMorphTargets(surface, surface.morphWeights, bound)
  const pose = skeleton.createPose()
  const frames = new Float64Array(16 * skeleton.jointCount)
  const skin = new Float64Array(16 * surface.bones.joints.length)
  const leaves = boundBoxes(surface, bound, tree.leaves())
  const margin = ROUNDING * boxDiagonal(boxOfPoints(bound))
  const boxes = new Float64Array(6 * (leaves.starts.length - 1))
  const { influenceStarts, influenceBones, influenceWeights } = surface
  const writeVertex = (vertex: number, out: Float64Array, at: number): void => {
    const [x, y, z] = [bound[3 * vertex], bound[3 * vertex + 1], bound[3 * vertex + 2]]
    let [px, py, pz] = [0, 0, 0]
    for (let k = influenceStarts[vertex]; k < influenceStarts[vertex + 1]; k++) {
      const m = 16 * influenceBones[k]
      const w = influenceWeights[k]
      px += w * (skin[m] * x + skin[m + 4] * y + skin[m + 8] * z + skin[m + 12])
      py += w * (skin[m + 1] * x + skin[m + 5] * y + skin[m + 9] * z + skin[m + 13])
      pz += w * (skin[m + 2] * x + skin[m + 6] * y + skin[m + 10] * z + skin[m + 14])
    }
    out[at] = px
    out[at + 1] = py
    out[at + 2] = pz
  }
  return (at) => {
    code.decode(at, pose)
    skeleton.matrices(pose, frames)
    skinMatrices(surface.bones, frames, skin)
    carryBoxes(leaves, skin, margin, boxes)
    tree.moveLeaves(boxes, writeVertex)
  }
}

/** Boxes of bound vertices, one after the other: of each leaf those from its start to the next one's. */
interface BoundBoxes {
  starts: Uint32Array
  bones: Uint16Array
  /** Middle and half the size of each, three numbers each. */
  middles: Float64Array
  halves: Float64Array
}

function boundBoxes(
  { influenceStarts, influenceBones }: SkinnedCharacter['surface'],
  bound: Float64Array,
  leaves: readonly Uint32Array[],
): BoundBoxes {
  const starts = new Uint32Array(leaves.length + 1)
  const found: { bone: number; points: number[] }[] = []
  leaves.forEach((vertices, leaf) => {
    const byBone = new Map<number, number[]>()
    for (const vertex of vertices) {
      for (let k = influenceStarts[vertex]; k < influenceStarts[vertex + 1]; k++) {
        const points = byBone.get(influenceBones[k]) ?? []
        points.push(...bound.subarray(3 * vertex, 3 * vertex + 3))
        byBone.set(influenceBones[k], points)
      }
    }
    for (const [bone, points] of byBone) found.push({ bone, points })
    starts[leaf + 1] = found.length
  })
  const boxes = found.map(({ points }) => boxOfPoints(Float64Array.from(points)))
  return {
    starts,
    bones: Uint16Array.from(found, ({ bone }) => bone),
    middles: Float64Array.from(boxes.flatMap(({ lower, upper }) => lower.map((low, axis) => (low + upper[axis]) / 2))),
    halves: Float64Array.from(boxes.flatMap(({ lower, upper }) => lower.map((low, axis) => (upper[axis] - low) / 2))),
  }
}

/** The box around a carried box: M middle, +- |M| half. */
function carryBoxes(
  { starts, bones, middles, halves }: BoundBoxes,
  skin: Float64Array,
  margin: number,
  out: Float64Array,
): void {
  for (let leaf = 0; leaf < starts.length - 1; leaf++) {
    for (let row = 0; row < 3; row++) {
      let [low, high] = [Infinity, -Infinity]
      for (let i = starts[leaf]; i < starts[leaf + 1]; i++) {
        const m = 16 * bones[i] + row
        const [a, b, c] = [skin[m], skin[m + 4], skin[m + 8]]
        const middle = a * middles[3 * i] + b * middles[3 * i + 1] + c * middles[3 * i + 2] + skin[m + 12]
        const half = Math.abs(a) * halves[3 * i] + Math.abs(b) * halves[3 * i + 1] + Math.abs(c) * halves[3 * i + 2]
        low = Math.min(low, middle - half)
        high = Math.max(high, middle + half)
      }
      out[6 * leaf + row] = low - margin
      out[6 * leaf + 3 + row] = high + margin
    }
  }
}
