/**
 * Fields of a character side by side: error against exact geometry on the same held-out poses, and the time of a frame.
 * Rigid grids come in several resolutions, so that one can read off what they cost at equal error, or that they never
 * reach it.
 */
import { measureCharacter, type RigidRivals, rigidGrids, type SkeletonField } from '@pliant/train'
import type { Quality } from 'pliant'
import type { SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { answerByField } from './cloth-answers.js'
import { timeAnswers } from './cloth-queries.js'
import { type ClothSubject, tensorBytes } from './cloth-subject.js'

export interface FieldFigures {
  field: string
  /** Size of what a game would load, without skeleton and skin. */
  bytes: number
  /** Mean and 95% of |error| of off-surface points in a band of 5% of the height [% of the height]. */
  error: { mean: number; p95: number }
  /** Share of points further than 0.5% of the height whose sign is right [%]. */
  sign: number
  /** [degrees] */
  normalError: { median: number; p95: number }
  /** A frame of so many queries [microseconds]. */
  uniform: number
  near: number
}

export interface FieldRow {
  field: SkeletonField
  bytes: number
}

/** Queries of a timed frame. */
export const FIELD_QUERIES = 1024

/**
 * Ours, the paper's if it was trained, and the strongest rivals that are no networks.
 * @param resolutions  of the grids, nodes along a side
 */
export function fieldsOf(
  { artifact, bones, learned, paper }: ClothSubject,
  { boneGrids, softBoneGrids, capsules }: RigidRivals,
  resolutions: readonly number[],
): Record<string, FieldRow> {
  const grids = resolutions.map((nodes) =>
    nodes === boneGrids.resolution ? boneGrids : rigidGrids(artifact.character, bones, nodes),
  )
  return {
    learned: { field: learned, bytes: tensorBytes(artifact.network) },
    ...(paper.trained && { paper }),
    ...Object.fromEntries(
      grids.map((field) => [`bone grids, ${field.resolution} nodes`, { field, bytes: field.values.byteLength }]),
    ),
    [`bone grids, ${softBoneGrids.resolution} nodes, soft minimum`]: {
      field: softBoneGrids,
      bytes: softBoneGrids.values.byteLength,
    },
    // Two ends and a radius each, in single precision.
    capsules: { field: capsules, bytes: 4 * 7 * capsules.bones.length },
  }
}

export interface FieldOptions {
  points: number
  /** About how long each is timed [s]. */
  seconds: number
  signal?: AbortSignal
  onProgress?: (fraction: number) => void
}

export async function compareFields(
  fields: Readonly<Record<string, FieldRow>>,
  character: SkinnedCharacter,
  poses: readonly SkeletonPose[],
  { points, seconds, signal, onProgress }: FieldOptions,
): Promise<FieldFigures[]> {
  const bare = Object.fromEntries(Object.entries(fields).map(([name, { field }]) => [name, field]))
  // Not the seed of training, nor that of `pliant evaluate`.
  const quality = await measureCharacter(bare, character, poses, { points, seed: 3, signal, onProgress })
  const answers = Object.fromEntries(
    Object.entries(bare).map(([name, field]) => [name, answerByField(character, field)]),
  )
  const uniform = timeAnswers(answers, character, poses, 'uniform', FIELD_QUERIES, seconds)
  const near = timeAnswers(answers, character, poses, 'near', FIELD_QUERIES, seconds)
  return Object.entries(fields).map(([name, { bytes }]) => ({
    field: name,
    bytes,
    ...figuresOf(quality[name], character.height),
    uniform: uniform[name],
    near: near[name],
  }))
}

function figuresOf({ bandError, signAccuracy, normalError }: Quality, height: number) {
  const percent = (length: number): number => (100 * length) / height
  return {
    error: { mean: percent(bandError.mean), p95: percent(bandError.p95) },
    sign: 100 * signAccuracy,
    normalError: { median: normalError.p50, p95: normalError.p95 },
  }
}
