/**
 * The pose whose shape is nearest to given vertices, wherever in the world and in whatever unit they are: a recorded
 * sequence of vertices as motion of the skeleton. All joints below the root may turn, those outside the code too.
 * Every shape that is tried is first carried onto the vertices by its best similarity, so that only bending is left to
 * fit; finding the place and the bending in turns was tried and left 1% of the height after three.
 */
import type { Floats } from '../math/floats.js'
import { normaliseQuaternion, rotateVector } from '../math/quaternion.js'
import { bestTurn, fitJointCode } from './fit-joint-code.js'
import { JointCode } from './joint-code.js'
import type { SkeletonPose } from './skeleton.js'
import { SkinnedCharacter } from './skinned-character.js'

/**
 * @param positions  vertices, xyz triples, as many as the character has
 * @param out        receives the pose, the root and what is above it at rest
 * @returns mean distance between given vertices and the pose's [m]
 * @throws RangeError if there is another number of vertices
 */
export function fitPose(character: SkinnedCharacter, positions: Floats, out: SkeletonPose): number {
  const { skeleton, vertexCount } = character
  if (positions.length !== 3 * vertexCount) {
    throw new RangeError(
      `fit pose: ${positions.length / 3} vertices, the character has ${vertexCount}; give those of the same mesh.`,
    )
  }
  const free = new SkinnedCharacter({ ...dataOf(character), code: codeOfAllJoints(character) })
  const shape = new Float64Array(3 * vertexCount)
  const target = new Float64Array(3 * vertexCount)
  const all = Array.from({ length: vertexCount }, (_, v) => v)
  // First as the root's own vertices stand at rest: turns of joints are found from there.
  character.positionsOfPose(skeleton.rest, shape)
  carryOnto(positions, shape, verticesOf(character, skeleton.root), target)
  const placed = {
    ...dataOf(character),
    vertexCount,
    code: free.code,
    codeSize: free.codeSize,
    bounds: free.bounds,
    positions(code: ArrayLike<number>, placedShape: Floats): void {
      free.positions(code, shape)
      carryOnto(shape, target, all, placedShape)
    },
  }
  const code = new Float64Array(free.codeSize)
  fitJointCode(placed, target, code)
  free.code.decode(code, out)
  placed.positions(code, shape)
  let sum = 0
  for (let at = 0; at < shape.length; at += 3) {
    sum += Math.hypot(shape[at] - target[at], shape[at + 1] - target[at + 1], shape[at + 2] - target[at + 2])
  }
  return sum / vertexCount
}

function dataOf({ skeleton, surface, skinning, height }: SkinnedCharacter) {
  return { skeleton, surface, skinning, height }
}

/** Rotations of all joints below the root; slides stay where the character's own code has them. */
function codeOfAllJoints({ skeleton, code }: SkinnedCharacter): JointCode {
  const joints = [...skeleton.belowRoot.keys()].filter((joint) => skeleton.belowRoot[joint] === 1)
  const size = 3 * joints.length
  return new JointCode(skeleton, {
    joints: Uint16Array.from({ length: size }, (_, entry) => joints[Math.floor(entry / 3)]),
    axes: Uint8Array.from({ length: size }, (_, entry) => entry % 3),
    units: new Float64Array(size).fill(Math.PI),
    carriers: code.carriers,
    bases: code.bases,
    fixed: code.fixed,
    bounds: { lower: new Float64Array(size).fill(-1), upper: new Float64Array(size).fill(1) },
    dropped: [],
    largestAngle: Math.PI,
  })
}

/** Vertices that a joint moves by more than half; all if it moves none so. */
function verticesOf({ surface, vertexCount }: SkinnedCharacter, joint: number): number[] {
  const { influenceStarts, influenceBones, influenceWeights, bones } = surface
  const all = Array.from({ length: vertexCount }, (_, v) => v)
  const owned = all.filter((v) => {
    const heaviest = influenceStarts[v]
    return bones.joints[influenceBones[heaviest]] === joint && influenceWeights[heaviest] > 0.5
  })
  return owned.length >= 3 ? owned : all
}

/** Moves, turns and scales `from` so that some of its points come nearest to those of `onto`. */
function carryOnto(from: Floats, onto: Floats, points: readonly number[], out: Floats): void {
  const [a, b] = [centreOf(from, points), centreOf(onto, points)]
  const scale = Math.sqrt(spreadOf(onto, points, b) / spreadOf(from, points, a))
  for (let i = 0; i < out.length; i++) out[i] = scale * (from[i] - a[i % 3]) + b[i % 3]
  const turn = new Float64Array(4)
  bestTurn(out, onto, points, b, turn)
  normaliseQuaternion(turn, 0)
  for (let i = 0; i < out.length; i++) out[i] -= b[i % 3]
  for (let at = 0; at < out.length; at += 3) rotateVector(turn, 0, out, at, out, at)
  for (let i = 0; i < out.length; i++) out[i] += b[i % 3]
}

function centreOf(places: Floats, points: readonly number[]): number[] {
  return [0, 1, 2].map((axis) => points.reduce((sum, v) => sum + places[3 * v + axis], 0) / points.length)
}

function spreadOf(places: Floats, points: readonly number[], [x, y, z]: number[]): number {
  return points.reduce((sum, v) => {
    return sum + (places[3 * v] - x) ** 2 + (places[3 * v + 1] - y) ** 2 + (places[3 * v + 2] - z) ** 2
  }, 0)
}
