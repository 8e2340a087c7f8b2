/** `pliant evaluate`: how good an artifact is against exact geometry; gates set the exit code. */

import { readTrained } from '../artifact-file.js'
import { formatNumber, formatSeconds } from '../format.js'
import { commandOf } from '../kinds/index.js'
import { type Evaluated, GATES, type GateName } from '../kinds/kind-commands.js'
import { requireTaken } from '../kinds/taken-options.js'
import { MOTION_KEY, MOTION_OPTIONS, motionSettings } from '../motions.js'
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
  summary: 'measures an artifact against exact geometry, on poses never trained on or on motions that are given',
  operands: [{ name: 'FILE', help: 'a trained artifact, or a GLB that carries one' }],
  options: {
    'max-error': { value: 'METRES', help: 'fail if 5% of the distance errors or more exceed this' },
    'min-sign': { value: 'SHARE', help: 'fail if a smaller share of points or codes (0 to 1) has the right sign' },
    'max-normal': { value: 'DEGREES', help: 'fail if 5% of the normals or more are off by more than this' },
    'min-balanced': {
      value: 'SHARE',
      help: 'self-contact only: fail if the mean of the shares of touching and of free codes with the right sign is less',
    },
    'max-false-negatives': {
      value: 'SHARE',
      help: 'self-contact only: fail if a larger share of the touching codes (0 to 1) is called free',
    },
    codes: { value: 'N', help: 'self-contact only: how many codes (default 50,000)' },
    poses: { value: 'N', help: 'how many poses' },
    points: { value: 'N', help: 'how many points per pose' },
    motion: {
      value: 'FILES',
      help: 'a character only: evaluate on these motions, comma-separated: .bvh, glTF, or .anime (vertices of its own mesh)',
    },
    ...MOTION_OPTIONS,
    noise: { value: 'DEGREES', help: 'a character only: random noise on every joint of those poses' },
    rivals: { help: 'a character only: also measure rigid bone grids and fitted capsules, on the same points' },
    violent: { help: 'also from ordinary poses to violent ones: whether the field knows where it is wrong' },
    against: { value: 'FILE', help: 'no character: also measure another file of the same object, on the same points' },
  },
  examples: [
    'pliant evaluate bar.safetensors --max-error 0.002 --min-sign 0.999',
    'pliant evaluate bunny.safetensors --against paper.safetensors',
    'pliant evaluate bunny.safetensors --violent',
    'pliant evaluate hero.safetensors --motion salsa.bvh --noise 20 --rivals',
    'pliant evaluate bracelet.safetensors --codes 10000 --min-sign 0.99',
  ],
  json: {
    file: 'path of the artifact',
    method: "how it was trained: 'pliant' or 'paper'",
    quality: 'as in the manifest, measured now; see docs/artifact.md',
    poses: 'of a character: what the poses are of, and whether that was trained on',
    motions: MOTION_KEY,
    ownError:
      'what the field said of its own error at these poses: { poses, rankCorrelation (of expected and true error), ratio (expected over true), flagged (not trusted), farOff: poses with three times the error in the manifest, farOffFlagged, told: { error, expected [m], trusted } of each pose }',
    violent:
      'with --violent: the same from ordinary poses to violent ones, with { ownError, size } [m], ordinary: { poses, flagged }, and kinds: [{ kind, poses, error, expected, flagged }]',
    body: 'of an elastic body: in the material of run time (which `quality` is in) and of training, each as { material, drops, inRange, projection: { mean, rms } [m], quality, told: as in ownError, byCode: the same, posed by the code instead of by nodes, inModes: on poses exactly in the modes }',
    against: 'with --against: { file, method, quality, body } of the other file',
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
      'min-balanced': args.number('min-balanced', { lower: 0, upper: 1 }),
      'max-false-negatives': args.number('max-false-negatives', { lower: 0, upper: 1 }),
    }
    const poses = args.integer('poses', { lower: 1 })
    const points = args.integer('points', { lower: 1 })
    const codes = args.integer('codes', { lower: 1 })
    const { artifact } = await readTrained(file)
    const evaluating = commandOf(file, artifact, 'evaluate')
    requireTaken(args, evaluating)
    const start = performance.now()
    const { method, json, lines, figures } = await evaluating.judge(file, artifact, {
      signal,
      onProgress: progress.update,
      poses,
      points,
      codes,
      motion: args.text('motion'),
      motionSettings: await motionSettings(args),
      noise: args.number('noise', { lower: 0, upper: 90 }),
      rivals: args.has('rivals'),
      against: args.text('against'),
      violent: args.has('violent'),
    })
    const seconds = (performance.now() - start) / 1000

    const gates = checkGates(figures, limits)
    const missed = gates.filter((gate) => !gate.passed)
    const verdicts = gates.map(describeGate)
    return {
      json: { file, method, ...json, gates, passed: missed.length === 0, seconds },
      text: [...lines, ...verdicts, `method ${method}, measured in ${formatSeconds(seconds)}`].join('\n'),
      failed:
        missed.length > 0 ? `evaluate: ${missed.map(describeGate).join(', ')}; train longer or relax it.` : undefined,
    }
  },
}

function checkGates(figures: Evaluated['figures'], limits: { readonly [Name in GateName]?: number }): Gate[] {
  return GATES.flatMap((name) => {
    const limit = limits[name]
    if (limit === undefined) return []
    const value = figures[name] ?? Number.NaN
    // Written so that a NaN never passes.
    return [{ name, limit, value, passed: name.startsWith('min') ? value >= limit : value <= limit }]
  })
}

function describeGate({ name, limit, value, passed }: Gate): string {
  return `--${name} ${formatNumber(limit)} ${passed ? 'holds' : 'is missed'} at ${formatNumber(value)}`
}
