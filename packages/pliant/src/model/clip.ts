/** A motion of a skeleton as keys, and its poses at any time (glTF 2.0, section 3.11 and appendix C). */
import { normaliseQuaternion, slerpQuaternions } from '../math/quaternion.js'
import type { Skeleton, SkeletonPose } from './skeleton.js'

/** How values go from key to key, as in glTF. */
export type Interpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE'

/** What a clip does to one property of one joint. */
export interface ClipTrack {
  /** The joint it moves; for morph weights the first of them. */
  target: number
  /** The property that it moves: translations in the unit of the joint's parent, rotations as quaternions xyzw. */
  path: 'translation' | 'rotation' | 'scale' | 'weights'
  /** How values go from key to key. */
  interpolation: Interpolation
  /** Key times [s], rising. */
  times: Float32Array
  /** `size` per key; with CUBICSPLINE three times as many: in-tangent, value, out-tangent. */
  values: Float32Array
  /** 3 for translation and scale, 4 for rotation, the number of morph weights for weights. */
  size: number
}

/** A motion of a skeleton. */
export interface Clip {
  /** Its name in the file. */
  name: string
  /** Time of the last key [s]. */
  duration: number
  /** What moves. */
  tracks: ClipTrack[]
}

/**
 * The pose of a clip at a time [s]; what the clip does not move is at rest. Times before 0 and after the end are
 * taken round again.
 * @param morphWeights  receives the morph weights that the clip moves, if it moves any; others are left alone
 */
export function sampleClip(
  skeleton: Skeleton,
  clip: Clip,
  time: number,
  pose: SkeletonPose,
  morphWeights?: Float64Array,
): void {
  pose.translations.set(skeleton.rest.translations)
  pose.rotations.set(skeleton.rest.rotations)
  pose.scales.set(skeleton.rest.scales)
  const local = loopTime(time, clip.duration)
  for (const track of clip.tracks) {
    if (track.path === 'translation') sampleTrack(track, local, pose.translations, 3 * track.target)
    else if (track.path === 'scale') sampleTrack(track, local, pose.scales, 3 * track.target)
    else if (track.path === 'rotation') sampleTrack(track, local, pose.rotations, 4 * track.target)
    else if (morphWeights !== undefined) sampleTrack(track, local, morphWeights, track.target)
  }
}

/** Frames of one clip at most: 20 minutes at 30 a second. A file may claim any duration. */
export const MOST_FRAMES = 36_000

/**
 * Times of frames spread evenly over a clip, both ends among them; further apart than asked for where they would be more
 * than MOST_FRAMES. A clip without length has one.
 */
export function frameTimes(clip: Clip, framesPerSecond: number): Float64Array {
  const wanted = Math.min(Math.round(clip.duration * framesPerSecond), MOST_FRAMES - 1)
  const steps = clip.duration > 0 ? Math.max(1, wanted) : 0
  return Float64Array.from({ length: steps + 1 }, (_, step) => (steps > 0 ? (clip.duration * step) / steps : 0))
}

/** The end itself is not taken round: it is the last key, not the first. */
function loopTime(time: number, duration: number): number {
  if (time >= 0 && time <= duration) return time
  if (duration === 0) return 0
  return time - Math.floor(time / duration) * duration
}

function sampleTrack(track: ClipTrack, time: number, out: Float64Array, at: number): void {
  const { times, values, size, interpolation } = track
  const cubic = interpolation === 'CUBICSPLINE'
  const stride = cubic ? 3 * size : size
  const offset = cubic ? size : 0
  const key = lastKeyUpTo(times, time)
  if (key < 0 || key === times.length - 1 || interpolation === 'STEP') {
    const start = Math.max(0, key) * stride + offset
    for (let k = 0; k < size; k++) out[at + k] = values[start + k]
    if (track.path === 'rotation') normaliseQuaternion(out, at)
    return
  }
  const span = times[key + 1] - times[key]
  const t = (time - times[key]) / span
  const from = key * stride
  const to = from + stride
  if (cubic) {
    // Hermite; tangents are per second.
    const a = (1 + 2 * t) * (1 - t) * (1 - t)
    const b = t * (1 - t) * (1 - t) * span
    const c = t * t * (3 - 2 * t)
    const d = t * t * (t - 1) * span
    for (let k = 0; k < size; k++) {
      out[at + k] =
        a * values[from + size + k] + b * values[from + 2 * size + k] + c * values[to + size + k] + d * values[to + k]
    }
    if (track.path === 'rotation') normaliseQuaternion(out, at)
  } else if (track.path === 'rotation') slerpQuaternions(values, from, values, to, t, out, at)
  else for (let k = 0; k < size; k++) out[at + k] = (1 - t) * values[from + k] + t * values[to + k]
}

/** The last key not after the time, or -1. Of keys at one time the last, so that jumps are taken. */
function lastKeyUpTo(times: Float32Array, time: number): number {
  let low = -1
  let high = times.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (times[middle] <= time) low = middle
    else high = middle
  }
  return low
}
