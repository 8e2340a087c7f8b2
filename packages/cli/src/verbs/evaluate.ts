/** `pliant evaluate`: how good an artifact is against exact geometry; gates set the exit code. */
import type { CharacterEvaluation } from '@pliant/train'
import type { Quality } from 'pliant'
import { readTrained, type TrainedFile } from '../artifact-file.js'
import { UsageError } from '../errors.js'
import { formatNumber, formatSeconds, table } from '../format.js'
import { readJudgingPoses } from '../judging-poses.js'
import { qualityTable } from '../quality-table.js'
import type { Verb } from '../verb.js'

/** A limit somebody set, the measured value it is held against, and whether it holds. */
interface Gate {
  readonly name: string
  readonly limit: number
  readonly value: number
  readonly passed: boolean
}

export const evaluate: Verb = {
  name: 'evaluate',
  summary: 'measures an artifact against exact geometry on poses never trained on',
  operands: [{ name: 'FILE', help: 'a trained artifact, or a GLB that carries one' }],
  options: {
    'max-error': { value: 'METRES', help: 'fail if 5% of the distance errors or more exceed this' },
    'min-sign': { value: 'SHARE', help: 'fail if a smaller share of points (0 to 1) has the right sign' },
    'max-normal': { value: 'DEGREES', help: 'fail if 5% of the normals or more are off by more than this' },
    poses: { value: 'N', help: 'how many poses' },
    points: { value: 'N', help: 'how many points per pose' },
    motion: {
      value: 'FILES',
      help: 'a character only: judge by these motions, comma-separated: .bvh, glTF, or .anime (vertices of its own mesh)',
    },
    noise: { value: 'DEGREES', help: 'a character only: random noise on every joint of those poses' },
    rivals: { help: 'a character only: also measure rigid bone grids and fitted capsules, on the same points' },
  },
  examples: [
    'pliant evaluate bar.safetensors --max-error 0.002 --min-sign 0.999',
    'pliant evaluate hero.safetensors --motion salsa.bvh --noise 20 --rivals',
  ],
  json: {
    file: 'path of the artifact',
    method: "how it was trained: 'pliant' or 'paper'",
    quality: 'as in the manifest, measured now; see docs/artifact.md',
    rivals: 'with --rivals: the same figures of boneGrids, softBoneGrids (soft minimum) and capsules',
    sequenceFit: 'with an .anime motion: mean distance of its vertices from the poses found for them, over the height',
    gates: 'list of { name, limit, value, passed }, one per limit given',
    passed: 'whether every gate holds',
    seconds: 'time taken',
  },
  async run({ args, signal, progress }) {
    const [file] = args.operands
    const limits = {
      'max-error': args.number('max-error', { lower: 0 }),
      'min-sign': args.number('min-sign', { lower: 0, upper: 1 }),
      'max-normal': args.number('max-normal', { lower: 0, upper: 180 }),
    }
    const poses = args.integer('poses', { lower: 1 })
    const points = args.integer('points', { lower: 1 })
    const trained = await readTrained(file)
    const { method } = (trained.kind === 'character' ? trained.character : trained.artifact).manifest.training
    const stage = 'comparing with exact geometry'
    const onProgress = (fraction: number): void => progress.update({ fraction, stage })
    const start = performance.now()
    const motion = args.text('motion')
    const noise = args.number('noise', { lower: 0, upper: 90 })
    const options = { signal, onProgress, poses, points, motion, noise, rivals: args.has('rivals') }
    const { quality, rivals, sequenceFit } = await measure(trained, options)
    const seconds = (performance.now() - start) / 1000

    const gates = checkGates(quality, limits)
    const missed = gates.filter((gate) => !gate.passed)
    const verdicts = gates.map(describeGate)
    return {
      json: { file, method, quality, rivals, sequenceFit, gates, passed: missed.length === 0, seconds },
      text: [
        qualityTable(quality, trained.kind === 'character' ? 'height' : 'diagonal'),
        ...(rivals ? [rivalsTable({ learned: quality, ...rivals })] : []),
        ...(sequenceFit === undefined
          ? []
          : [`poses found for recorded vertices: ${formatNumber(100 * sequenceFit)}% of the height off in the mean`]),
        ...verdicts,
        `method ${method}, measured in ${formatSeconds(seconds)}`,
      ].join('\n'),
      failed:
        missed.length > 0 ? `evaluate: ${missed.map(describeGate).join(', ')}; train longer or relax it.` : undefined,
    }
  },
}

interface MeasureOptions {
  signal: AbortSignal
  onProgress: (fraction: number) => void
  poses: number | undefined
  points: number | undefined
  motion: string | undefined
  noise: number | undefined
  rivals: boolean
}

async function measure(
  trained: TrainedFile,
  options: MeasureOptions,
): Promise<CharacterEvaluation & { sequenceFit?: number }> {
  const trainer = await import('@pliant/train')
  const { motion, noise, rivals, ...rest } = options
  if (trained.kind === 'signed-distance') {
    if (motion !== undefined || noise !== undefined || rivals) {
      throw new UsageError('evaluate: --motion, --noise and --rivals are for characters; leave them out.')
    }
    return { quality: await trainer.evaluateArtifact(trained.bytes, rest) }
  }
  const { character, heldOut } = trained.character
  const given =
    motion === undefined
      ? { poses: heldOut, fit: undefined }
      : await readJudgingPoses(motion, character, options.onProgress)
  const poses = trainer.spreadPoses(character.skeleton, given.poses, rest.poses ?? heldOut.length, noise ?? 0)
  const evaluation = await trainer.evaluateCharacter(trained.character, { ...rest, poses, rivals })
  return { ...evaluation, sequenceFit: given.fit }
}

const FIELD_NAMES: Record<string, string> = {
  learned: 'learned',
  boneGrids: 'rigid bone grids',
  softBoneGrids: 'rigid bone grids, soft minimum',
  capsules: 'capsules fitted to bones',
}

/** The learned field first, errors as shares of the height, and how many times the learned field's mean error. */
function rivalsTable(fields: Record<string, Quality>): string {
  const rows = Object.entries(fields).map(([name, { bandError, diagonal, signAccuracy, normalError }]) => [
    FIELD_NAMES[name],
    `${formatNumber((100 * bandError.mean) / diagonal)}%`,
    `${formatNumber((100 * bandError.p95) / diagonal)}%`,
    `${formatNumber(100 * signAccuracy)}%`,
    formatNumber(normalError.p50),
    formatNumber(normalError.p95),
    `${formatNumber(bandError.mean / fields.learned.bandError.mean)}x`,
  ])
  return table(['on the same points', 'mean error', '95% below', 'right sign', 'normals, half', '95%', 'of ours'], rows)
}

function checkGates(
  quality: Quality,
  limits: Record<'max-error' | 'min-sign' | 'max-normal', number | undefined>,
): Gate[] {
  const gates: Gate[] = []
  // Written so that a NaN never passes.
  const add = (name: keyof typeof limits, value: number, holds: (limit: number) => boolean): void => {
    const limit = limits[name]
    if (limit !== undefined) gates.push({ name, limit, value, passed: holds(limit) })
  }
  add('max-error', quality.bandError.p95, (limit) => quality.bandError.p95 <= limit)
  add('min-sign', quality.signAccuracy, (limit) => quality.signAccuracy >= limit)
  add('max-normal', quality.normalError.p95, (limit) => quality.normalError.p95 <= limit)
  return gates
}

function describeGate({ name, limit, value, passed }: Gate): string {
  return `--${name} ${formatNumber(limit)} ${passed ? 'holds' : 'is missed'} at ${formatNumber(value)}`
}
