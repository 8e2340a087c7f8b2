/**
 * How many parts a point of this character must ask: three, or four where three leave out too many owners.
 *
 * A part that is not asked cannot answer, however long it is trained; those are the largest errors of a character. The
 * owner of a point is the part with the most weight on its nearest triangle. Near smooth bodies with long limbs three
 * parts hold the owner nearly always; near stout ones, whose head or helmet is as broad as the trunk, they do not
 * (docs/notes/character.md). A fourth costs a quarter more time a query.
 */
import { boxExpand, boxOfPoints } from 'pliant'
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { type BoneFrame, type BoneNetworkShape, chooseBones, makePosedBones, poseBones } from 'pliant/unstable'
import { samplePoints } from '../../sample/points.js'
import { streamOf } from '../../streams/random-streams.js'

const FEW = 3
const MANY = 4
/** Share of points near the surface whose owner may be left out. */
const MAY_MISS = 0.005

/** Poses to look at, and points of each, as spread as those trained on. */
const POSES = 40
const POINTS = 500

/** @param near  how far points lie from the surface [m]: the spread of those trained on */
export function partsToAsk(
  character: SkinnedCharacter,
  shape: Omit<BoneNetworkShape, 'nearest'>,
  poses: readonly SkeletonPose[],
  near: number,
  seed: number,
): number {
  return ownersMissed(character, { ...shape, nearest: FEW }, poses, near, seed) > MAY_MISS ? MANY : FEW
}

/** Share, 0 to 1, of points near the surface whose owner is not among the parts they ask. */
export function ownersMissed(
  character: SkinnedCharacter,
  shape: BoneNetworkShape,
  poses: readonly SkeletonPose[],
  near: number,
  seed: number,
): number {
  const { skeleton, triangles, vertexCount } = character
  const positions = new Float64Array(3 * vertexCount)
  character.positionsOfPose(skeleton.rest, positions)
  const exact = new ExactMeshField({ positions, triangles })
  const owners = triangleOwners(character, shape.bones)
  const matrices = new Float64Array(16 * skeleton.jointCount)
  const posed = makePosedBones(shape.bones.length)
  const choice = { bones: new Int32Array(shape.nearest), windows: new Float64Array(shape.nearest) }
  const points = new Float64Array(3 * POINTS)
  const nearest = { distances: new Float64Array(POINTS), triangleIds: new Uint32Array(POINTS) }
  const looked = Math.min(POSES, poses.length)
  let missed = 0
  for (let p = 0; p < looked; p++) {
    const pose = poses[Math.floor((p * poses.length) / looked)]
    character.positionsOfPose(pose, positions)
    exact.update({ vertices: positions })
    skeleton.matrices(pose, matrices)
    poseBones(shape, matrices, posed)
    const domain = boxExpand(boxOfPoints(positions), near)
    const random = streamOf('partsToAsk', seed, p)
    samplePoints({ positions, triangles }, domain, ALL_NEAR, near, POINTS, random, points)
    exact.closest(points, POINTS, nearest)
    for (let i = 0; i < POINTS; i++) {
      chooseBones(shape, posed, points[3 * i], points[3 * i + 1], points[3 * i + 2], choice)
      if (!choice.bones.includes(owners[nearest.triangleIds[i]])) missed++
    }
  }
  return missed / (looked * POINTS)
}

const ALL_NEAR = { surface: 0, near: 1, uniform: 0 }

/** Of each triangle, the part with the most weight on its corners. */
function triangleOwners({ skeleton, surface, triangles }: SkinnedCharacter, bones: readonly BoneFrame[]): Uint8Array {
  const partOfJoint = new Map(bones.map(({ joint }, part) => [joint, part]))
  /** Joints without a part of their own go with the nearest above that has one. */
  const partOf = (joint: number): number => partOfJoint.get(joint) ?? (joint < 0 ? 0 : partOf(skeleton.parents[joint]))
  const parts = Int32Array.from(surface.bones.joints, partOf)
  const weights = new Float64Array(bones.length)
  return Uint8Array.from({ length: triangles.length / 3 }, (_, t) => {
    weights.fill(0)
    for (const v of triangles.subarray(3 * t, 3 * t + 3)) {
      for (let i = surface.influenceStarts[v]; i < surface.influenceStarts[v + 1]; i++) {
        weights[parts[surface.influenceBones[i]]] += surface.influenceWeights[i]
      }
    }
    return weights.indexOf(Math.max(...weights))
  })
}
