/**
 * Every use of random numbers in training, evaluating and benchmarks, in one table: each has its own streams of the seed,
 * one for each pose, drop, tensor or step, and no two uses share one. What is judged by is never what was trained on.
 * Nobody else calls `randomStream`; a test looks at that, and that no two entries overlap.
 */
import { type Random, randomStream } from 'pliant'

/** Seed of what belongs to a shape and not to a run of training: the same points, whatever the run's seed. */
export const SHAPE_SEED = 1

/** First stream of each use, and how many it may take; all below 2^31. */
export const STREAMS = {
  fillingPoints: [0, 1],
  trainingCodes: [1, 1],
  frameCodes: [2, 1],
  evaluationCodes: [3, 1],
  benchCodes: [4, 1],
  fillingReport: [5, 1],
  fillingLost: [6, 1],
  lanczosStart: [7, 1],
  surfaceDeviation: [8, 1],
  benchWeights: [9, 1],
  benchBatch: [10, 1],
  benchMatrices: [11, 1],
  benchTurns: [12, 1],
  benchMoments: [13, 1],
  referenceCodes: [15, 1],
  modeScales: [100, 900],
  evaluationContactCodes: [20, 1],
  clearancePilot: [21, 1],
  clearanceOffset: [22, 1],
  evenCodes: [23, 1],
  fittedFrames: [30, 1],
  initialValues: [1000, 999_000],
  trainingPoints: [1_000_000, 499_000_000],
  trainingDrops: [500_000_000, 1_000_000],
  evaluationDrops: [501_000_000, 99_000_000],
  trainingNoise: [600_000_000, 99_999_999],
  heldOutClips: [699_999_999, 1],
  trainingClipPoses: [700_000_000, 100_000_000],
  evaluationClipPoses: [800_000_000, 100_000_000],
  spreadNoise: [900_000_000, 49_999_999],
  bentPoses: [949_999_999, 1],
  violentPoses: [950_000_000, 50_000_000],
  trainingRanges: [1_000_000_000, 1_000_000],
  evaluationRanges: [1_001_000_000, 1_000_000],
  partsToAsk: [1_002_000_000, 1_000_000],
  rivalPoints: [1_003_000_000, 1_000_000],
  rivalOrder: [1_004_000_000, 1_000_000],
  benchPoints: [1_005_000_000, 1_000_000],
  eikonalCodes: [1_006_000_000, 1_000_000],
  roundSamples: [1_010_000_000, 200_000_000],
  roundBatches: [1_210_000_000, 200_000_000],
  contactPoses: [1_410_000_000, 1_000_000],
  deformingPoses: [1_411_000_000, 1],
  shapeSpaceBatches: [1_480_000_000, 10_000_000],
  shapeSpaceValues: [1_490_000_000, 1_000_000],
  evaluationPoints: [1_500_000_000, 499_000_000],
  batches: [2_000_000_000, 147_483_648],
} as const

export type StreamUse = keyof typeof STREAMS

/**
 * @param index  of the pose, drop, tensor or step
 * @throws RangeError beyond the streams of that use: another's would begin there
 */
export function streamOf(use: StreamUse, seed: number, index = 0): Random {
  const [first, count] = STREAMS[use]
  if (!(Number.isInteger(index) && index >= 0 && index < count)) {
    throw new RangeError(`random streams: ${use} has ${count} streams, number ${index} is none; ask for fewer.`)
  }
  return randomStream(seed, first + index)
}
