/**
 * Poses of a character to train on and to judge by, from its clips.
 *
 * Frames of the clips themselves come first, most different ones first. A network that saw nothing else fails between
 * them, so there are also blends of frames of different clips, and frames with noise on the joints: in our prototype
 * noise of 20 degrees in training took the error on noisy poses from 0.120 to 0.046% of the height. Clips that are held
 * out must not decide anything, not even the range of the code: split them first, and make the character from the rest.
 */
import type { Random } from 'pliant'
import { type Clip, type SkeletonPose, type SkinnedCharacter, sampleClip } from 'pliant/character'
import { frameTimes, slerpQuaternions } from 'pliant/unstable'
import { streamOf } from '../streams/random-streams.js'

export interface ClipPoseOptions {
  /** How many poses. */
  count: number
  seed: number
  /** Shares of the three kinds; they need not sum to 1. If frames run out, noise takes their place. */
  shares?: { frames: number; blends: number; noise: number }
  /** Root mean square of the angle that noise turns a joint by [rad]. */
  noise?: number
  /** Frames per second at which clips are looked at. */
  framesPerSecond?: number
  /** Two frames are the same if no entry of their codes differs by more than this times half a turn [rad]. */
  duplicate?: number
}

export const CLIP_POSE_DEFAULTS = {
  shares: { frames: 0.4, blends: 0.2, noise: 0.4 },
  noise: (20 * Math.PI) / 180,
  framesPerSecond: 30,
  duplicate: (2 * Math.PI) / 180,
} as const

export interface ClipPose {
  kind: 'frame' | 'blend' | 'noise'
  /** Names of the clips it was made from. */
  clips: string[]
  pose: SkeletonPose
  /** The same as the character's code tells it. */
  code: Float64Array
}

/** Frames that the choice of the most different looks at; more are thinned out evenly, as the choice is quadratic. */
const MOST_FRAMES = 4000

/** @throws Error if there are no clips: nothing says how the character moves */
export function drawClipPoses(
  character: SkinnedCharacter,
  clips: readonly Clip[],
  options: ClipPoseOptions,
): ClipPose[] {
  const { count, seed, shares, noise, framesPerSecond, duplicate } = { ...CLIP_POSE_DEFAULTS, ...options }
  if (clips.length === 0) {
    throw new Error('clip poses: the character has no clips to train on; add animations to its file, or a .bvh motion.')
  }
  const frames = distinctFrames(character, clips, framesPerSecond, duplicate / Math.PI)
  const wanted = kindsOf(count, shares, frames.length)
  let frame = 0
  return wanted.map((kind, index) => {
    if (kind === 'frame') return frames[frame++]
    const random = streamOf('trainingClipPoses', seed, index)
    return kind === 'blend' ? blendFrames(character, frames, random) : noisyFrame(character, frames, noise, random)
  })
}

/** Every frame of some clips in order, as for judging. */
export function clipFrames(character: SkinnedCharacter, clips: readonly Clip[], framesPerSecond: number): ClipPose[] {
  return clips.flatMap((clip) =>
    Array.from(frameTimes(clip, framesPerSecond), (time) => {
      const pose = character.skeleton.createPose()
      sampleClip(character.skeleton, clip, time, pose)
      return finished(character, 'frame', [clip.name], pose)
    }),
  )
}

/**
 * Turns every joint of the code about a random axis, by angles of the given root mean square [rad], no further than the
 * code's bounds; what the code does not hold stays as it is.
 */
export function addJointNoise(character: SkinnedCharacter, from: ClipPose, noise: number, random: Random): ClipPose {
  const { bounds, code: jointCode, skeleton } = character
  const perAxis = noise / Math.PI / Math.sqrt(3)
  const code = from.code.map((value, entry) => {
    if (jointCode.axes[entry] >= 3) return value
    return Math.min(bounds.upper[entry], Math.max(bounds.lower[entry], value + perAxis * random.normal()))
  })
  const pose = copyOf(from.pose)
  if (jointCode.carriers) {
    // What a joint carries moves along, wherever it hangs.
    jointCode.decodeOnto(code, pose)
    return finished(character, 'noise', from.clips, pose)
  }
  const turned = skeleton.createPose()
  jointCode.decode(code, turned)
  for (const joint of new Set(jointCode.joints)) {
    pose.rotations.set(turned.rotations.subarray(4 * joint, 4 * joint + 4), 4 * joint)
  }
  return finished(character, 'noise', from.clips, pose)
}

export interface ClipSplit {
  train: Clip[]
  /** Never to be trained on. */
  heldOut: Clip[]
}

/**
 * @param heldOut  names of clips to judge by; or a share of all clips, drawn by the seed, at least one if there are two
 * @throws Error if a named clip is not there, or none would be left to train on
 */
export function splitClips(clips: readonly Clip[], heldOut: readonly string[] | number, seed: number): ClipSplit {
  const chosen = typeof heldOut === 'number' ? drawClips(clips, heldOut, seed) : namedClips(clips, heldOut)
  const train = clips.filter((clip) => !chosen.has(clip))
  if (train.length === 0) {
    throw new Error(`clip poses: all ${clips.length} clips are held out; leave at least one to train on.`)
  }
  return { train, heldOut: clips.filter((clip) => chosen.has(clip)) }
}

function namedClips(clips: readonly Clip[], names: readonly string[]): Set<Clip> {
  const missing = names.find((name) => !clips.some((clip) => clip.name === name))
  if (missing !== undefined) {
    const all = clips.map((clip) => clip.name).join(', ')
    throw new Error(`clip poses: there is no clip '${missing}' to hold out; choose from ${all}.`)
  }
  return new Set(clips.filter((clip) => names.includes(clip.name)))
}

function drawClips(clips: readonly Clip[], share: number, seed: number): Set<Clip> {
  const random = streamOf('heldOutClips', seed)
  const shuffled = clips.map((clip) => ({ clip, place: random.uniform() })).sort((a, b) => a.place - b.place)
  const count = clips.length < 2 ? 0 : Math.max(1, Math.round(share * clips.length))
  return new Set(shuffled.slice(0, count).map(({ clip }) => clip))
}

/** Kinds mixed so that any beginning of the list has about the same shares; no more frames than there are. */
function kindsOf(
  count: number,
  shares: Record<'frames' | 'blends' | 'noise', number>,
  frames: number,
): ClipPose['kind'][] {
  const total = shares.frames + shares.blends + shares.noise
  const due = { frame: 0, blend: 0, noise: 0 }
  let left = frames
  return Array.from({ length: count }, () => {
    due.frame += shares.frames / total
    due.blend += shares.blends / total
    due.noise += shares.noise / total
    let kind: ClipPose['kind'] = due.frame >= due.blend && due.frame >= due.noise ? 'frame' : 'noise'
    if (kind === 'noise' && due.blend > due.noise) kind = 'blend'
    due[kind] -= 1
    if (kind !== 'frame') return kind
    return left-- > 0 ? 'frame' : 'noise'
  })
}

/**
 * Frames by farthest point: each is the one whose code is furthest from all before it, until the furthest is a
 * duplicate. Starts with the first frame of the first clip.
 * @param same  largest difference of code entries between duplicates
 */
function distinctFrames(
  character: SkinnedCharacter,
  clips: readonly Clip[],
  framesPerSecond: number,
  same: number,
): ClipPose[] {
  const total = clips.reduce((sum, clip) => sum + frameTimes(clip, framesPerSecond).length, 0)
  const all = clipFrames(character, clips, framesPerSecond * Math.min(1, MOST_FRAMES / total))
  const distances = new Float64Array(all.length).fill(Infinity)
  const chosen: ClipPose[] = []
  for (let next = 0; next >= 0; ) {
    chosen.push(all[next])
    const { code } = all[next]
    let furthest = same
    next = -1
    for (let i = 0; i < all.length; i++) {
      distances[i] = Math.min(distances[i], largestDifference(code, all[i].code, distances[i]))
      if (distances[i] > furthest) {
        furthest = distances[i]
        next = i
      }
    }
  }
  return chosen
}

/** Stops early once it is no less than `enough`. */
function largestDifference(a: Float64Array, b: Float64Array, enough: number): number {
  let largest = 0
  for (let i = 0; i < a.length && largest < enough; i++) largest = Math.max(largest, Math.abs(a[i] - b[i]))
  return largest
}

/** Between two frames, of different clips where there are two: joints turn the short way, the rest is linear. */
function blendFrames(character: SkinnedCharacter, frames: readonly ClipPose[], random: Random): ClipPose {
  const from = frames[random.below(frames.length)]
  const others = frames.filter((frame) => frame.clips[0] !== from.clips[0])
  const pool = others.length > 0 ? others : frames
  const to = pool[random.below(pool.length)]
  const t = random.uniform()
  const pose = copyOf(from.pose)
  for (let at = 0; at < pose.rotations.length; at += 4) {
    slerpQuaternions(from.pose.rotations, at, to.pose.rotations, at, t, pose.rotations, at)
  }
  for (let i = 0; i < pose.translations.length; i++) {
    pose.translations[i] += t * (to.pose.translations[i] - pose.translations[i])
    pose.scales[i] += t * (to.pose.scales[i] - pose.scales[i])
  }
  return finished(character, 'blend', [from.clips[0], to.clips[0]], pose)
}

function noisyFrame(character: SkinnedCharacter, frames: readonly ClipPose[], noise: number, random: Random): ClipPose {
  return addJointNoise(character, frames[random.below(frames.length)], noise, random)
}

function finished(character: SkinnedCharacter, kind: ClipPose['kind'], clips: string[], pose: SkeletonPose): ClipPose {
  const code = new Float64Array(character.codeSize)
  character.encodePose(pose, code)
  return { kind, clips, pose, code }
}

function copyOf({ translations, rotations, scales }: SkeletonPose): SkeletonPose {
  return { translations: translations.slice(), rotations: rotations.slice(), scales: scales.slice() }
}
