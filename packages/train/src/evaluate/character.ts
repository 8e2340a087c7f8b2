/**
 * Fields of a character, judged side by side on the same poses and points against exact geometry: ours, and the rivals
 * that a game would use instead. Lengths are told in body heights.
 */
import { boxExpand, boxOfPoints, type MovingField, type Quality } from 'pliant'
import type { JointState, SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { samplePoints } from '../sample/points.js'
import { streamOf } from '../streams/random-streams.js'
import { hiddenPoints } from './hidden-points.js'
import { type PoseError, QualityTally } from './tally.js'

export interface CharacterQualityOptions {
  /** Points of each pose: a fifth on the surface, three fifths in the band, a fifth anywhere near the body. */
  points: number
  seed: number
  /** Half-width of the band, in body heights. */
  band?: number
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
  /** Of each pose in turn, for fields that tell their own error. */
  onPose?: (told: PoseError) => void
}
export const CHARACTER_BAND = 0.05

const MIX = { surface: 0.2, near: 0.6, uniform: 0.2 }

export async function measureCharacter<Name extends string>(
  fields: Readonly<Record<Name, MovingField<JointState>>>,
  character: SkinnedCharacter,
  poses: readonly SkeletonPose[],
  options: CharacterQualityOptions,
): Promise<Record<Name, Quality>> {
  const { points: count, band = CHARACTER_BAND } = options
  const { height, skeleton, triangles } = character
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(skeleton.rest, positions)
  const exact = new ExactMeshField({ positions, triangles })
  const matrices = new Float64Array(16 * skeleton.jointCount)
  const points = new Float64Array(3 * count)
  const truth = { distances: new Float64Array(count), normals: new Float64Array(3 * count) }
  const answer = { distances: new Float64Array(count), gradients: new Float64Array(3 * count) }
  const names = Object.keys(fields) as Name[]
  const kinds = { surfaceShare: MIX.surface, uniformShare: MIX.uniform }
  const tallies = new Map(
    names.map((name) => [name, new QualityTally({ size: height, sizeOf: 'height', band: band * height, ...kinds })]),
  )
  const code = new Float64Array(character.codeSize)
  for (const [p, pose] of poses.entries()) {
    options.signal?.throwIfAborted()
    character.positionsOfPose(pose, positions)
    exact.update({ vertices: positions })
    skeleton.matrices(pose, matrices)
    const domain = boxExpand(boxOfPoints(positions), band * height)
    const random = streamOf('evaluationPoints', options.seed, p)
    samplePoints({ positions, triangles }, domain, MIX, (band / 2) * height, count, random, points)
    exact.closest(points, count, truth)
    const hidden = hiddenPoints(exact, points, count, truth, height)
    character.encodePose(pose, code)
    for (const name of names) {
      fields[name].update({ joints: pose, matrices })
      fields[name].query(points, count, answer.distances, answer.gradients)
      const told = tallies.get(name)!.addPose([...code], count, truth, answer, hidden, fields[name])
      if (told) options.onPose?.(told)
    }
    options.onProgress?.((p + 1) / poses.length)
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return Object.fromEntries(names.map((name) => [name, tallies.get(name)!.quality()])) as Record<Name, Quality>
}
