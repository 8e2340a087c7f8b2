/**
 * From a skinned character and its clips to a network in bone frames: parts, poses, exact labels, learning. The same
 * seed gives the same tensors.
 */
import { randomStream } from 'pliant'
import type { BoneNetworkShape, Clip, SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { drawClipPoses } from '../poses/clip-poses.js'
import { withJointNoise } from '../poses/joint-noise.js'
import { makeBoneData } from './bone-data.js'
import { initialBoneTensors } from './bone-initial.js'
import { fitBones } from './fit-bones.js'
import { LEARN_BONES_DEFAULTS, learnBones } from './learn-bones.js'

export interface TrainCharacterOptions {
  seed?: number
  /** Poses to label, and points of each. */
  poses?: number
  pointsPerPose?: number
  steps?: number
  threads?: number
  network?: Partial<Omit<BoneNetworkShape, 'bones' | 'scale'>>
  signal?: AbortSignal
  onProgress?: (progress: { fraction: number; stage: 'label' | 'learn'; detail: string }) => void
}

/** Measured in docs/notes/character.md. */
export const TRAIN_CHARACTER_DEFAULTS = { seed: 1, poses: 1500, pointsPerPose: 2000, steps: 5000, threads: 2 } as const
export const BONE_NETWORK_DEFAULTS = {
  nearest: 3,
  sharpness: 60,
  coefficients: 8,
  codeHidden: 16,
  warp: { resolution: 5, features: 3 },
  grid: { resolution: 16, features: 2 },
  hidden: 24,
} as const

/** Lengths in body heights: width of the windows, spread of near points, room around the body. */
const FADE = 0.03
const NEAR = 0.02
/** Share of the poses with noise on every joint, and how much of it [rad]. */
const NOISE_SHARE = 0.8
const NOISE = (30 * Math.PI) / 180
/** Random streams of the noise start here, one per pose. */
const NOISE_STREAM = 600_000_000
/** Share of the progress that labelling takes. */
const LABEL_SHARE = 0.2

export interface TrainedCharacter {
  shape: BoneNetworkShape
  tensors: Map<string, Float32Array>
  poses: SkeletonPose[]
}

/** @throws Error if there are no clips; the signal's reason when aborted */
export async function trainCharacter(
  character: SkinnedCharacter,
  clips: readonly Clip[],
  options: TrainCharacterOptions = {},
): Promise<TrainedCharacter> {
  const { seed, poses: count, pointsPerPose, steps, threads } = { ...TRAIN_CHARACTER_DEFAULTS, ...options }
  const { signal } = options
  const { height, skeleton } = character
  const { truncation } = LEARN_BONES_DEFAULTS
  const shape: BoneNetworkShape = {
    ...BONE_NETWORK_DEFAULTS,
    fade: FADE * height,
    ...options.network,
    scale: height,
    // A little more room than the truncation, so that what lies on the box's faces is beyond it.
    bones: fitBones(character, { margin: 1.1 * truncation * height }),
  }
  const poses = drawPoses(character, clips, count, seed)
  const data = await makeBoneData(character, shape, poses, {
    pointsPerPose,
    mix: { surface: 0.2, near: 0.6, uniform: 0.2 },
    sigma: NEAR * height,
    margin: truncation * height,
    seed,
    threads,
    signal,
    onProgress: (fraction) => {
      const detail = `${count} poses x ${pointsPerPose} points`
      options.onProgress?.({ fraction: LABEL_SHARE * fraction, stage: 'label', detail })
    },
  })
  const rest = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(skeleton.rest, rest)
  const restField = new ExactMeshField({ positions: rest, triangles: character.triangles })
  const initial = initialBoneTensors(shape, character, restField, truncation, seed)
  const tensors = await learnBones(shape, initial, data, {
    ...LEARN_BONES_DEFAULTS,
    steps,
    seed,
    threads,
    signal,
    onProgress: (fraction, detail) =>
      options.onProgress?.({ fraction: LABEL_SHARE + (1 - LABEL_SHARE) * fraction, stage: 'learn', detail }),
  })
  return { shape, tensors, poses }
}

/** Frames and blends of the clips, most of them with noise: what carries over to clips that were never seen. */
function drawPoses(character: SkinnedCharacter, clips: readonly Clip[], count: number, seed: number): SkeletonPose[] {
  const shares = { frames: 0.7, blends: 0.3, noise: 0 }
  return drawClipPoses(character, clips, { count, seed, shares }).map(({ pose }, i) => {
    const random = randomStream(seed, NOISE_STREAM + i)
    return random.uniform() < NOISE_SHARE ? withJointNoise(character.skeleton, pose, NOISE, random) : pose
  })
}
