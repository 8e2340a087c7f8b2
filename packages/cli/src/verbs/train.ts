/** `pliant train`: from a spec or a built-in object to an artifact. */
import { basename, dirname } from 'node:path'
import type { DropReport, SpecOverrides, TetrahedraliseReport, TrainSpec } from '@pliant/train'
import { qualityTable } from '@pliant/train/text'
import { type MeshIssueKind, type TriangleMesh, validateMesh } from 'pliant'
import { printable } from 'pliant/files'
import { asBadInput, UsageError } from '../errors.js'
import { fileKind } from '../file-kind.js'
import { checkWritable, readInput } from '../files.js'
import { formatBytes, formatCount, formatNumber, formatSeconds } from '../format.js'
import { MOTION_KEY, MOTION_OPTIONS } from '../motions.js'
import { lockOutput } from '../output-lock.js'
import { qualityJson } from '../quality-json.js'
import { scaleOf } from '../surface.js'
import { findCharacter, trainRig } from '../train-character.js'
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
    'hold-out': { value: 'CLIPS', help: 'a rigged character only: names of clips never to train on but to judge by' },
    ranges: {
      value: 'FILE',
      help: 'a rigged character only: how far joints bend, in JSON (docs/spec.md); what it does not name, and rigs without clips, go by what joints are of a body',
    },
    'leave-out': { value: 'CLIPS', help: 'a rigged character only: names of clips to pass over' },
    ...MOTION_OPTIONS,
    method: {
      value: 'NAME',
      choices: ['pliant', 'paper'],
      help: "ours (default), or the paper's: 8 x 128 on point and code, with its samples, loss and rate",
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
    heldOut: 'of a character: names of the clips it was judged by; null if those are its own with noise',
    drops:
      'of an elastic body: { count, runs, inverted: { poses, tetrahedra }, dropped, crossing, unconverged }: poses kept, drops made, poses left out because of inverted tetrahedra or like others, poses whose surface passes through itself, steps that did not converge',
    filling:
      'of a surface that was filled with tetrahedra: counts, angles, volume, and how far the two surfaces lie apart, mean and largest [% of the diagonal]',
    surface: 'of a character: how its closed collision surface was made',
  },
  notes: [
    'A result that is worse than what takes no training, or beyond the limits under `fault` below, is told in one line and exits 1. The file is written and marked: `inspect`, `query` and whatever loads it say so.',
    'Ctrl-C, SIGTERM and SIGHUP save a checkpoint as FILE.checkpoint and exit 130; --resume goes on from it to the same result. A killed run goes on from its last one, at most 20 s old. A checkpoint that cannot be written is warned of once and learning goes on. FILE.lock keeps a second training from the same FILE. Drops of an elastic body are kept in FILE.checkpoint-poses as they are finished, but for runs with --budget.',
    'Before the long work a few poses, labels and steps are done with a stopwatch, and one line says how long all of it will take. With --budget as much is done as there is time for, in one line what that is; without, time changes nothing of the result.',
    "The poses of an elastic body come from dropping it onto spheres. `--method paper` alone is the paper's full size: 1,000 poses of 10,000 points, 60,000 steps; `--poses` and `--steps` set either method's.",
    "Rules for characters: a rig without clips is trained on smooth random motion within joint ranges, and judged on such motion from another random stream. Closed meshes are kept as they are, also where they overlap; open ones are closed, those that touch and move alike as one, and the warnings say what that changed. Vertices without weights go with their skin's first joint. Meshes without a skin are left out; a glTF file with none at all is trained as a static object. Refused: clips that move nothing, carry joints away or scale them to nothing, more than 500,000 vertices, more than 255 joints with parts of their own.",
  ].join('\n\n'),
  async run(call) {
    const { args } = call
    const [source] = args.operands
    const { out, seed, options } = trainingOptions(call)
    const { checkpointPath } = options
    const character = await call.unbroken(() => findCharacter(source))
    const scale = scaleOf(args)
    if (character) {
      if (scale)
        throw new UsageError('train: --scale is for meshes; a character keeps its unit, scale it in the scene.')
      await checkWritable([out, checkpointPath], character.file ? [character.file] : [])
      await lockOutput(out)
      return trainRig(character, call)
    }
    for (const option of ['motion', 'hold-out', 'leave-out', 'ranges', ...Object.keys(MOTION_OPTIONS)]) {
      if (!args.has(option)) continue
      const remedy = GLTF_FILE.test(source) ? `${source} has no skin, bind it to a skeleton` : 'put it into the spec'
      throw new UsageError(`train: --${option} is for rigged glTF characters; ${remedy}.`)
    }
    const trainer = await import('@pliant/train')
    const isPreset = (trainer.findPreset(source) ?? trainer.findBodyPreset(source)) !== undefined
    await checkWritable([out, checkpointPath], isPreset ? [] : [source])
    await lockOutput(out)
    const spec = await readTrainSpec(trainer, source, overridesOf(args, seed), scale)
    const folder = isPreset ? '.' : dirname(source)
    // Before the long work: a mesh or modes that cannot be read are the caller's to mend.
    const loading = {
      signal: call.signal,
      secondsToFill: FILLING * 60 * (options.budgetMinutes ?? Infinity),
      onProgress: (fraction: number, detail: string): void =>
        call.progress.update({
          fraction: 0,
          stage: 'filling the surface',
          detail: `${detail}, ${percent(fraction)}`,
          secondsLeft: null,
        }),
    }
    const object = await runTraining(source, checkpointPath, () =>
      asBadInput(() => trainer.loadTrainingObject(spec, folder, loading)),
    )

    const trained = await runTraining(source, checkpointPath, () => trainer.train(spec, { ...options, object }))
    const { artifact, quality, fault = null, seconds, steps, specHash, drops } = trained
    await saveTrained(out, artifact, checkpointPath)
    const warnings = [
      ...(GLTF_FILE.test(source)
        ? ['no mesh has a skin with weights; it is trained as it stands, as a static object']
        : []),
      ...warningsOf(object.surface),
      ...(object.warnings ?? []),
      ...(object.filling ? fillingWarnings(object.filling) : []),
      // Under a budget it is the time that ends them.
      ...(drops ? dropWarnings(drops, options.budgetMinutes === undefined ? spec.poses : 0) : []),
      ...budgetWarnings(options, trained),
    ]
    return {
      json: {
        file: out,
        bytes: artifact.length,
        seconds,
        seed: spec.seed,
        steps,
        poses: trained.poses,
        specHash,
        quality: qualityJson(quality),
        fault,
        warnings,
        drops,
        filling: object.filling,
      },
      text: [
        qualityTable(quality),
        ...(object.filling ? [fillingText(object.filling)] : []),
        ...[...faultWarnings(fault), ...warnings].map((warning) => `warning: ${printable(warning)}`),
        `${out}: ${formatBytes(artifact.length)}, trained in ${formatSeconds(seconds)}`,
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

/** What each fault of a mesh does to a field that is trained on it; other faults do no harm. */
const CONSEQUENCES: Partial<Record<MeshIssueKind, string>> = {
  'open-boundary': 'inside is where its winding number exceeds one half',
  'inconsistent-winding': 'inside is where its winding number exceeds one half',
  'unreferenced-vertex': 'they count for the box that is trained, which may be far larger than the surface',
}

function warningsOf(mesh: TriangleMesh): string[] {
  return validateMesh(mesh).flatMap(({ kind, message }) =>
    CONSEQUENCES[kind] ? [`${message}; ${CONSEQUENCES[kind]}`] : [],
  )
}

/** @param asked poses that were wanted */
/** What became of a surface that was filled with tetrahedra. */
function fillingText({ nodes, tetrahedra, meanDistance, maxDistance }: TetrahedraliseReport): string {
  const off = `${formatNumber(meanDistance)}% of the diagonal off the given one in the mean, ${formatNumber(maxDistance)}% at most`
  return `filled with ${formatCount(nodes)} nodes, ${formatCount(tetrahedra)} tetrahedra; its surface lies ${off}`
}

/** Beyond these, more nodes are worth their time [% of the diagonal]. */
const FILLED_WELL = { mean: 0.03, max: 0.5 } as const

function fillingWarnings({ nodes, meanDistance, maxDistance, dropped }: TetrahedraliseReport): string[] {
  const warnings: string[] = []
  if (!(meanDistance <= FILLED_WELL.mean && maxDistance <= FILLED_WELL.max)) {
    warnings.push(
      `errors are counted from the filled body's surface, which lies ${formatNumber(meanDistance)}% off the given one in the mean and ${formatNumber(maxDistance)}% at most; more than ${formatCount(nodes)} "nodes" beside "body" in a spec bring it nearer`,
    )
  }
  if (dropped.bodies > 0) {
    warnings.push(
      `${formatCount(dropped.bodies)} crumbs of the surface are left out (${formatNumber(100 * dropped.volume)}% of the volume)`,
    )
  }
  return warnings
}

function dropWarnings({ count, inverted, dropped }: DropReport, asked: number): string[] {
  const warnings: string[] = []
  if (count < asked) {
    warnings.push(
      `drops gave only ${formatCount(count)} of ${formatCount(asked)} poses before they repeated themselves`,
    )
  }
  if (inverted.poses > 0) {
    const tetrahedra = `${formatCount(inverted.tetrahedra)} inverted tetrahedra in all`
    warnings.push(`${formatCount(inverted.poses)} poses left out for ${tetrahedra}`)
  }
  if (dropped > 0) warnings.push(`${formatCount(dropped)} poses left out that were like others`)
  return warnings
}

function overridesOf(args: Call['args'], seed: number | undefined): SpecOverrides {
  return {
    seed,
    method: args.text('method') as SpecOverrides['method'],
    poses: args.integer('poses', { lower: 1 }),
    steps: args.integer('steps', { lower: 1 }),
  }
}

/** @throws UsageError if the source is neither a preset's name nor the path of a valid spec */
async function readTrainSpec(
  trainer: typeof import('@pliant/train'),
  source: string,
  overrides: SpecOverrides,
  scale: number | undefined,
): Promise<TrainSpec> {
  if (scale && !MESH_FILE.test(source)) {
    throw new UsageError('train: --scale is for mesh files; write `scale` beside `mesh` or `body` into the spec.')
  }
  if (trainer.findPreset(source) ?? trainer.findBodyPreset(source))
    return asBadInput(() => trainer.readSpec(source, overrides))
  // A bare word is a preset's name misspelt, not a file without a suffix; the trainer lists the names it knows.
  if (/^[\w-]+$/.test(source)) return asBadInput(() => trainer.readSpec(source, overrides))
  const bytes = await readInput(source)
  const kind = fileKind(bytes)
  if (kind !== 'other') {
    const what = kind === 'array' ? 'a .npy array' : 'a trained artifact'
    throw new UsageError(`${source} is ${what}, not a spec; pass a spec in JSON or a preset's name.`)
  }
  // A mesh instead of a spec: all defaults.
  const model = scale ? { ...trainer.sourceOfSpec(basename(source)), scale } : basename(source)
  const text = MESH_FILE.test(source) ? JSON.stringify({ model }) : new TextDecoder().decode(bytes)
  return asBadInput(() => trainer.readSpec(text, overrides), source)
}
