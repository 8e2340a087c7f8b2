/** `pliant train` for a character: the spec that options stand for, and what is told of the result. */

import type { Trained } from '@pliant/train'
import type { CollisionSurfaceReport, LoadedCharacter, ReadCharacter } from '@pliant/train/unstable'
import { qualityTable, seenLine } from '@pliant/train/unstable/text'
import { decode } from 'pliant'
import type { Rig } from 'pliant/character'
import type { Arguments } from './arguments.js'
import { readRiggedScene } from './character.js'
import { formatCount, formatNumber } from './format.js'
import { heldOutText } from './judged-on.js'
import { describeMotion, leastMatched, listed, MOTION_OPTIONS, motionJson } from './motions.js'
import { rangeCountsText } from './range-text.js'
import type { TrainedReport } from './training-report.js'

/** Options that only characters take. */
export const CHARACTER_OPTIONS = ['motion', 'hold-out', 'leave-out', 'ranges', ...Object.keys(MOTION_OPTIONS)]

/** Whether it is a built-in character or a glTF file with a skin. */
export async function isCharacter(source: string): Promise<boolean> {
  const { findCharacterPreset } = await import('@pliant/train/unstable')
  return findCharacterPreset(source) !== undefined || (await readRiggedScene(source)) !== undefined
}

/** The model of a spec that the options say. */
export function characterModel(rig: string, args: Arguments): object {
  const list = (option: string): string[] | undefined => {
    const text = args.text(option)
    return text === undefined ? undefined : listed(text)
  }
  return {
    rig,
    motion: list('motion'),
    heldOut: list('hold-out'),
    leaveOut: list('leave-out'),
    ranges: args.text('ranges'),
    aliases: args.text('aliases'),
    reference: args.text('reference'),
    minMatched: leastMatched(args),
  }
}

export async function characterReport(character: LoadedCharacter, trained: Trained): Promise<TrainedReport> {
  const { height } = character.rig
  const { artifact, quality, seenError, surface } = trained
  const { warnings, json, lines, ...rest } = motionsReport(character)
  return {
    ...rest,
    warnings: [...warnings, ...(surface ? surfaceWarnings(surface, height) : [])],
    json: { seenError: seenError ?? null, ...json, surface },
    lines: [
      qualityTable(quality, heldOutText((await decode(artifact, 'character')).manifest)),
      ...seenLine(seenError, height),
      ...lines,
    ],
  }
}

/** What is told of the rig and its motions, whatever was learned. */
export function motionsReport({ rig, clips, heldOut, motions, ranges, choice }: ReadCharacter): TrainedReport {
  const judges = heldOut.length > 0 ? heldOut.map((clip) => clip.name) : null
  const within = ranges ? `random motion within joint ranges: ${rangeCountsText(ranges)}` : ''
  return {
    warnings: [
      ...(ranges && choice.train.length === 0 ? [`it has no clips, so it was trained on ${within}`] : []),
      ...rigWarnings(rig),
      ...choice.leftOut.map(({ name, reason }) => `clip '${name}' is left out: ${reason}`),
    ],
    json: {
      clips: clips.map((clip) => clip.name),
      heldOut: judges,
      motions: motions.map(motionJson),
      ranges: ranges?.ranges,
    },
    lines: motions.map(describeMotion),
    on: `trained on ${clips.length} clips`,
    judged: judges ? `, evaluated on ${judges.join(', ')}` : ', evaluated on its own clips with noise',
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
