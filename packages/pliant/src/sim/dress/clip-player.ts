/**
 * Plays clips so that a cloth can follow: no jump where a clip begins again or another is chosen. Joints fade over from
 * the pose in which they were left; the root goes on from where it stands, in the direction that it faces, so a walk
 * played twice leads twice as far, and only its height and tilt fade.
 */
import { composeMat4, decomposeMat4, multiplyAffine } from '../../math/mat4.js'
import { slerpQuaternions } from '../../math/quaternion.js'
import { type Clip, sampleClip } from '../../model/clip.js'
import type { Skeleton, SkeletonPose } from '../../model/skeleton.js'

/** How a player goes over to a clip. */
export interface PlayOptions {
  /** Where to begin [s]. */
  time?: number
  /** How long the pose takes to fade over to the clip [s]; 0 to jump. */
  fade?: number
}
/** Half a second: a leg swings from one pose to another no faster than it would in a walk. */
export const PLAY_DEFAULTS = { time: 0, fade: 0.5 } as const

/**
 * Plays clips on a skeleton, one after the other, without jumps: it fades from pose to pose, and each clip goes on
 * from where the last one left the body.
 */
export class ClipPlayer {
  /** Time in the clip [s]. */
  time = 0
  /** Clip seconds per second; may be negative or 0. */
  speed = 1
  /** The pose now; of the root and above only `rootFrame` counts. */
  readonly pose: SkeletonPose
  /** Root frame to world now, column-major 4x4. */
  readonly rootFrame = new Float64Array(16)
  private readonly skeleton: Skeleton
  private playing: Clip | undefined
  private readonly sampled: SkeletonPose
  /** What is faded from, and how far that has gone [s]. */
  private readonly left: SkeletonPose
  private readonly leftFrame = new Float64Array(16)
  private fade = 0
  private faded = 0
  /** From the clip's own world to ours: a turn about +Y and a horizontal move. */
  private readonly placement = new Float64Array(16)
  private readonly frames = { own: new RigidFrame(), left: new RigidFrame() }

  /** At rest, where the skeleton's own root stands. */
  constructor(skeleton: Skeleton) {
    this.skeleton = skeleton
    this.pose = skeleton.createPose()
    this.sampled = skeleton.createPose()
    this.left = skeleton.createPose()
    skeleton.rootFrame(skeleton.rest, this.rootFrame)
    for (let i = 0; i < 16; i += 5) this.placement[i] = 1
  }

  /** The clip that is playing. */
  get clip(): Clip | undefined {
    return this.playing
  }

  /** Goes on with this clip. With `fade` 0 the pose jumps: reset the garment then (`DressedCharacter.reset`). */
  play(clip: Clip, options: PlayOptions = {}): void {
    const { time, fade } = { ...PLAY_DEFAULTS, ...options }
    this.playing = clip
    this.time = time
    this.begin(fade)
    if (fade === 0) this.advance(0)
  }

  /** Moves on by a duration [s] and poses the skeleton. */
  advance(duration: number): void {
    const { playing: clip, pose, rootFrame, sampled, skeleton } = this
    if (!clip) return
    const next = this.time + this.speed * duration
    const wraps = clip.duration > 0 && (next > clip.duration || next < 0)
    this.time = wraps ? next - Math.floor(next / clip.duration) * clip.duration : next
    if (wraps) this.begin(PLAY_DEFAULTS.fade)
    this.faded += duration
    sampleClip(skeleton, clip, this.time, sampled)
    skeleton.rootFrame(sampled, rootFrame)
    multiplyAffine(this.placement, 0, rootFrame, 0, rootFrame, 0)
    if (this.faded < this.fade) {
      const t = this.faded / this.fade
      // Starts and ends without a jerk.
      const share = t * t * (3 - 2 * t)
      blendPoses(this.left, sampled, share, pose)
      this.frames.own.set(rootFrame)
      this.frames.left.set(this.leftFrame)
      blendFrames(this.frames.left, this.frames.own, share, rootFrame)
    } else copyPose(sampled, pose)
  }

  /** Remembers what is left, and places the clip so that it goes on from there. */
  private begin(fade: number): void {
    const { skeleton, sampled, placement, leftFrame, frames } = this
    this.fade = fade
    this.faded = 0
    copyPose(this.pose, this.left)
    leftFrame.set(this.rootFrame)
    sampleClip(skeleton, this.playing!, this.time, sampled)
    skeleton.rootFrame(sampled, placement)
    frames.own.set(placement)
    frames.left.set(leftFrame)
    const turn = frames.left.heading - frames.own.heading
    const [c, s] = [Math.cos(turn), Math.sin(turn)]
    const [x, , z] = frames.own.translation
    placement.set([c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0])
    placement.set([leftFrame[12] - c * x - s * z, 0, leftFrame[14] + s * x - c * z, 1], 12)
  }
}

/** A rigid frame with scale, split so that it can be blended. */
class RigidFrame {
  readonly translation = new Float64Array(3)
  readonly rotation = new Float64Array(4)
  readonly scales = new Float64Array(3)

  set(m: Float64Array): void {
    for (let axis = 0; axis < 3; axis++) this.translation[axis] = m[12 + axis]
    decomposeMat4(m, 0, this.rotation, 0, this.scales, 0)
  }

  /** Turn about +Y [rad]: the twist of the rotation. */
  get heading(): number {
    return 2 * Math.atan2(this.rotation[1], this.rotation[3])
  }
}

/** From a to b, horizontally all of b. Overwrites a. */
function blendFrames(a: RigidFrame, b: RigidFrame, share: number, out: Float64Array): void {
  slerpQuaternions(a.rotation, 0, b.rotation, 0, share, a.rotation, 0)
  for (let axis = 0; axis < 3; axis++) {
    a.translation[axis] += (axis === 1 ? share : 1) * (b.translation[axis] - a.translation[axis])
    a.scales[axis] += share * (b.scales[axis] - a.scales[axis])
  }
  composeMat4(a.translation, a.rotation, a.scales, 0, out, 0)
}

function blendPoses(a: SkeletonPose, b: SkeletonPose, share: number, out: SkeletonPose): void {
  for (let i = 0; i < a.translations.length; i++) {
    out.translations[i] = a.translations[i] + share * (b.translations[i] - a.translations[i])
    out.scales[i] = a.scales[i] + share * (b.scales[i] - a.scales[i])
  }
  for (let i = 0; i < a.rotations.length; i += 4)
    slerpQuaternions(a.rotations, i, b.rotations, i, share, out.rotations, i)
}

function copyPose(from: SkeletonPose, to: SkeletonPose): void {
  to.translations.set(from.translations)
  to.rotations.set(from.rotations)
  to.scales.set(from.scales)
}
