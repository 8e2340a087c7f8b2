/**
 * Fields of a character side by side: error against exact geometry on the same held-out poses, and the time of a frame.
 * Rigid grids come in several resolutions, so that one can read off what they cost at equal error, or that they never
 * reach it.
 */
import { measureCharacter, type RigidRivals, rigidGrids } from '@pliant/train/unstable'
import type { Quality } from 'pliant'
import { type SkinnedCharacter, skinnedMeshField } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import type { BodyField } from 'pliant/sim'
import { type BoneGridsField, type OnProgress, progressWithin } from 'pliant/unstable'
import { overSeeds, type SeedsQuality } from '../../quality/over-seeds.js'
import { answerByField } from './answers.js'
import { timeAnswers } from './queries.js'
import { type ClothSubject, type JudgingPoses, tensorBytes } from './subject.js'

/** How right a field is on one clip; lengths in % of the height. */
export interface FieldErrors extends SeedsQuality {
  field: string
}

export interface FieldFigures extends FieldErrors {
  /** Size of what a game would load, without skeleton and skin. */
  bytes: number
  /** A frame of so many queries [microseconds]. */
  uniform: number
  near: number
}

export interface FieldComparison {
  /** The hardest of all clips: the one on which the learned field's mean error is largest. */
  clip: string
  rows: FieldFigures[]
  /** All clips, each with all fields. */
  clips: { clip: string; rows: FieldErrors[] }[]
  /** Half-width of the band [% of the height], and share of points anywhere near the body that lie beyond it [%]. */
  band: { width: number; beyond: number }
  /** Each seed judges by other moments of a clip and other points. */
  seeds: number[]
  /** Of each clip and seed. */
  poses: number
  /** Of the timed frame. */
  queries: number
}

export interface FieldRow {
  field: BodyField
  bytes: number
}

/** Queries of a timed frame. */
export const FIELD_QUERIES = 1024

/**
 * Ours, the paper's if it was trained, exact geometry, and the strongest rivals that are no networks.
 * @param resolutions  of the grids, nodes along a side
 * @param fitted       grids fitted to the poses of training, where those are known
 */
export function fieldsOf(
  { artifact, bones, learned, paper }: ClothSubject,
  { boneGrids, softBoneGrids, capsules }: RigidRivals,
  resolutions: readonly number[],
  fitted?: BoneGridsField,
): Record<string, FieldRow> {
  const { character } = artifact
  const grids = resolutions.map((nodes) =>
    nodes === boneGrids.resolution ? boneGrids : rigidGrids(character, bones, nodes),
  )
  const gridRow = (field: BoneGridsField): FieldRow => ({ field, bytes: field.values.byteLength })
  return {
    learned: { field: learned, bytes: tensorBytes(artifact.networks.distance) },
    ...(paper.trained && { paper }),
    exact: { field: exactBody(character), bytes: 4 * (3 * character.vertexCount + character.triangles.length) },
    ...(fitted && { [`bone grids, ${fitted.resolution} nodes, soft minimum, fitted`]: gridRow(fitted) }),
    ...Object.fromEntries(grids.map((field) => [`bone grids, ${field.resolution} nodes`, gridRow(field)])),
    [`bone grids, ${softBoneGrids.resolution} nodes, soft minimum`]: gridRow(softBoneGrids),
    // Two ends and a radius each, in single precision.
    capsules: { field: capsules, bytes: 4 * 7 * capsules.bones.length },
  }
}

function exactBody(character: SkinnedCharacter): BodyField {
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, positions)
  return skinnedMeshField(character, new ExactMeshField({ positions, triangles: character.triangles }))
}

export interface FieldOptions {
  /** Of each clip and seed. */
  poses: number
  /** Of each pose. */
  points: number
  seeds: readonly number[]
  /** About how long each is timed [s]. */
  seconds: number
  signal?: AbortSignal
  onProgress?: OnProgress
}

export async function compareFields(
  fields: Readonly<Record<string, FieldRow>>,
  character: SkinnedCharacter,
  judges: readonly JudgingPoses[],
  { poses, points, seeds, seconds, signal, onProgress }: FieldOptions,
): Promise<FieldComparison> {
  const bare = Object.fromEntries(Object.entries(fields).map(([name, { field }]) => [name, field]))
  const clips: FieldComparison['clips'] = []
  let width = 0
  let beyond = 0
  for (const [c, judge] of judges.entries()) {
    const judged: Record<string, Quality>[] = []
    for (const [s, seed] of seeds.entries()) {
      const from = (c + s / seeds.length) / judges.length
      const report = progressWithin(onProgress, from, from + 1 / (seeds.length * judges.length))
      const options = { points, seed, signal, onProgress: report }
      judged.push(await measureCharacter(bare, character, judge.poses(seed, poses), options))
    }
    const rows = Object.keys(fields).map((name) => ({
      field: name,
      ...overSeeds(judged.map((qualities) => qualities[name])),
    }))
    clips.push({ clip: judge.clip, rows })
    const first = Object.values(judged[0])[0].beyond!
    width = (100 * first.from) / character.height
    beyond += (100 * first.share) / judges.length
  }
  const hardest = clips.reduce((a, b) => (b.rows[0].error.mean > a.rows[0].error.mean ? b : a))
  const answers = Object.fromEntries(
    Object.entries(bare).map(([name, field]) => [name, answerByField(character, field)]),
  )
  const timed = judges[0].poses(seeds[0], poses)
  const uniform = (await timeAnswers(answers, character, timed, 'uniform', FIELD_QUERIES, seconds)).medians
  const near = (await timeAnswers(answers, character, timed, 'near', FIELD_QUERIES, seconds)).medians
  const rows = hardest.rows.map((row) => ({
    ...row,
    bytes: fields[row.field].bytes,
    uniform: uniform[row.field],
    near: near[row.field],
  }))
  return {
    clip: hardest.clip,
    rows,
    clips,
    band: { width, beyond },
    seeds: [...seeds],
    poses,
    queries: FIELD_QUERIES,
  }
}
