/** Labelled samples of a character's poses, seen from its bones: what a network in bone frames is trained on. */
import { boxExpand, boxOfPoints, randomStream } from 'pliant'
import {
  BoneDrivers,
  type BoneNetworkShape,
  chooseBones,
  MAX_DRIVERS,
  makePosedBones,
  poseBones,
  type SkeletonPose,
  type SkinnedCharacter,
} from 'pliant/character'
import { LabelPool } from '../label/index.js'
import { type PointMix, samplePoints } from '../sample/points.js'

/** Random streams of samples start here, one per pose. */
const FIRST_STREAM = 1_000_000

export interface BoneData {
  poses: number
  pointsPerPose: number
  /** Root frame [m], poses x points x 3. */
  points: Float32Array
  /** Exact distances [m]. */
  distances: Float32Array
  /** Exact normals. */
  normals: Float32Array
  /** 1 where the nearest surface is itself inside the body, as where an arm sinks into the chest. */
  hidden: Uint8Array
  /** Chosen bones and their windows, poses x points x nearest. */
  bones: Uint8Array
  windows: Float32Array
  /** Root frame to bone boxes, poses x bones x 12. */
  toBox: Float64Array
  /** Rotation vectors of the drivers, poses x bones x 3 * MAX_DRIVERS. */
  drivers: Float32Array
}

export interface BoneDataOptions {
  pointsPerPose: number
  mix: PointMix
  /** Spread of near points [m]. */
  sigma: number
  /** Room around the body in which uniform points lie [m]. */
  margin: number
  seed: number
  threads: number
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
}

export async function makeBoneData(
  character: SkinnedCharacter,
  shape: BoneNetworkShape,
  poses: readonly SkeletonPose[],
  options: BoneDataOptions,
): Promise<BoneData> {
  const { pointsPerPose } = options
  const bones = shape.bones.length
  const rows = poses.length * pointsPerPose
  const data: BoneData = {
    poses: poses.length,
    pointsPerPose,
    points: new Float32Array(3 * rows),
    distances: new Float32Array(rows),
    normals: new Float32Array(3 * rows),
    hidden: new Uint8Array(rows),
    bones: new Uint8Array(rows * shape.nearest),
    windows: new Float32Array(rows * shape.nearest),
    toBox: new Float64Array(poses.length * bones * 12),
    drivers: new Float32Array(poses.length * bones * 3 * MAX_DRIVERS),
  }
  const rest = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, rest)
  const mesh = { positions: rest, triangles: character.triangles }
  const pool = await LabelPool.create(mesh, { threads: options.threads })
  const matrices = new Float64Array(16 * character.skeleton.jointCount)
  const posed = makePosedBones(bones)
  const drivers = new BoneDrivers(character.skeleton, shape.bones)
  const choice = { bones: new Int32Array(shape.nearest), windows: new Float64Array(shape.nearest) }
  try {
    await pool.label(
      {
        poses: poses.length,
        pointsPerPose,
        prepare(p, positions, points) {
          character.positionsOfPose(poses[p], positions)
          const random = randomStream(options.seed, FIRST_STREAM + p)
          const domain = boxExpand(boxOfPoints(positions), options.margin)
          const body = { positions, triangles: character.triangles }
          samplePoints(body, domain, options.mix, options.sigma, pointsPerPose, random, points)
          character.skeleton.matrices(poses[p], matrices)
          poseBones(shape, matrices, posed)
          data.toBox.set(posed.toBox, p * bones * 12)
          drivers.write(poses[p], data.drivers, p * bones * 3 * MAX_DRIVERS)
          for (let i = 0; i < pointsPerPose; i++) {
            chooseBones(shape, posed, points[3 * i], points[3 * i + 1], points[3 * i + 2], choice)
            const at = (p * pointsPerPose + i) * shape.nearest
            data.bones.set(choice.bones, at)
            data.windows.set(choice.windows, at)
          }
          data.points.set(points, 3 * p * pointsPerPose)
        },
        distances: data.distances,
        normals: data.normals,
      },
      { signal: options.signal, onProgress: (fraction) => options.onProgress?.(fraction / 2) },
    )
    await markHidden(character, poses, data, pool, options)
  } finally {
    await pool.dispose()
  }
  return data
}

/** A step outward from a surface that is not hidden leaves the body; this long, in body heights. */
const OUTWARD = 1e-4

/**
 * Where the body meets itself, an inner point may be nearest to a surface that nobody can touch: the depth below the
 * outer surface is at least that, and no more is known. From the nearest surface such a point goes on inside.
 */
async function markHidden(
  character: SkinnedCharacter,
  poses: readonly SkeletonPose[],
  data: BoneData,
  pool: LabelPool,
  options: BoneDataOptions,
): Promise<void> {
  const { pointsPerPose, distances } = data
  const beyond = new Float32Array(distances.length)
  const step = OUTWARD * character.height
  await pool.label(
    {
      poses: data.poses,
      pointsPerPose,
      prepare(p, positions, points) {
        character.positionsOfPose(poses[p], positions)
        const start = p * pointsPerPose
        for (let i = 0; i < pointsPerPose; i++) {
          const way = distances[start + i] < 0 ? step - distances[start + i] : 0
          for (let axis = 0; axis < 3; axis++) {
            const at = 3 * (start + i) + axis
            points[3 * i + axis] = data.points[at] + way * data.normals[at]
          }
        }
      },
      distances: beyond,
    },
    { signal: options.signal, onProgress: (fraction) => options.onProgress?.(0.5 + fraction / 2) },
  )
  for (let i = 0; i < distances.length; i++) data.hidden[i] = distances[i] < 0 && beyond[i] < 0 ? 1 : 0
}
