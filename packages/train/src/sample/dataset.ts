/**
 * The labelled samples of all training poses, in normalised units and flat arrays. Everything is drawn from streams of
 * the seed by pose, so the set does not depend on how many workers labelled it.
 */
import { type LinearModes, type NeuralFrame, randomStream } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
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
  const positions = new Float64Array(model.rest.length)
  const exact = new ExactMeshField({ positions: model.rest, triangles: model.triangles })
  for (const [pose, code] of codes.entries()) {
    options.signal?.throwIfAborted()
    code.forEach((value, i) => {
      data.codes[pose * model.codeSize + i] = (value - codeOffset[i]) * codeScale[i]
    })
    model.positions(code, positions)
    exact.update(positions)
    const points = data.points.subarray(3 * pose * pointsPerPose, 3 * (pose + 1) * pointsPerPose)
    const distances = data.distances.subarray(pose * pointsPerPose, (pose + 1) * pointsPerPose)
    const random = randomStream(spec.seed, FIRST_STREAM + pose)
    const mesh = { positions, triangles: model.triangles }
    samplePoints(mesh, frame.domain, spec.mix, spec.nearSigma * scale, pointsPerPose, random, points)
    exact.evaluate(points, pointsPerPose, distances)
    for (let i = 0; i < points.length; i++) points[i] = (points[i] - centre[i % 3]) / scale
    for (let i = 0; i < distances.length; i++) distances[i] /= scale
    options.onProgress?.((pose + 1) / poses)
    if (pose % 8 === 0) await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return data
}
