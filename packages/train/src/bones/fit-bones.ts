/**
 * The parts of a character, as bone frames for a network: for each joint that the code moves, and each that
 * hangs from such a one, the part of the surface that goes with it, its box, its segment, its radius, and the joints
 * that bend it. Joints further out (fingers, toes, jaws) go with the nearest part above.
 */
import type { Vec3 } from 'pliant'
import { type BoneFrame, MAX_DRIVERS, type SkinnedCharacter } from 'pliant/character'

export interface FitBonesOptions {
  /** Room around each part's vertices [m]: at least the truncation. */
  margin: number
}

/** A vertex belongs to a part with at least this weight, to several if need be. */
const BELONGS = 0.2
/** Parts of fewer vertices are joined to their parents: twist helpers, buckles. */
const FEWEST_VERTICES = 12

export function fitBones(character: SkinnedCharacter, options: FitBonesOptions): BoneFrame[] {
  const { skeleton } = character
  const { partOfJoint, weights } = partsOf(character)
  const joints = [...new Set(partOfJoint)].filter((joint) => joint >= 0).sort((a, b) => a - b)
  const rest = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(skeleton.rest, rest)
  const matrices = new Float64Array(16 * skeleton.jointCount)
  skeleton.matrices(skeleton.rest, matrices)
  const shared = sharedWeights(joints, weights, character.vertexCount)

  return joints.map((joint, part) => {
    const local = localVertices(rest, weights.get(joint)!, matrices, joint)
    const children = joints.filter((other) => parentPart(skeleton.parents, partOfJoint, other) === joint)
    const childPlaces = children.map((child) => toJoint(matrices, joint, originOf(matrices, child)))
    const end = childPlaces.length > 0 ? meanOf(childPlaces) : endOfLeaf(local)
    const start: Vec3 = [0, 0, 0]
    // Those with which it shares the most surface bend it the most; its own rotation always does.
    const neighbours = joints
      .filter((other) => other !== joint && other !== skeleton.root && shared[part][joints.indexOf(other)] > 0)
      .sort((a, b) => shared[part][joints.indexOf(b)] - shared[part][joints.indexOf(a)])
    const own = joint === skeleton.root ? [] : [joint]
    return {
      name: skeleton.names[joint],
      joint,
      ...boxOf(local, options.margin),
      start,
      end,
      radius: meanDistance(local, start, end),
      drivers: [...own, ...neighbours].slice(0, MAX_DRIVERS),
    }
  })
}

/** Which part each joint goes with, and each part's weight on every vertex. */
function partsOf(character: SkinnedCharacter): { partOfJoint: Int32Array; weights: Map<number, Float32Array> } {
  const { skeleton, surface } = character
  const partOfJoint = new Int32Array(skeleton.jointCount)
  for (let joint = 0; joint < skeleton.jointCount; joint++) {
    const below = skeleton.belowRoot[joint] === 1
    partOfJoint[joint] = below ? joint : skeleton.root
  }
  for (;;) {
    const weights = partWeights(surface, partOfJoint, character.vertexCount)
    const small = [...weights].find(
      ([joint, weight]) => joint !== skeleton.root && weight.filter((w) => w >= BELONGS).length < FEWEST_VERTICES,
    )
    const unused = [...new Set(partOfJoint)].find((joint) => !weights.has(joint))
    const drop = small?.[0] ?? unused
    if (drop === undefined || drop === skeleton.root) return { partOfJoint, weights }
    const heir = partOfJoint[skeleton.parents[drop]]
    for (let joint = 0; joint < partOfJoint.length; joint++) if (partOfJoint[joint] === drop) partOfJoint[joint] = heir
  }
}

function partWeights(
  surface: SkinnedCharacter['surface'],
  partOfJoint: Int32Array,
  vertices: number,
): Map<number, Float32Array> {
  const weights = new Map<number, Float32Array>()
  for (let v = 0; v < vertices; v++) {
    for (let i = surface.influenceStarts[v]; i < surface.influenceStarts[v + 1]; i++) {
      const part = partOfJoint[surface.bones.joints[surface.influenceBones[i]]]
      let weight = weights.get(part)
      if (!weight) {
        weight = new Float32Array(vertices)
        weights.set(part, weight)
      }
      weight[v] += surface.influenceWeights[i]
    }
  }
  return weights
}

/** Sum over vertices of the product of two parts' weights. */
function sharedWeights(joints: number[], weights: Map<number, Float32Array>, vertices: number): number[][] {
  return joints.map((a) =>
    joints.map((b) => {
      let sum = 0
      const [wa, wb] = [weights.get(a)!, weights.get(b)!]
      for (let v = 0; v < vertices; v++) sum += wa[v] * wb[v]
      return sum
    }),
  )
}

function parentPart(parents: Int32Array, partOfJoint: Int32Array, joint: number): number {
  const parent = parents[joint]
  return parent < 0 ? -1 : partOfJoint[parent] === joint ? -1 : partOfJoint[parent]
}

function localVertices(rest: Float64Array, weight: Float32Array, matrices: Float64Array, joint: number): Vec3[] {
  const local: Vec3[] = []
  for (let v = 0; v < weight.length; v++) {
    if (weight[v] >= BELONGS) local.push(toJoint(matrices, joint, [rest[3 * v], rest[3 * v + 1], rest[3 * v + 2]]))
  }
  return local
}

function originOf(matrices: Float64Array, joint: number): Vec3 {
  return [matrices[16 * joint + 12], matrices[16 * joint + 13], matrices[16 * joint + 14]]
}

/** Root frame to joint frame, for rotations with uniform scale. */
function toJoint(matrices: Float64Array, joint: number, p: Vec3): Vec3 {
  const m = 16 * joint
  const squared = matrices[m] ** 2 + matrices[m + 1] ** 2 + matrices[m + 2] ** 2
  const d = [p[0] - matrices[m + 12], p[1] - matrices[m + 13], p[2] - matrices[m + 14]]
  return [0, 1, 2].map(
    (row) =>
      (matrices[m + 4 * row] * d[0] + matrices[m + 4 * row + 1] * d[1] + matrices[m + 4 * row + 2] * d[2]) / squared,
  ) as unknown as Vec3
}

function meanOf(points: Vec3[]): Vec3 {
  const sum = points.reduce((s, p) => [s[0] + p[0], s[1] + p[1], s[2] + p[2]], [0, 0, 0] as Vec3)
  return [sum[0] / points.length, sum[1] / points.length, sum[2] / points.length]
}

/** A last part ends as far beyond its middle as the middle lies from the joint. */
function endOfLeaf(local: Vec3[]): Vec3 {
  const middle = meanOf(local)
  return [1.8 * middle[0], 1.8 * middle[1], 1.8 * middle[2]]
}

function boxOf(local: Vec3[], margin: number): { centre: Vec3; half: Vec3 } {
  const axes = [0, 1, 2].map((axis) => {
    const values = local.map((p) => p[axis])
    const low = values.reduce((a, b) => Math.min(a, b), Infinity)
    const high = values.reduce((a, b) => Math.max(a, b), -Infinity)
    return { centre: (low + high) / 2, half: (high - low) / 2 + margin }
  })
  return {
    centre: axes.map((axis) => axis.centre) as unknown as Vec3,
    half: axes.map((axis) => axis.half) as unknown as Vec3,
  }
}

function meanDistance(local: Vec3[], start: Vec3, end: Vec3): number {
  const d = [end[0] - start[0], end[1] - start[1], end[2] - start[2]]
  const squared = d[0] ** 2 + d[1] ** 2 + d[2] ** 2 + 1e-12
  let sum = 0
  for (const p of local) {
    const v = [p[0] - start[0], p[1] - start[1], p[2] - start[2]]
    const t = Math.min(Math.max((v[0] * d[0] + v[1] * d[1] + v[2] * d[2]) / squared, 0), 1)
    sum += Math.hypot(v[0] - t * d[0], v[1] - t * d[1], v[2] - t * d[2])
  }
  return sum / local.length
}
