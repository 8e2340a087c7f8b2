/**
 * A trained character beside what a game would use instead, in one run: quality on poses never trained on, and the cost
 * of a frame, which is the change of pose and then N queries (the paper's Fig. 6). The fair rival is typed-array skinning
 * + three-mesh-bvh refit + closest point; it answers unsigned distance only.
 */
import { measureCharacter } from '@pliant/train'
import { boxOfPoints, type Quality, randomStream, sampleSurface } from 'pliant'
import {
  BoneCapsulesField,
  type BoneFrame,
  BoneGridsField,
  boneMultiplications,
  type CharacterArtifact,
  decodeCharacter,
  isWholeBody,
  loadCharacter,
  type SkeletonPose,
} from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { BufferAttribute, BufferGeometry, Vector3 } from 'three'
import { MeshBVH } from 'three-mesh-bvh'
import type { SuiteOptions } from './suite.js'
import { timeTurns } from './turns.js'

export interface CharacterBenchRow {
  points: 'uniform' | 'near'
  count: number
  /** Median time of one frame [microseconds]; with normals but for three-mesh-bvh. */
  learned: number
  boneGrids: number
  capsules: number
  threeMeshBvh: number
  /** threeMeshBvh / learned: above 1 the learned field is faster. */
  ratio: number
}

export interface CharacterBenchResult {
  name: string
  height: number
  triangles: number
  bones: number
  multiplications: number
  backend: string
  artifactBytes: number
  /** Clips that the poses are of; none: clips that were trained on, with noise. */
  heldOut: string[]
  quality: Record<'learned' | 'boneGrids' | 'capsules', Quality>
  rows: CharacterBenchRow[]
}

const COUNTS = [1, 16, 128, 1024, 8192]
/** Near points lie within this share of the height from the surface. */
const NEAR = 0.015

export async function benchCharacter({
  artifact,
  signal,
  onProgress,
  quick,
}: SuiteOptions): Promise<CharacterBenchResult> {
  if (!artifact) throw new Error('bench character: no artifact; train one and pass it with --file.')
  const decoded = decodeCharacter(artifact)
  const { manifest, character, heldOut } = decoded
  const { network } = manifest
  if (isWholeBody(network)) {
    throw new Error("bench character: the file holds the paper's network; pass one in bone frames with --file.")
  }
  const fields = await makeFields(decoded, network.bones)
  const poses = heldOut.slice(0, quick ? 10 : heldOut.length)
  const quality = await measureCharacter(fields, character, poses, {
    points: 2000,
    seed: 3,
    signal,
    onProgress: (fraction) => onProgress?.({ fraction: 0.3 * fraction, stage: 'quality' }),
  })
  const rows: CharacterBenchRow[] = []
  for (const points of ['uniform', 'near'] as const) {
    for (const count of COUNTS) {
      signal?.throwIfAborted()
      rows.push(timeRow(decoded, fields, points, count, quick ? 0.15 : 0.5))
      const fraction = 0.3 + (0.7 * rows.length) / (2 * COUNTS.length)
      onProgress?.({ fraction, stage: 'speed', detail: `${count} ${points} points` })
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }
  fields.learned.dispose()
  return {
    name: manifest.name,
    height: character.height,
    triangles: character.triangles.length / 3,
    bones: network.bones.length,
    multiplications: boneMultiplications(network),
    backend: fields.learned.network.backend,
    artifactBytes: artifact.length,
    heldOut: manifest.heldOut.clips,
    quality,
    rows,
  }
}

async function makeFields(artifact: CharacterArtifact, bones: readonly BoneFrame[]) {
  const { character } = artifact
  const { skeleton, triangles } = character
  const rest = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(skeleton.rest, rest)
  const restField = new ExactMeshField({ positions: rest, triangles })
  const restMatrices = new Float64Array(16 * skeleton.jointCount)
  skeleton.matrices(skeleton.rest, restMatrices)
  const following = <Field extends { poseMatrices(matrices: ArrayLike<number>): void }>(field: Field) =>
    Object.assign(field, {
      poseSkeleton: (_pose: SkeletonPose, matrices: Float64Array): void => field.poseMatrices(matrices),
    })
  return {
    learned: await loadCharacter(artifact),
    boneGrids: following(BoneGridsField.sample(bones, restField, restMatrices)),
    capsules: following(BoneCapsulesField.fit(bones, restField, restMatrices)),
  }
}

interface Frame {
  pose: SkeletonPose
  points: Float32Array
}

function timeRow(
  artifact: CharacterArtifact,
  fields: Awaited<ReturnType<typeof makeFields>>,
  points: 'uniform' | 'near',
  count: number,
  seconds: number,
): CharacterBenchRow {
  const { character, heldOut } = artifact
  const { skeleton } = character
  const frames = heldOut.slice(0, 16).map((pose, n) => ({ pose, points: drawPoints(artifact, pose, points, count, n) }))
  const matrices = new Float64Array(16 * skeleton.jointCount)
  const distances = new Float32Array(count)
  const normals = new Float32Array(3 * count)
  const ask =
    (field: (typeof fields)[keyof typeof fields]) =>
    (frame: Frame): void => {
      skeleton.matrices(frame.pose, matrices)
      field.poseSkeleton(frame.pose, matrices)
      field.gradient(frame.points, count, distances, normals)
    }
  const rivals = {
    learned: ask(fields.learned),
    boneGrids: ask(fields.boneGrids),
    capsules: ask(fields.capsules),
    threeMeshBvh: refittedTree(artifact, count),
  }
  const times = timeTurns(rivals, frames, seconds, (rival, frame) => rival(frame))
  return { points, count, ...times, ratio: times.threeMeshBvh / times.learned }
}

/** Skins into the tree's own array, refits, and asks point by point with reused targets. */
function refittedTree({ character }: CharacterArtifact, count: number): (frame: Frame) => void {
  const geometry = new BufferGeometry()
  const vertices = new Float32Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, vertices)
  geometry.setAttribute('position', new BufferAttribute(vertices, 3))
  geometry.setIndex(new BufferAttribute(character.triangles.slice(), 1))
  const bvh = new MeshBVH(geometry)
  const point = new Vector3()
  const target = { point: new Vector3(), distance: 0, faceIndex: 0 }
  return ({ pose, points }) => {
    character.positionsOfPose(pose, vertices)
    bvh.refit()
    for (let i = 0; i < count; i++) {
      bvh.closestPointToPoint(point.set(points[3 * i], points[3 * i + 1], points[3 * i + 2]), target)
    }
  }
}

/** Uniform in the posed body's box, or within a short way of its surface, where cloth really is. */
function drawPoints(
  { character }: CharacterArtifact,
  pose: SkeletonPose,
  kind: 'uniform' | 'near',
  count: number,
  stream: number,
): Float32Array {
  const random = randomStream(4, stream)
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(pose, positions)
  const points = new Float32Array(3 * count)
  const normals = new Float32Array(3 * count)
  if (kind === 'near') {
    sampleSurface({ positions, triangles: character.triangles }, count, random, { points, normals })
    for (let i = 0; i < count; i++) {
      const offset = random.between(-NEAR, NEAR) * character.height
      for (let axis = 3 * i; axis < 3 * i + 3; axis++) points[axis] += offset * normals[axis]
    }
    return points
  }
  const { lower, upper } = boxOfPoints(positions)
  for (let i = 0; i < points.length; i++) points[i] = random.between(lower[i % 3], upper[i % 3])
  return points
}
