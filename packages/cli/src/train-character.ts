/** `pliant train` for a character, built in or a rigged glTF file: on its own clips and on motions from other files. */

import { basename } from 'node:path'
import type { CharacterMethod, CollisionSurfaceReport } from '@pliant/train'
import { qualityTable, seenLine } from '@pliant/train/text'
import { decode } from 'pliant'
import type { Rig } from 'pliant/character'
import { printable } from 'pliant/files'
import { readRiggedScene, rigOf } from './character.js'
import { formatBytes, formatCount, formatNumber, formatSeconds } from './format.js'
import { heldOutText } from './judged-on.js'
import { describeMotion, motionJson, motionSettings, readMotions } from './motions.js'
import type { Report } from './output.js'
import { qualityJson } from './quality-json.js'
import { readRanges } from './ranges.js'
import { chooseClips } from './training-clips.js'
import { budgetWarnings, failureOf, faultWarnings, runTraining, saveTrained, trainingOptions } from './training-run.js'
import type { Call } from './verb.js'

export interface CharacterToTrain {
  /** The file, or the preset's name. */
  source: string
  /** undefined if it is built in. */
  file: string | undefined
  rig: Rig
  /** Names of clips to hold out unless told otherwise; a share of all if it does not say. */
  heldOut: readonly string[] | undefined
  /** Where a built-in one departs from the default. */
  resolution?: number
}

/** @returns undefined if the source is neither a built-in character nor a glTF file with a skin */
export async function findCharacter(source: string): Promise<CharacterToTrain | undefined> {
  const { findCharacterPreset } = await import('@pliant/train')
  const preset = findCharacterPreset(source)
  if (preset) {
    const { heldOut, resolution } = preset
    return { source, file: undefined, rig: await preset.make(), heldOut, resolution }
  }
  const scene = await readRiggedScene(source)
  return scene && { source, file: source, rig: await rigOf(source, scene), heldOut: undefined }
}

export async function trainRig(
  { source, rig, heldOut: usual, resolution }: CharacterToTrain,
  call: Pick<Call, 'args' | 'signal' | 'progress'>,
): Promise<Report> {
  const { args } = call
  const trainer = await import('@pliant/train')
  const { out, seed = trainer.TRAIN_CHARACTER_DEFAULTS.seed, options } = trainingOptions(call)
  const steps = args.integer('steps', { lower: 1 })
  const poses = args.integer('poses', { lower: 1 })
  const method = args.text('method') as CharacterMethod | undefined
  const motions = await readMotions(args.text('motion'), rig, await motionSettings(args))
  const all = [...rig.clips, ...motions.map(({ clip }) => clip)]
  const names = (option: string) =>
    args
      .text(option)
      ?.split(',')
      .map((name) => name.trim())
  const wishes = { heldOut: names('hold-out') ?? usual, leaveOut: names('leave-out'), seed }
  const own = await chooseClips(rig.skeleton, all, wishes)
  // Without clips, ranges say how it moves; with both, they add to the clips, which it is still judged by.
  const ranges =
    args.has('ranges') || own.train.length === 0 ? await readRanges(args.text('ranges'), rig, seed) : undefined
  const clips = [...own.train, ...(ranges?.train ?? [])]
  const heldOut = own.train.length === 0 && ranges ? ranges.heldOut : own.heldOut

  const trained = await runTraining(source, options.checkpointPath, () =>
    trainer.trainCharacterFile(rig, {
      ...options,
      name: basename(source).replace(/\.[^.]*$/, ''),
      clips,
      heldOut,
      seed,
      ...(resolution === undefined ? {} : { resolution }),
      ...(method === undefined ? {} : { method }),
      ...(steps === undefined ? {} : { steps }),
      ...(poses === undefined ? {} : { poses }),
    }),
  )
  const { bytes, quality, fault = null, seenError, seconds, specHash, surface } = trained
  await saveTrained(out, bytes, options.checkpointPath)
  const judges = heldOut.length > 0 ? heldOut.map((clip) => clip.name) : null
  const by = judges ? `judged by ${judges.join(', ')}` : 'judged by its own clips with noise'
  const within = ranges ? `random motion within joint ranges: ${ranges.text}` : ''
  const warnings = [
    ...(ranges && own.train.length === 0 ? [`it has no clips, so it was trained on ${within}`] : []),
    ...rigWarnings(rig),
    ...surfaceWarnings(surface, rig.height),
    ...own.leftOut.map(({ name, reason }) => `clip '${name}' is left out: ${reason}`),
    ...budgetWarnings(options, trained),
  ]
  return {
    json: {
      file: out,
      bytes: bytes.length,
      seconds,
      seed,
      steps: trained.steps,
      poses: trained.poses,
      specHash,
      quality: qualityJson(quality),
      seenError: seenError ?? null,
      fault,
      warnings,
      clips: clips.map((clip) => clip.name),
      heldOut: judges,
      motions: motions.map(motionJson),
      ranges: ranges?.ranges,
      surface,
    },
    text: [
      qualityTable(quality, heldOutText((await decode(bytes, 'character')).manifest)),
      ...seenLine(seenError, rig.height),
      ...motions.map(describeMotion),
      ...[...faultWarnings(fault), ...warnings].map((warning) => `warning: ${printable(warning)}`),
      `${out}: ${formatBytes(bytes.length)}, trained on ${clips.length} clips in ${formatSeconds(seconds)}, ${by}`,
    ].join('\n'),
    failed: failureOf(out, fault, args.has('trial')),
  }
}

function rigWarnings({ surface, withoutWeights, leftOut }: Rig): string[] {
  const warnings: string[] = []
  if (withoutWeights > 0) {
    const all = formatCount(surface.bound.length / 3)
    warnings.push(
      `${formatCount(withoutWeights)} of ${all} vertices have no weights; they go with their skin's first joint, as in viewers`,
    )
  }
  if (leftOut.length > 0) warnings.push(`${leftOut.join(', ')}: not bound to the skeleton and no part of the body`)
  return warnings
}

/** What the closed surface, from which inside is told, changed of the character's meshes. */
export function surfaceWarnings(report: CollisionSurfaceReport, height: number): string[] {
  const warnings: string[] = []
  const { asGiven, dropped, openEdges, shells, turned } = report
  if (turned > 0) warnings.push(`${formatCount(turned)} triangles faced inward or unlike their neighbours; turned`)
  const percent = (length: number): string => `${formatNumber((100 * length) / height)}%`
  if (report.method === 'remeshed') {
    const open = shells - asGiven - dropped.sheets
    const parts = shells > 1 ? `${formatCount(open)} of ${formatCount(shells)} parts` : 'the surface'
    warnings.push(
      `inside is told by closed surfaces: ${parts} had ${formatCount(openEdges)} open edges and were closed; they lie ${percent(report.meanDeviation)} of the height off what is seen in the mean, ${percent(report.maxDeviation)} at most`,
    )
  }
  const lost = [
    [dropped.sheets, `sheets without an inside (${formatNumber(100 * dropped.sheetArea)}% of the area)`],
    [dropped.cavities, 'hollows'],
    [dropped.enclosed, 'pieces inside others'],
    [dropped.crumbs, 'crumbs'],
  ] as const
  const told = lost.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`)
  if (told.length > 0) warnings.push(`of the surface left out: ${told.join(', ')}`)
  return warnings
}
