/** `pliant evaluate`: how good an artifact is against exact geometry; gates set the exit code. */
import type { Quality } from 'pliant'
import { readArtifact } from '../artifact-file.js'
import { formatNumber, formatSeconds } from '../format.js'
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
  operands: [{ name: 'FILE', help: 'a trained artifact' }],
  options: {
    'max-error': { value: 'METRES', help: 'fail if 5% of the distance errors or more exceed this' },
    'min-sign': { value: 'SHARE', help: 'fail if a smaller share of points (0 to 1) has the right sign' },
    'max-normal': { value: 'DEGREES', help: 'fail if 5% of the normals or more are off by more than this' },
    poses: { value: 'N', help: 'how many poses' },
    points: { value: 'N', help: 'how many points per pose' },
  },
  examples: ['pliant evaluate bar.safetensors --max-error 0.002 --min-sign 0.999'],
  json: {
    file: 'path of the artifact',
    quality: 'as in the manifest, measured now; see docs/artifact.md',
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
    const { bytes } = await readArtifact(file)
    const { evaluateArtifact } = await import('@pliant/train')
    const stage = 'comparing with exact geometry'
    const onProgress = (fraction: number): void => progress.update({ fraction, stage })
    const start = performance.now()
    const quality = await evaluateArtifact(bytes, { signal, onProgress, poses, points })
    const seconds = (performance.now() - start) / 1000

    const gates = checkGates(quality, limits)
    const missed = gates.filter((gate) => !gate.passed)
    const verdicts = gates.map(describeGate)
    return {
      json: { file, quality, gates, passed: missed.length === 0, seconds },
      text: [qualityTable(quality), ...verdicts, `measured in ${formatSeconds(seconds)}`].join('\n'),
      failed:
        missed.length > 0 ? `evaluate: ${missed.map(describeGate).join(', ')}; train longer or relax it.` : undefined,
    }
  },
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
