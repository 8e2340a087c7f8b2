/**
 * Clips on their way to files: the times at which all joints are looked at, and clips that are made of poses. Files want
 * one list of times for all joints; a clip may have another for each of them.
 */
import { type Clip, type ClipTrack, frameTimes, MOST_FRAMES } from './clip.js'
import type { Skeleton, SkeletonPose } from './skeleton.js'

/** Frames per second of clips whose keys cannot be taken as they are: jumps and curves between keys. */
export const FRAME_RATE = 60

/** A track that moves a joint. */
export type JointTrack = ClipTrack & { path: 'translation' | 'rotation' | 'scale' }

export function isJointTrack(track: ClipTrack): track is JointTrack {
  return track.path !== 'weights'
}

/**
 * Times [s] of the frames of a clip, in single precision, rising from 0 to its end: all its keys, if values go straight
 * from one to the next, so that nothing is lost; else evenly spread.
 * @param framesPerSecond  if they are to be evenly spread in any case
 * @throws RangeError if that is no positive number
 */
export function clipTimes(clip: Clip, framesPerSecond?: number): Float32Array {
  if (framesPerSecond !== undefined && !(framesPerSecond > 0 && framesPerSecond < Infinity)) {
    throw new RangeError(`clip '${clip.name}': ${framesPerSecond} frames per second; give a positive number.`)
  }
  const tracks = clip.tracks.filter(isJointTrack)
  if (framesPerSecond === undefined && tracks.every(({ interpolation }) => interpolation === 'LINEAR')) {
    const keys = new Set([0, Math.fround(clip.duration)])
    for (const times of new Set(tracks.map((track) => track.times))) {
      for (const time of times) if (time > 0 && time < clip.duration) keys.add(time)
    }
    if (keys.size <= MOST_FRAMES) return Float32Array.from(keys).sort()
  }
  const even = Float32Array.from(frameTimes(clip, framesPerSecond ?? FRAME_RATE))
  return even.filter((time, i) => i === 0 || time > even[i - 1])
}

/** For whoever writes a clip: sampling would make rest of what is not finite. @throws RangeError naming joint and frame */
export function requireFiniteClip({ names }: Skeleton, clip: Clip): void {
  const wrong = (problem: string) => new RangeError(`clip '${clip.name}': ${problem}; repair or leave out the clip.`)
  if (!(Number.isFinite(clip.duration) && clip.duration >= 0)) throw wrong(`its duration is ${clip.duration}`)
  for (const { target, path, times, values, size, interpolation } of clip.tracks.filter(isJointTrack)) {
    if (names[target] === undefined) throw wrong(`it moves joint ${target} of ${names.length}`)
    const what = `${path} of joint ${target} ('${names[target]}')`
    const perKey = size * (interpolation === 'CUBICSPLINE' ? 3 : 1)
    if (times.length === 0 || values.length !== perKey * times.length) {
      throw wrong(`${what} has ${values.length} numbers for ${times.length} times`)
    }
    const late = times.findIndex((time) => !Number.isFinite(time))
    if (late >= 0) throw wrong(`${what} is at ${times[late]} s in frame ${late}`)
    const at = values.findIndex((value) => !Number.isFinite(value))
    if (at >= 0) throw wrong(`${what} is ${values[at]} in frame ${Math.floor(at / perKey)}`)
  }
}

/**
 * A clip of poses, LINEAR between them: rotations of joints that are anywhere else than at rest, translations and scales
 * likewise.
 * @param times  of the poses [s], rising
 * @throws RangeError naming a time that is not finite or not later than the one before, or a joint whose transform is missing, not finite or no rotation
 */
export function clipOfPoses(
  skeleton: Skeleton,
  name: string,
  times: ArrayLike<number>,
  poses: readonly SkeletonPose[],
): Clip {
  if (poses.length === 0 || poses.length !== times.length) {
    throw new RangeError(`clip '${name}': ${poses.length} poses for ${times.length} times; pass one for each.`)
  }
  for (let frame = 0; frame < times.length; frame++) {
    if (Number.isFinite(times[frame]) && (frame === 0 || times[frame] > times[frame - 1])) continue
    throw new RangeError(`clip '${name}': frame ${frame} is at ${times[frame]} s; give finite times that rise.`)
  }
  poses.forEach((pose, frame) => {
    skeleton.requirePose(`clip '${name}', frame ${frame}`, pose)
  })
  const keys = Float32Array.from(times)
  const tracks: ClipTrack[] = []
  for (const [path, part, size] of [
    ['rotation', 'rotations', 4],
    ['translation', 'translations', 3],
    ['scale', 'scales', 3],
  ] as const) {
    for (let target = 0; target < skeleton.jointCount; target++) {
      const values = new Float32Array(size * poses.length)
      poses.forEach((pose, frame) => {
        values.set(pose[part].subarray(size * target, size * target + size), size * frame)
      })
      if (!leavesRest(skeleton, { target, path, values })) continue
      tracks.push({ target, path, size, interpolation: 'LINEAR', times: keys, values })
    }
  }
  return { name, duration: keys[keys.length - 1], tracks }
}

/** Whether any of a joint's values differ from those at rest, in single precision. */
export function leavesRest(
  { rest }: Skeleton,
  { target, path, values }: { target: number; path: JointTrack['path']; values: Float32Array },
): boolean {
  const size = path === 'rotation' ? 4 : 3
  const still = rest[`${path}s`].subarray(size * target, size * target + size)
  return values.some((value, i) => value !== Math.fround(still[i % size]))
}
