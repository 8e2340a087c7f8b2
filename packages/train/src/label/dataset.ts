/**
 * The labelled samples of all training poses, in normalised units and flat arrays. Everything is drawn from streams of
 * the seed by pose, so the set does not depend on how many workers labelled it.
 */
import type { NeuralFrame } from 'pliant'
import type { OnProgress } from 'pliant/unstable'
import type { PosedShapes } from '../poses/posed-shapes.js'
import { type PointMix, samplePoints } from '../sample/points.js'
import { streamOf } from '../streams/random-streams.js'
import { LabelPool, labelInBlocks } from './index.js'

export interface Dataset {
  poses: number
  pointsPerPose: number
  /** Normalised codes, poses x code size. */
  codes: Float32Array
  /** Normalised points, poses x points x 3. */
  points: Float32Array
  /** Exact normalised distances, poses x points. */
  distances: Float32Array
}

/** How to sample each pose. */
export interface SampleSpec {
  seed: number
  pointsPerPose: number
  mix: PointMix
  /** Spread of the near points, in normalised units. */
  nearSigma: number
}

export interface DatasetOptions {
  threads: number
  signal?: AbortSignal
  /** Whether there is time for no more: what is labelled then must do. */
  isOver?: () => boolean
  /** Told which part of the poses is labelled. */
  onProgress?: OnProgress
}

export async function makeDataset(
  spec: SampleSpec,
  { mesh, codes, positions: posedPositions }: PosedShapes,
  frame: NeuralFrame,
  options: DatasetOptions,
): Promise<Dataset> {
  const { pointsPerPose } = spec
  const poses = codes.length
  const { centre, scale, codeOffset, codeScale } = frame.normalisation
  const codeSize = frame.code.size
  const data: Dataset = {
    poses,
    pointsPerPose,
    codes: new Float32Array(poses * codeSize),
    points: new Float32Array(3 * poses * pointsPerPose),
    distances: new Float32Array(poses * pointsPerPose),
  }
  for (const [pose, code] of codes.entries()) {
    code.forEach((value, i) => {
      data.codes[pose * codeSize + i] = (value - codeOffset[i]) * codeScale[i]
    })
  }
  const pool = await LabelPool.create(mesh, options)
  try {
    const label = (from: number, count: number, onProgress: OnProgress): Promise<void> => {
      const prepare = (at: number, positions: Float64Array, points: Float64Array): void => {
        const pose = from + at
        posedPositions(pose, positions)
        const random = streamOf('trainingPoints', spec.seed, pose)
        const posed = { positions, triangles: mesh.triangles }
        samplePoints(posed, frame.domain, spec.mix, spec.nearSigma * scale, pointsPerPose, random, points)
        const start = 3 * pose * pointsPerPose
        for (let i = 0; i < points.length; i++) data.points[start + i] = (points[i] - centre[i % 3]) / scale
      }
      const distances = data.distances.subarray(from * pointsPerPose)
      return pool.label({ poses: count, pointsPerPose, prepare, distances }, { signal: options.signal, onProgress })
    }
    data.poses = await labelInBlocks(poses, label, options)
  } finally {
    await pool.dispose()
  }
  for (let i = 0; i < data.distances.length; i++) data.distances[i] /= scale
  return data
}
