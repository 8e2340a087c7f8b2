/** Labelled samples of a body's poses, seen from its bones: what a network in bone frames is trained on. */
import { boxExpand, boxOfPoints, type TriangleMesh } from 'pliant'
import {
  type BoneNetworkShape,
  chooseBones,
  MAX_DRIVERS,
  makePosedBones,
  type OnProgress,
  poseBones,
  progressWithin,
} from 'pliant/unstable'
import { LabelPool, labelInBlocks } from '../../label/index.js'
import { type PointMix, samplePoints } from '../../sample/points.js'
import { streamOf } from '../../streams/random-streams.js'

/** Poses of a body with bones: a character's, or an elastic body's with its parts. */
export interface BonePoses {
  count: number
  /** At rest, in the root frame [m]. */
  mesh: TriangleMesh
  /** Vertices of a pose [m]. */
  positions(pose: number, out: Float64Array): void
  /** Bones of a pose: column-major 4x4 into the root frame, one per joint that bones refer to, and drivers. */
  bones(pose: number): { matrices: Float64Array; drivers: Float32Array }
}

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
  /** What bends each bone's part, poses x bones x 3 * MAX_DRIVERS. */
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
  /** Whether there is time for no more: what is labelled then must do. */
  isOver?: () => boolean
  onProgress?: OnProgress
}

export async function makeBoneData(
  shape: BoneNetworkShape,
  poses: BonePoses,
  options: BoneDataOptions,
): Promise<BoneData> {
  const { pointsPerPose } = options
  const bones = shape.bones.length
  const rows = poses.count * pointsPerPose
  const data: BoneData = {
    poses: poses.count,
    pointsPerPose,
    points: new Float32Array(3 * rows),
    distances: new Float32Array(rows),
    normals: new Float32Array(3 * rows),
    hidden: new Uint8Array(rows),
    bones: new Uint8Array(rows * shape.nearest),
    windows: new Float32Array(rows * shape.nearest),
    toBox: new Float64Array(poses.count * bones * 12),
    drivers: new Float32Array(poses.count * bones * 3 * MAX_DRIVERS),
  }
  const pool = await LabelPool.create(poses.mesh, { threads: options.threads })
  const sampling = new BoneSampling(shape, poses, data, options)
  const { signal } = options
  try {
    const label = async (from: number, count: number, onProgress: OnProgress): Promise<void> => {
      const half = (before: number) => ({ signal, onProgress: progressWithin(onProgress, before, before + 0.5) })
      const block = { poses: count, pointsPerPose }
      const start = from * pointsPerPose
      await pool.label(
        {
          ...block,
          prepare: (p, positions, points) => sampling.draw(from + p, positions, points),
          distances: data.distances.subarray(start),
          normals: data.normals.subarray(3 * start),
        },
        half(0),
      )
      const beyond = new Float32Array(count * pointsPerPose)
      await pool.label(
        {
          ...block,
          prepare: (p, positions, points) => sampling.stepOut(from + p, positions, points),
          distances: beyond,
        },
        half(0.5),
      )
      for (let i = 0; i < beyond.length; i++) {
        data.hidden[start + i] = data.distances[start + i] < 0 && beyond[i] < 0 ? 1 : 0
      }
    }
    data.poses = await labelInBlocks(poses.count, label, options)
  } finally {
    await pool.dispose()
  }
  return data
}

/** A step outward from a surface that is not hidden leaves the body; this long, in units of the shape's scale. */
const OUTWARD = 1e-4

/** Which points of a pose are labelled. */
class BoneSampling {
  private readonly posed: ReturnType<typeof makePosedBones>
  private readonly choice: { bones: Int32Array; windows: Float64Array }

  constructor(
    private readonly shape: BoneNetworkShape,
    private readonly poses: BonePoses,
    private readonly data: BoneData,
    private readonly options: BoneDataOptions,
  ) {
    this.posed = makePosedBones(shape.bones.length)
    this.choice = { bones: new Int32Array(shape.nearest), windows: new Float64Array(shape.nearest) }
  }

  /** Draws points of a pose, and sees them from its bones. */
  draw(p: number, positions: Float64Array, points: Float64Array): void {
    const { shape, poses, data, options, posed, choice } = this
    const { pointsPerPose } = data
    const bones = shape.bones.length
    poses.positions(p, positions)
    const random = streamOf('trainingPoints', options.seed, p)
    const domain = boxExpand(boxOfPoints(positions), options.margin)
    const body = { positions, triangles: poses.mesh.triangles }
    samplePoints(body, domain, options.mix, options.sigma, pointsPerPose, random, points)
    const { matrices, drivers } = poses.bones(p)
    poseBones(shape, matrices, posed)
    data.toBox.set(posed.toBox, p * bones * 12)
    data.drivers.set(drivers, p * bones * 3 * MAX_DRIVERS)
    for (let i = 0; i < pointsPerPose; i++) {
      chooseBones(shape, posed, points[3 * i], points[3 * i + 1], points[3 * i + 2], choice)
      const at = (p * pointsPerPose + i) * shape.nearest
      data.bones.set(choice.bones, at)
      data.windows.set(choice.windows, at)
    }
    data.points.set(points, 3 * p * pointsPerPose)
  }

  /**
   * Where the body meets itself, an inner point may be nearest to a surface that nobody can touch: the depth below the
   * outer surface is at least that, and no more is known. From the nearest surface such a point goes on inside; these
   * are the points a step beyond.
   */
  stepOut(p: number, positions: Float64Array, points: Float64Array): void {
    const { data, poses, shape } = this
    const { pointsPerPose, distances } = data
    const step = OUTWARD * shape.scale
    poses.positions(p, positions)
    const start = p * pointsPerPose
    for (let i = 0; i < pointsPerPose; i++) {
      const way = distances[start + i] < 0 ? step - distances[start + i] : 0
      for (let axis = 0; axis < 3; axis++) {
        const at = 3 * (start + i) + axis
        points[3 * i + axis] = data.points[at] + way * data.normals[at]
      }
    }
  }
}
