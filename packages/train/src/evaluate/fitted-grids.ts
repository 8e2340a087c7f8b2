/**
 * Rigid grids on bones with a soft minimum, their values fitted to training poses: the strongest rival of a network in
 * bone frames that has no network (docs/notes/prototypes.md: .094% where plain grids have .147). Each sample moves the nodes
 * that answer it by as much as takes its error away, less and less with every pass (Kaczmarz's method): there is no
 * state per node, and a body takes seconds. The softness is the one that does best on poses kept back.
 */
import { boxExpand, boxOfPoints, type Random } from 'pliant'
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { type BoneFrame, BoneGridsField, type OnProgress } from 'pliant/unstable'
import { samplePoints } from '../sample/points.js'
import { streamOf } from '../streams/random-streams.js'
import { bandOf } from './judged-points.js'
import { rigidGrids } from './rigid-rivals.js'

export interface FitGridsOptions {
  /** Samples of each pose. */
  points?: number
  /** Times that all samples are gone through. */
  passes?: number
  seed?: number
  signal?: AbortSignal
  onProgress?: OnProgress
}
export const FIT_GRIDS_DEFAULTS = { points: 1000, passes: 3, seed: 11 } as const

/** Tried, in body heights. */
const SOFTNESSES = [0.0007, 0.0015, 0.003]
/** Of the poses, kept back to choose the softness by. */
const KEPT_BACK = 0.1
/** Share of its error that a sample takes away in the first pass; a third of it in each one after. */
const FIRST_RATE = 0.3
const DECAY = 1 / 3
/** Larger errors, in body heights, count as this: where the body meets itself no rigid part can be right. */
const LARGEST = 0.005
const MIX = { surface: 0.15, near: 0.7, uniform: 0.15 }

interface PosedSamples {
  matrices: Float64Array
  points: Float64Array
  distances: Float64Array
}

/** @param poses  to fit to: those of training, never those of judging */
export async function fitGrids(
  character: SkinnedCharacter,
  bones: readonly BoneFrame[],
  poses: readonly SkeletonPose[],
  options: FitGridsOptions = {},
) {
  const { height } = character
  const settings = { ...FIT_GRIDS_DEFAULTS, ...options }
  const samples = drawSamples(character, poses, settings.points, settings.seed)
  const kept = Math.max(1, Math.round(KEPT_BACK * samples.length))
  const [back, fitted] = [samples.slice(0, kept), samples.slice(kept)]
  const { resolution, values } = rigidGrids(character, bones)
  let best: { field: BoneGridsField; error: number } | undefined
  for (const [n, softness] of SOFTNESSES.entries()) {
    const own = values.slice()
    const field = new BoneGridsField(bones, resolution, own, { softness: softness * height })
    for (let pass = 0; pass < settings.passes; pass++) {
      options.signal?.throwIfAborted()
      const rate = FIRST_RATE * DECAY ** pass
      for (const pose of fitted) takeErrorsAway(field, own, pose, rate, LARGEST * height)
      const fraction = (n + (pass + 1) / settings.passes) / SOFTNESSES.length
      options.onProgress?.({ fraction, stage: 'fitting grids' })
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
    const error = meanError(field, back, bandOf(height))
    if (!best || error < best.error) best = { field, error }
  }
  // Built again from its values: a field remembers how low its grids go.
  const { field } = best!
  return new BoneGridsField(bones, resolution, field.values, { softness: field.softness })
}

function drawSamples(
  character: SkinnedCharacter,
  poses: readonly SkeletonPose[],
  count: number,
  seed: number,
): PosedSamples[] {
  const { skeleton, triangles, height } = character
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(skeleton.rest, positions)
  const exact = new ExactMeshField({ positions, triangles })
  const reach = bandOf(height)
  return poses.map((pose, n) => {
    character.positionsOfPose(pose, positions)
    exact.update({ vertices: positions })
    const matrices = new Float64Array(16 * skeleton.jointCount)
    skeleton.matrices(pose, matrices)
    const points = new Float64Array(3 * count)
    const domain = boxExpand(boxOfPoints(positions), reach)
    samplePoints({ positions, triangles }, domain, MIX, reach / 2, count, streamOf('rivalPoints', seed, n), points)
    shuffleTriples(points, streamOf('rivalOrder', seed, n))
    const distances = new Float64Array(count)
    exact.query(points, count, distances)
    return { matrices, points, distances }
  })
}

/** Samples of one kind after the other would each undo what the last have done. */
function shuffleTriples(points: Float64Array, random: Random): void {
  for (let left = points.length / 3; left > 1; left--) {
    const taken = random.below(left)
    for (let axis = 0; axis < 3; axis++) {
      const [a, b] = [3 * (left - 1) + axis, 3 * taken + axis]
      ;[points[a], points[b]] = [points[b], points[a]]
    }
  }
}

function takeErrorsAway(
  field: BoneGridsField,
  values: Float32Array,
  { matrices, points, distances }: PosedSamples,
  rate: number,
  largest: number,
): void {
  const nodes = new Int32Array(8 * field.nearest)
  const slopes = new Float64Array(8 * field.nearest)
  field.update({ matrices })
  for (let i = 0; i < distances.length; i++) {
    const answer = field.stencil(points[3 * i], points[3 * i + 1], points[3 * i + 2], nodes, slopes)
    const error = Math.min(Math.max(answer - distances[i], -largest), largest)
    let squares = 0
    for (const slope of slopes) squares += slope * slope
    if (!(squares > 0)) continue
    for (let n = 0; n < nodes.length; n++) values[nodes[n]] -= (rate * error * slopes[n]) / squares
  }
}

/** Of points in the band [m]. */
function meanError(field: BoneGridsField, samples: readonly PosedSamples[], band: number): number {
  let sum = 0
  let count = 0
  for (const { matrices, points, distances } of samples) {
    field.update({ matrices })
    const answers = new Float64Array(distances.length)
    field.query(points, distances.length, answers)
    for (let i = 0; i < distances.length; i++) {
      if (Math.abs(distances[i]) > band) continue
      sum += Math.abs(answers[i] - distances[i])
      count++
    }
  }
  return sum / Math.max(1, count)
}
