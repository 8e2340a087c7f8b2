/**
 * The labelled samples of all training poses, in normalised units and flat arrays. Everything is drawn from streams of
 * the seed by pose, so the set does not depend on how many workers labelled it.
 */
import { type LinearModes, type NeuralFrame, randomStream } from 'pliant'
import { LabelPool } from '../label/index.js'
import { drawCodes } from '../poses/codes.js'
import type { TrainSpec } from '../spec/train-spec.js'
import { samplePoints } from './points.js'

/** Random streams of samples start here, one per pose. */
const FIRST_STREAM = 1_000_000

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

export interface DatasetOptions {
  threads: number
  signal?: AbortSignal
  /** @param fraction of the poses that are labelled */
  onProgress?: (fraction: number) => void
}

export async function makeDataset(
  spec: TrainSpec,
  model: LinearModes,
  frame: NeuralFrame,
  options: DatasetOptions,
): Promise<Dataset> {
  const { poses, pointsPerPose } = spec
  const { centre, scale, codeOffset, codeScale } = frame.normalisation
  const codes = drawCodes(model, poses, spec.seed, 'train')
  const data: Dataset = {
    poses,
    pointsPerPose,
    codes: new Float32Array(poses * model.codeSize),
    points: new Float32Array(3 * poses * pointsPerPose),
    distances: new Float32Array(poses * pointsPerPose),
  }
  for (const [pose, code] of codes.entries()) {
    code.forEach((value, i) => {
      data.codes[pose * model.codeSize + i] = (value - codeOffset[i]) * codeScale[i]
    })
  }
  const pool = await LabelPool.create({ positions: model.rest, triangles: model.triangles }, options)
  try {
    await pool.label(
      {
        poses,
        pointsPerPose,
        prepare(pose, positions, points) {
          model.positions(codes[pose], positions)
          const random = randomStream(spec.seed, FIRST_STREAM + pose)
          const mesh = { positions, triangles: model.triangles }
          samplePoints(mesh, frame.domain, spec.mix, spec.nearSigma * scale, pointsPerPose, random, points)
          const start = 3 * pose * pointsPerPose
          for (let i = 0; i < points.length; i++) data.points[start + i] = (points[i] - centre[i % 3]) / scale
        },
        distances: data.distances,
      },
      options,
    )
  } finally {
    await pool.dispose()
  }
  for (let i = 0; i < data.distances.length; i++) data.distances[i] /= scale
  return data
}
