/** `pliant repair --motion`: recorded clips of a character, freed of limbs that run into the body. */
import type { ReadMotion } from '@pliant/train/unstable/poses'
import type { Artifact } from 'pliant'
import { type CharacterContactField, type Clip, type SkeletonPose, sampleClip } from 'pliant/character'
import type { CharacterMotion, RepairedMotion } from 'pliant/respond'
import { animationOfClip, clipIntoGlb, clipOfPoses, clipToBvh, frameTimes, rigToGlb } from 'pliant/unstable'
import type { Arguments } from './arguments.js'
import { readTrained } from './artifact-file.js'
import { inBatches } from './batches.js'
import { asBadInput, UsageError } from './errors.js'
import { checkWritable, readInput, writeBeside } from './files.js'
import { formatCount, formatNumber, formatSeconds } from './format.js'
import { commandOf } from './kinds/index.js'
import { describeMotion, listed, motionJson, motionSettings, readMotions } from './motions.js'
import type { Report } from './output.js'
import { rigOfGlb } from './rig-of-glb.js'
import type { Call } from './verb.js'

/** Frames looked at between two looks at Ctrl-C. */
const PIECE = 16
/** Frames a second of clips whose keys say none, and the most that are taken of a recording. */
const USUAL_RATE = 60
const MOST_RATE = 120

/** What is told of one clip. */
interface RepairedClip {
  read: ReadMotion
  clip: Clip
  motion: CharacterMotion
  repaired: RepairedMotion
  seconds: number
}

export async function repairMotions(call: Call): Promise<Report> {
  const { args } = call
  const [path] = args.operands
  const [source, out] = [args.required('motion'), args.required('out')]
  const into = args.text('into')
  requireWritten(out, into)
  await checkWritable([out], [path, ...listed(source), ...(into === undefined ? [] : [into])])
  const { artifact } = await readTrained(path)
  const command = commandOf(path, artifact, 'repairMotion')
  const margin = marginOf(args, command.reachOf(artifact))
  const field = await command.open(artifact, {})
  const { character } = field
  const rig = into === undefined ? undefined : await rigOfGlb(into, character.skeleton)
  const motions = chosen(await readMotions(source, character, await motionSettings(args)), args, source)
  if (/\.bvh$/i.test(out) && motions.length > 1) {
    throw new UsageError(`repair: ${source} has ${motions.length} clips, a .bvh file holds one; choose by --clip.`)
  }
  const { SurfaceContact } = await import('pliant/exact')
  const contact = call.unbroken(() => new SurfaceContact(command.shapeOf(artifact)))
  const clips: RepairedClip[] = []
  for (const read of motions) clips.push(await repairClip(call, field, contact, read, margin))
  field.dispose()
  await writeBeside(out, fileOf(out, clips, character, rig && { ...rig, bytes: await readInput(into!) }))
  return reportOf(artifact, clips, field, out)
}

function marginOf(args: Arguments, reach: number): number | undefined {
  const margin = args.number('margin', { lower: 0 })
  if (margin === undefined || margin < reach) return margin
  throw new UsageError(
    `repair: --margin is ${margin} m, clearances of this file are learned up to ${formatNumber(reach)} m; give less.`,
  )
}

function requireWritten(out: string, into: string | undefined): void {
  if (!/\.(glb|bvh)$/i.test(out)) throw new UsageError(`repair: ${out} is neither .glb nor .bvh; name --out as one.`)
  if (into !== undefined && !/\.glb$/i.test(out)) {
    throw new UsageError(`repair: --into puts clips into a GLB, ${out} is none; name --out as .glb.`)
  }
}

function chosen(motions: ReadMotion[], args: Arguments, source: string): ReadMotion[] {
  const name = args.text('clip')
  if (name === undefined) return motions
  const found = motions.filter(({ clip }) => clip.name === name)
  if (found.length > 0) return found
  const names = motions.map(({ clip }) => clip.name).join(', ')
  throw new UsageError(`repair: ${source} has no clip '${name}'; choose from ${names}.`)
}

async function repairClip(
  call: Call,
  field: CharacterContactField,
  contact: InstanceType<typeof import('pliant/exact').SurfaceContact>,
  read: ReadMotion,
  margin: number | undefined,
): Promise<RepairedClip> {
  const { characterMotion, MotionRepair } = await import('pliant/respond')
  const { args } = call
  const { skeleton } = field.character
  const rate = rateOf(read.clip)
  const times = frameTimes(read.clip, rate)
  const poses = Array.from(times, (time) => {
    const pose = skeleton.createPose()
    sampleClip(skeleton, read.clip, time, pose)
    return pose
  })
  const keep = args.text('keep')
  const motion = await asBadInput(async () =>
    characterMotion(field, contact, poses, { rate, keep: keep === undefined ? [] : listed(keep) }),
  )
  const start = performance.now()
  const repair = new MotionRepair(field, motion, { margin })
  await inBatches(
    repair.frames,
    `looking at '${read.clip.name}'`,
    call,
    (from, to) => {
      for (let frame = from; frame < to; frame++) repair.look(frame)
    },
    PIECE,
  )
  for (let spans = repair.nextPass(); spans.length > 0; spans = repair.nextPass()) {
    await inBatches(spans.length, `repairing '${read.clip.name}'`, call, (from) => repair.free(spans[from]), 1)
  }
  repair.finish()
  const seconds = (performance.now() - start) / 1000
  const repaired = repair.result
  return { read, clip: clipOf(skeleton, read.clip, times, poses, motion, repaired), motion, repaired, seconds }
}

/** As densely as its keys come, in the median. */
function rateOf({ tracks }: Clip): number {
  const steps = tracks
    .flatMap(({ times }) => Array.from(times.subarray(1), (time, i) => time - times[i]))
    .sort((a, b) => a - b)
  const step = steps.length > 0 ? steps[steps.length >> 1] : 0
  return step > 0 ? Math.min(MOST_RATE, Math.max(1, Math.round(1 / step))) : USUAL_RATE
}

/** Frames that were not changed keep their poses, whatever the code can tell of them. */
function clipOf(
  skeleton: CharacterContactField['character']['skeleton'],
  { name }: Clip,
  times: ArrayLike<number>,
  poses: readonly SkeletonPose[],
  motion: CharacterMotion,
  { codes, spans }: RepairedMotion,
): Clip {
  const size = codes.length / poses.length
  const all = poses.map((pose, frame) => {
    const isChanged = spans.some(({ first, last }) => frame >= first && frame <= last)
    return isChanged ? motion.poseOf(frame, codes.subarray(frame * size, (frame + 1) * size)) : pose
  })
  return clipOfPoses(skeleton, name, times, all)
}

function fileOf(
  out: string,
  clips: readonly RepairedClip[],
  character: CharacterContactField['character'],
  rig: { bytes: Uint8Array; nodes: ArrayLike<number> } | undefined,
): Uint8Array {
  const { skeleton } = character
  if (/\.bvh$/i.test(out)) return clipToBvh(skeleton, clips[0].clip)
  if (!rig) {
    return rigToGlb(
      character,
      clips.map(({ clip }) => clip),
    )
  }
  return clips.reduce((glb, { clip }) => clipIntoGlb(glb, animationOfClip(skeleton, clip, rig.nodes)), rig.bytes)
}

function reportOf(
  artifact: Artifact,
  clips: readonly RepairedClip[],
  field: CharacterContactField,
  out: string,
): Report {
  const told = clips.map((clip) => ({ ...motionJson(clip.read), ...figuresOf(clip, field) }))
  const left = told.reduce((sum, { stillTouching }) => sum + stillTouching, 0)
  const lines = clips.flatMap((clip, i) => [describeMotion(clip.read), ...linesOf(told[i])])
  return {
    json: { motions: told, fault: artifact.manifest.fault ?? null, files: [out] },
    text: [...lines, `written: ${out}`].join('\n'),
    failed:
      left > 0
        ? `repair: ${formatCount(left)} frames still run into themselves and are as near to free as was found; --json says which.`
        : undefined,
  }
}

function figuresOf({ motion, repaired, seconds, read }: RepairedClip, { pairs }: CharacterContactField) {
  const { codes, touchedBefore, touchesNow, spans } = repaired
  const { rate } = motion
  const framesOf = (flags: Uint8Array): number[] => [...flags.keys()].filter((frame) => flags[frame] === 1)
  const changes = codes.map((value, i) => 180 * Math.abs(value - motion.codes[i]))
  const size = codes.length / touchedBefore.length
  return {
    frames: touchedBefore.length,
    rate,
    touching: framesOf(touchedBefore).length,
    stillTouching: framesOf(touchesNow).length,
    newlyTouching: framesOf(touchesNow).filter((frame) => touchedBefore[frame] === 0).length,
    touchingFrames: framesOf(touchesNow),
    spans: spans.map(({ first, last }) => ({ from: first / rate, to: last / rate })),
    parts: repaired.pairs.map((pair) => (pair < 0 ? null : pairs[pair])),
    change: { mean: changes.reduce((sum, change) => sum + change, 0) / (changes.length || 1), max: largest(changes) },
    jerk: { before: jerkOf(motion.codes, size, rate), after: jerkOf(codes, size, rate) },
    seconds: read.clip.duration,
    workSeconds: seconds,
  }
}

function largest(values: Float64Array): number {
  return values.reduce((most, value) => Math.max(most, value), 0)
}

/** Mean over frames and entries of the third derivative of joint angles [degrees / s^3]. */
function jerkOf(codes: Float64Array, size: number, rate: number): number {
  let sum = 0
  const { length } = codes
  for (let i = 3 * size; i < length; i++) {
    sum += Math.abs(codes[i] - 3 * codes[i - size] + 3 * codes[i - 2 * size] - codes[i - 3 * size])
  }
  return length > 3 * size ? (180 * rate ** 3 * sum) / (length - 3 * size) : 0
}

function linesOf(told: ReturnType<typeof figuresOf>): string[] {
  const { frames, rate, touching, stillTouching, spans, parts, change, jerk, seconds, workSeconds } = told
  const names = parts.map((pair) => (pair ? pair.join(' and ') : 'parts that were never near each other in training'))
  return [
    `  ${formatCount(frames)} frames at ${formatNumber(rate)} a second, ${formatCount(touching)} run into themselves${names.length > 0 ? `: ${names.join(', ')}` : ''}`,
    `  now ${formatCount(stillTouching)}, by the exact test; ${formatCount(spans.length)} stretches changed, joint angles by ${formatNumber(change.mean)} degrees in the mean, ${formatNumber(change.max)} at most`,
    `  jerk ${formatNumber(jerk.before)} before, ${formatNumber(jerk.after)} after [degrees / s^3]; ${formatSeconds(workSeconds)} of work for ${formatSeconds(seconds)} of clip`,
  ]
}
