/** `pliant train` for a rigged glTF character: trains it on its own clips and on motions from other files. */
import { basename } from 'node:path'
import type { CollisionSurfaceReport } from '@pliant/train'
import type { Arguments } from './arguments.js'
import { readMotions, rigOf } from './character.js'
import { asBadInput, Interrupted, isAbort, UsageError } from './errors.js'
import { writeBeside } from './files.js'
import { formatBytes, formatNumber, formatSeconds } from './format.js'
import type { Report } from './output.js'
import { qualityTable } from './quality-table.js'
import type { Call } from './verb.js'

/** Of a character's clips, held out to judge by unless told otherwise; of fewer than four clips none. */
const HELD_OUT_SHARE = 0.15
const FEWEST_TO_SPLIT = 4

export async function trainRig(
  path: string,
  scene: Parameters<typeof rigOf>[1],
  { args, signal, progress }: Pick<Call, 'args' | 'signal' | 'progress'>,
): Promise<Report> {
  refuseOptions(args)
  const trainer = await import('@pliant/train')
  const out = args.required('out')
  const seed = args.integer('seed', { lower: 0, upper: 2 ** 32 - 1 }) ?? trainer.TRAIN_CHARACTER_DEFAULTS.seed
  const threads = args.integer('threads', { lower: 1, upper: 256 })
  const steps = args.integer('steps', { lower: 1 })
  const poses = args.integer('poses', { lower: 1 })
  const rig = await rigOf(path, scene)
  const all = [...rig.clips, ...(await readMotions(args.text('motion'), rig.skeleton))]
  if (all.length === 0) {
    throw new UsageError(`${path} has no clips, so nothing says how it moves; add animations, or pass --motion x.bvh.`)
  }
  const share = all.length >= FEWEST_TO_SPLIT ? HELD_OUT_SHARE : 0
  const asked = args.text('hold-out')?.split(',') ?? share
  const { train: clips, heldOut } =
    asked === 0 ? { train: all, heldOut: [] } : await asBadInput(() => trainer.splitClips(all, asked, seed))

  const name = basename(path).replace(/\.[^.]*$/, '')
  let result: Awaited<ReturnType<typeof trainer.trainCharacterFile>>
  try {
    result = await trainer.trainCharacterFile(rig, {
      name,
      clips,
      heldOut,
      seed,
      ...(threads === undefined ? {} : { threads }),
      ...(steps === undefined ? {} : { steps }),
      ...(poses === undefined ? {} : { poses }),
      signal,
      onProgress: progress.update,
    })
  } catch (error) {
    if (!isAbort(error)) throw error
    throw new Interrupted('train: interrupted; a character has no checkpoint yet, run the same command again.')
  }
  await writeBeside(out, result.bytes)
  const { quality, seconds, bytes, surface } = result
  const judges = heldOut.length > 0 ? heldOut.map((clip) => clip.name) : null
  const by = judges ? `judged by ${judges.join(', ')}` : 'judged by its own clips with noise'
  return {
    json: {
      file: out,
      bytes: bytes.length,
      seconds,
      seed,
      clips: clips.map((clip) => clip.name),
      heldOut: judges,
      surface,
      quality,
    },
    text: `${qualityTable(quality, 'height')}\n${describeSurface(surface, rig.height)}\n${out}: ${formatBytes(bytes.length)}, trained on ${clips.length} clips in ${formatSeconds(seconds)}, ${by}`,
  }
}

function describeSurface(report: CollisionSurfaceReport, height: number): string {
  if (report.method === 'as given') return 'collision surface: the mesh as given, which is closed'
  const percent = (length: number): string => `${formatNumber((100 * length) / height)}%`
  const { meanDeviation, maxDeviation, dropped } = report
  const sheets = dropped.sheets > 0 ? `, ${dropped.sheets} sheets without an inside left out` : ''
  return `collision surface: one closed surface made of ${report.shells} shells with ${report.openEdges} open edges${sheets}; ${percent(meanDeviation)} of the height off what is seen in the mean, ${percent(maxDeviation)} at most`
}

function refuseOptions(args: Arguments): void {
  for (const option of ['resume', 'budget']) {
    if (args.has(option)) throw new UsageError(`train: --${option} is not there yet for characters; leave it out.`)
  }
}
