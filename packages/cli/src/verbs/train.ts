/** `pliant train`: from a spec or a built-in object to an artifact. */
import { basename, dirname } from 'node:path'
import type { SpecOverrides, TrainSpec } from '@pliant/train'
import { fileKind } from '@pliant/train/unstable/input'
import type { KindName, Progress } from 'pliant'
import { printable } from 'pliant/unstable'
import { asBadInput, UsageError } from '../errors.js'
import { checkWritable, OPTION_NAMING, readInput } from '../files.js'
import { formatBytes, formatSeconds } from '../format.js'
import { commandsOf } from '../kinds/index.js'
import { MOTION_KEY, MOTION_OPTIONS } from '../motions.js'
import { lockOutput } from '../output-lock.js'
import { qualityJson } from '../quality-json.js'
import { scaleOf } from '../surface.js'
import { CHARACTER_OPTIONS, characterModel, isCharacter } from '../train-character.js'
import { budgetWarnings, failureOf, faultWarnings, runTraining, saveTrained, trainingOptions } from '../training-run.js'
import type { Call, Verb } from '../verb.js'

const GLTF_FILE = /\.(glb|gltf)$/i
const MESH_FILE = /\.(obj|ply|stl|off|glb|gltf|mesh|msh|node)$/i

export const train: Verb = {
  name: 'train',
  summary: 'trains an artifact from a spec or a built-in object',
  operands: [
    { name: 'SPEC', help: "a spec in JSON, a name that 'pliant presets' lists, a mesh, or a rigged glTF character" },
  ],
  options: {
    out: { value: 'FILE', help: 'where the artifact goes (.safetensors)', required: true },
    seed: {
      value: 'N',
      help: 'seed of all randomness; the same seed gives the same bytes (default: as the spec says)',
    },
    resume: { help: 'go on from the checkpoint that an interrupted run left beside --out, if there is one' },
    budget: { value: 'MINUTES', help: 'finish in about so long, with fewer poses and steps if need be' },
    scale: {
      value: 'S',
      help: 'of a mesh file without a skeleton: metres per unit, 0.001 for millimetres (default 1); a spec has `model.scale`',
    },
    motion: {
      value: 'FILES',
      help: 'a rigged character only: more clips, comma-separated: .bvh, or glTF files with animations; joints are found by name and place in the body',
    },
    'hold-out': { value: 'CLIPS', help: 'a rigged character only: names of clips to evaluate on and never train on' },
    ranges: {
      value: 'FILE',
      help: 'a rigged character only: how far joints bend, in JSON (docs/spec.md); what it does not name, and rigs without clips, go by what joints are of a body',
    },
    'leave-out': { value: 'CLIPS', help: 'a rigged character only: names of clips to pass over' },
    ...MOTION_OPTIONS,
    learn: {
      value: 'WHAT',
      choices: ['distance', 'self-contact'],
      help: 'distances of points to it, or how far its codes are from touching itself (default: distance, but of presets made for the other)',
    },
    method: {
      value: 'NAME',
      choices: ['pliant', 'paper'],
      help: "ours (default), or the paper's: 8 x 128 on point and code, with its samples, loss and rate; of self-contact two passes over signs of a body's codes, or of a character or shapes of a mesh the collision detector that is learned from depths",
    },
    steps: { value: 'N', help: 'optimiser steps' },
    poses: { value: 'N', help: 'poses to label' },
    trial: { help: 'a short run to look at: a bad result is told and marked in the file, but exits 0' },
    threads: {
      value: 'N',
      help: 'threads to train with (default 2; another number rounds differently, so that bytes differ)',
    },
  },
  examples: [
    'pliant train bar --out bar.safetensors --seed 7',
    'pliant train bar --out bar.safetensors --resume',
    'pliant train bunny --out bunny.safetensors',
    'pliant train bracelet --out bracelet.safetensors',
    'pliant train body.msh --learn self-contact --out body.safetensors',
    'pliant train part.stl --scale 0.001 --out part.safetensors',
    'pliant train humanoid --out humanoid.safetensors',
    'pliant train character.glb --out character.safetensors --motion walk.bvh',
    'pliant train hand.glb --out hand.safetensors --ranges fingers.json',
  ],
  json: {
    file: 'path of the artifact',
    bytes: 'its size',
    seconds: 'time taken',
    seed: 'seed used',
    steps: 'optimiser steps taken',
    poses: 'poses trained on',
    specHash: 'identifies spec and object; the same hash and seed give the same bytes',
    quality:
      'measured against exact geometry on poses never trained on (of a character: see heldOut), as in the manifest',
    seenError:
      'of a character whose closed surface is not the mesh that is seen: mean, p95, max [m] against that mesh, outside within the band; else null',
    fault:
      'why the result must not be trusted (its file is marked with it), or null: worse than what takes no training on the same points (rigid bone grids of a character, the rest shape of an object), a mean error above 1% of the size, fewer than 95% right signs, or answers that are not finite',
    warnings: 'what makes the result other than expected, one line each',
    clips: 'of a character: names of the clips it was trained on',
    motions: `of a character: ${MOTION_KEY}`,
    ranges:
      'of a character that was trained within joint ranges: list of { joint, part, flex, side, twist } [degrees from rest]',
    heldOut: 'of a character: names of the clips it was evaluated on; null if those are its own with noise',
    drops:
      'of an elastic body: { count, runs, inverted: { poses, tetrahedra }, dropped, crossing, unconverged }: poses kept, drops made, poses left out because of inverted tetrahedra or like others, poses whose surface passes through itself, steps that did not converge',
    filling:
      'of a surface that was filled with tetrahedra: counts, angles, volume, and how far the two surfaces lie apart, mean and largest [% of the diagonal]',
    surface: 'of a character: how its closed collision surface was made',
  },
  notes: [
    'A result that is worse than what takes no training, or beyond the limits under `fault` below, is told in one line and exits 1. The file is written and marked: `inspect`, `query` and whatever loads it say so.',
    'Ctrl-C, SIGTERM and SIGHUP save a checkpoint as FILE.checkpoint and exit 130; --resume goes on from it to the same result. A killed run goes on from its last one, at most 20 s old. A checkpoint that cannot be written is warned of once and learning goes on. FILE.lock keeps a second training from the same FILE. Drops of an elastic body are kept in FILE.checkpoint-poses as they are finished, but for runs with --budget.',
    "Before the long work a few poses, labels and steps are done with a stopwatch, and one line says how long all of it will take. With --budget as much is done as there is time for, in one line what that is; without, time changes nothing of the result. Of self-contact a few rounds are timed, with --budget alone; what is settled is kept in FILE.checkpoint-counts for --resume. The paper's method of it takes no budget.",
    "The poses of an elastic body come from dropping it onto spheres. `--method paper` alone is the paper's full size: 1,000 poses of 10,000 points, 60,000 steps; `--poses` and `--steps` set either method's.",
    "Rules for characters: a rig without clips is trained on smooth random motion within joint ranges, and evaluated on such motion from another random stream. Closed meshes are kept as they are, also where they overlap; open ones are closed, those that touch and move alike as one, and the warnings say what that changed. Vertices without weights go with their skin's first joint. Meshes without a skin are left out; a glTF file with none at all is trained as a static object. Refused: clips that move nothing, carry joints away or scale them to nothing, more than 500,000 vertices, more than 255 joints with parts of their own.",
  ].join('\n\n'),
  async run(call) {
    const { args } = call
    const [source] = args.operands
    const { out, seed, options } = trainingOptions(call)
    const { checkpointPath } = options
    const asCharacter = await call.unbroken(() => isCharacter(source))
    const scale = scaleOf(args)
    if (asCharacter && scale) {
      throw new UsageError('train: --scale is for meshes; a character keeps its unit, scale it in the scene.')
    }
    const foreign = asCharacter ? undefined : CHARACTER_OPTIONS.find((option) => args.has(option))
    if (foreign !== undefined) {
      const remedy = GLTF_FILE.test(source) ? `${source} has no skin, bind it to a skeleton` : 'put it into the spec'
      throw new UsageError(`train: --${foreign} is for rigged glTF characters; ${remedy}.`)
    }
    const trainer = await import('@pliant/train/unstable')
    const isPreset = trainer.listPresets().some(({ name }) => name === source)
    await checkWritable([out, checkpointPath], isPreset ? [] : [source])
    await lockOutput(out)
    const overrides = overridesOf(args, seed)
    const spec = asCharacter
      ? await asBadInput(() => trainer.readSpec(JSON.stringify({ model: characterModel(source, args) }), overrides))
      : await readTrainSpec(trainer, source, overrides, scale)
    // Before the long work: files that cannot be read are the caller's to mend.
    const loading = {
      signal: call.signal,
      secondsToFill: FILLING * 60 * (options.budgetMinutes ?? Infinity),
      onProgress: ({ fraction, stage, detail }: Progress): void =>
        call.progress.update({ fraction: 0, stage, detail: `${detail}, ${percent(fraction)}`, secondsLeft: null }),
      // Paths on the command line count from here, and messages name its options.
      ...(asCharacter ? { naming: OPTION_NAMING } : {}),
    }
    const folder = isPreset || asCharacter ? '.' : dirname(source)
    const subject = await runTraining(source, checkpointPath, () =>
      asBadInput(() => trainer.loadSubject(spec, folder, loading)),
    )

    const trained = await runTraining(source, checkpointPath, () =>
      trainer.train<KindName>(spec, { ...options, subject }),
    )
    const { artifact, quality, fault = null, seconds, steps, poses, specHash } = trained
    await saveTrained(out, artifact, checkpointPath)
    // Under a budget it is the time that ends drops.
    const asked = options.budgetMinutes === undefined ? spec.poses : 0
    const report = await commandsOf(subject).trained(subject, trained, asked)
    const warnings = [
      ...(GLTF_FILE.test(source) && !asCharacter
        ? ['no mesh has a skin with weights; it is trained as it stands, as a static object']
        : []),
      ...report.warnings,
      ...budgetWarnings(options, trained),
    ]
    const common = { file: out, bytes: artifact.length, seconds, seed: spec.seed, steps, poses, specHash }
    return {
      json: { ...common, quality: qualityJson(quality), fault, warnings, ...report.json },
      text: [
        ...report.lines,
        ...[...faultWarnings(fault), ...warnings].map((warning) => `warning: ${printable(warning)}`),
        `${out}: ${formatBytes(artifact.length)}, ${report.on} in ${formatSeconds(seconds)}${report.judged}`,
      ].join('\n'),
      failed: failureOf(out, fault, args.has('trial')),
    }
  },
}

/** Of a budget, the share after which a body that fills a surface is not tried with more nodes. */
const FILLING = 0.1

function percent(fraction: number): string {
  return `${Math.floor(100 * fraction)}%`
}

function overridesOf(args: Call['args'], seed: number | undefined): SpecOverrides {
  return {
    seed,
    learn: args.text('learn') as SpecOverrides['learn'],
    method: args.text('method') as SpecOverrides['method'],
    poses: args.integer('poses', { lower: 1 }),
    steps: args.integer('steps', { lower: 1 }),
  }
}

/** @throws UsageError if the source is neither a preset's name nor the path of a valid spec */
async function readTrainSpec(
  trainer: typeof import('@pliant/train/unstable'),
  source: string,
  overrides: SpecOverrides,
  scale: number | undefined,
): Promise<TrainSpec> {
  if (scale && !MESH_FILE.test(source)) {
    throw new UsageError('train: --scale is for mesh files; write `scale` beside `mesh` or `body` into the spec.')
  }
  // A bare word is a preset's name, perhaps misspelt, not a file without a suffix; the trainer lists the names it knows.
  if (/^[\w-]+$/.test(source)) return asBadInput(() => trainer.readSpec(source, overrides))
  const bytes = await readInput(source)
  const kind = fileKind(bytes)
  if (kind !== 'other') {
    const what = kind === 'array' ? 'a .npy array' : 'a trained artifact'
    throw new UsageError(`${source} is ${what}, not a spec; pass a spec in JSON or a preset's name.`)
  }
  // A mesh instead of a spec: all defaults.
  const model = scale ? { ...trainer.modelOfSource(basename(source)), scale } : basename(source)
  const text = MESH_FILE.test(source) ? JSON.stringify({ model }) : new TextDecoder().decode(bytes)
  return asBadInput(() => trainer.readSpec(text, overrides), source)
}
