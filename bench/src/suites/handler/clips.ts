/** Recorded clips, as they are and with noise added, repaired: frames that run into themselves before and after. */
import { streamOf } from '@pliant/train/unstable/streams'
import { type Artifact, load } from 'pliant'
import { type Clip, characterShape, type SkeletonPose, type SkinnedCharacter, sampleClip } from 'pliant/character'
import { SurfaceContact } from 'pliant/exact'
import { characterMotion, repairMotion } from 'pliant/respond'

export interface ClipRow {
  clip: string
  /** Added to joint angles [degrees]. */
  noise: number
  frames: number
  /** Frames with exact self-intersection, but for what neighbours have; and those that had none before. */
  before: number
  after: number
  newly: number
  /** Mean change of joint angles [degrees], and their mean jerk [degrees / s^3]. */
  change: number
  jerk: { before: number; after: number }
  /** Seconds of work for a second of the clip. */
  work: number
}

const RATE = 30

/** @param most  frames of a clip that are taken */
export async function repairClips(
  artifact: Artifact<'character-contact'>,
  clips: readonly Clip[],
  noises: readonly number[],
  most: number,
  onClip: (done: number) => void,
): Promise<ClipRow[]> {
  const { character, manifest } = artifact
  const field = await load(artifact)
  try {
    const contact = new SurfaceContact(characterShape(character, manifest.model.neighbours))
    const asked = clips.flatMap((clip) => noises.map((noise) => ({ clip, noise })))
    return asked.map(({ clip, noise }, i) => {
      onClip(i / asked.length)
      const poses = noisyPoses(character, clip, noise, most)
      const motion = characterMotion(field, contact, poses, { rate: RATE })
      const began = performance.now()
      const { codes, touchedBefore, touchesNow } = repairMotion(field, motion, {})
      const seconds = (performance.now() - began) / 1000
      const total = (flags: Uint8Array): number => flags.reduce((sum, flag) => sum + flag, 0)
      const size = character.codeSize
      return {
        ...{ clip: clip.name, noise, frames: poses.length },
        ...{ before: total(touchedBefore), after: total(touchesNow) },
        newly: total(touchesNow.map((now, frame) => (now === 1 && touchedBefore[frame] === 0 ? 1 : 0))),
        change: (180 * codes.reduce((sum, value, k) => sum + Math.abs(value - motion.codes[k]), 0)) / codes.length,
        jerk: { before: jerkOf(motion.codes, size), after: jerkOf(codes, size) },
        work: (seconds * RATE) / poses.length,
      }
    })
  } finally {
    field.dispose()
  }
}

/** Noise that is smooth in time, as of a poor retargeting: each angle swings once in 2 pi seconds. @param noise  [degrees] */
function noisyPoses(character: SkinnedCharacter, clip: Clip, noise: number, most: number): SkeletonPose[] {
  const { skeleton, code: jointCode, codeSize } = character
  const frames = Math.max(2, Math.min(most, Math.floor(clip.duration * RATE)))
  const random = streamOf('benchMoments', 1)
  const swings = Array.from({ length: 2 * codeSize }, () => random.normal())
  const perAxis = noise / 180 / Math.sqrt(3)
  return Array.from({ length: frames }, (_, frame) => {
    const [pose, code, time] = [skeleton.createPose(), new Float64Array(codeSize), frame / RATE]
    sampleClip(skeleton, clip, time, pose)
    if (noise === 0) return pose
    character.encodePose(pose, code)
    for (let k = 0; k < codeSize; k++) {
      // Entries beyond the third axis of a joint are places, and no angles.
      if (jointCode.axes[k] < 3)
        code[k] += perAxis * (swings[k] * Math.cos(time) + swings[codeSize + k] * Math.sin(time))
    }
    jointCode.decodeOnto(code, pose)
    return pose
  })
}

/** Mean over entries and frames. */
export function jerkOf(codes: Float64Array, size: number): number {
  let sum = 0
  for (let i = 3 * size; i < codes.length; i++) {
    sum += Math.abs(codes[i] - 3 * codes[i - size] + 3 * codes[i - 2 * size] - codes[i - 3 * size])
  }
  return codes.length > 3 * size ? (180 * RATE ** 3 * sum) / (codes.length - 3 * size) : 0
}
