/**
 * From a skinned character and its clips to a network in bone frames: parts, poses, exact labels, learning. The same
 * seed gives the same tensors.
 */
import { createHash } from 'node:crypto'
import type { TriangleMesh } from 'pliant'
import {
  BoneDrivers,
  type BoneNetworkShape,
  type CharacterNetwork,
  type Clip,
  MAX_DRIVERS,
  type SkeletonPose,
  type SkinnedCharacter,
} from 'pliant/character'
import { BadInput } from '../input/bad-input.js'
import { type BonePoses, makeBoneData } from '../learn/frames/bone-data.js'
import { initialBoneTensors } from '../learn/frames/bone-initial.js'
import { FIT_BONES_DEFAULTS, fitBones } from '../learn/frames/fit-bones.js'
import { LEARN_BONES_DEFAULTS, learnBones } from '../learn/frames/learn-bones.js'
import { partsToAsk } from '../learn/frames/parts-to-ask.js'
import { restFieldOf } from '../learn/frames/rest-field.js'
import type { JobRun } from '../plan/planned-job.js'
import { drawClipPoses } from '../poses/clip-poses.js'
import { withJointNoise } from '../poses/joint-noise.js'
import { checkpointsOf, type ResumableRun } from '../resume/checkpoint.js'
import { streamOf } from '../streams/random-streams.js'

export interface TrainCharacterOptions extends ResumableRun {
  seed?: number
  /** Poses to label, and points of each. */
  poses?: number
  pointsPerPose?: number
  steps?: number
  threads?: number
  network?: Partial<Omit<BoneNetworkShape, 'bones' | 'scale'>>
  /** Of the static grids: see fit-bones.ts. */
  resolution?: number
  /** How far to go, of a job that has a budget or is rehearsed; all the way if not given. */
  run?: Pick<JobRun, 'counts' | 'isRehearsal' | 'isOver' | 'secondsFor'>
  /** Seconds between checkpoints. */
  checkpointSeconds?: number
  signal?: AbortSignal
  /** Fractions of the stage, 0 to 1. */
  onProgress?: (progress: { fraction: number; stage: 'label' | 'learn'; detail: string }) => void
}

/** Measured in docs/notes/character.md. */
export const TRAIN_CHARACTER_DEFAULTS = { seed: 1, poses: 1500, pointsPerPose: 2000, steps: 7000, threads: 2 } as const
/** How many parts a point asks is measured: parts-to-ask.ts. */
export const BONE_NETWORK_DEFAULTS = {
  sharpness: 60,
  coefficients: 12,
  codeHidden: 16,
  warp: { resolution: 5, features: 1 },
  grid: { features: 2 },
  hidden: 24,
} as const

/** Lengths in body heights: width of the windows, spread of near points, room around the body. */
const FADE = 0.03
const NEAR = 0.02
/** Share of the poses with noise on every joint, and how much of it [rad]. */
const NOISE_SHARE = 0.8
const NOISE = (30 * Math.PI) / 180

/** The number of a part is kept in a byte. */
const MOST_PARTS = 255

export interface TrainedCharacter {
  network: CharacterNetwork
  tensors: Map<string, Float32Array>
  /** Trained on: fewer than asked for if a budget ran out. */
  poses: SkeletonPose[]
  /** Distances are learned up to this magnitude [m]. */
  truncation: number
  /** Taken: fewer than asked for if a budget ran out. */
  steps: number
  /** Identifies character, poses and options; the same hash and seed give the same tensors. */
  specHash: string
}

/** @throws Error if there are no clips; the signal's reason when aborted, with the checkpoint saved */
export async function trainCharacter(
  character: SkinnedCharacter,
  clips: readonly Clip[],
  options: TrainCharacterOptions = {},
): Promise<TrainedCharacter> {
  const { seed, poses: count, pointsPerPose, steps, threads } = { ...TRAIN_CHARACTER_DEFAULTS, ...options }
  const { signal, checkpointSeconds, run, resolution = FIT_BONES_DEFAULTS.resolution } = options
  const { height, skeleton } = character
  const { truncation } = LEARN_BONES_DEFAULTS
  // A little more room than the truncation, so that what lies on the box's faces is beyond it.
  const bones = fitBones(character, { margin: 1.1 * truncation * height, resolution })
  if (bones.length > MOST_PARTS) {
    throw new BadInput(
      `character: ${bones.length} joints carry parts of the surface; bind it to ${MOST_PARTS} or fewer.`,
    )
  }
  const poses = drawPoses(character, clips, count, seed)
  const asked = { ...BONE_NETWORK_DEFAULTS, fade: FADE * height, ...options.network, scale: height, bones }
  const nearest = options.network?.nearest ?? partsToAsk(character, asked, poses, NEAR * height, seed)
  const shape: BoneNetworkShape = { ...asked, nearest }
  const sampling = {
    pointsPerPose,
    mix: { surface: 0.2, near: 0.6, uniform: 0.2 },
    sigma: NEAR * height,
    margin: truncation * height,
  }
  const learning = { ...LEARN_BONES_DEFAULTS, steps }
  const specHash = hashRun(character, poses, { shape, sampling, learning })
  // Also in a rehearsal, which does not go on from it: one of another run is refused before anything takes long.
  const saved = await checkpointsOf(options, specHash, seed)
  const checkpoints = run?.isRehearsal ? {} : saved
  const some = poses.slice(0, checkpoints.resume?.poses?.labelled ?? run?.counts.poses)
  const data = await makeBoneData(shape, posesOfCharacter(character, shape, some), {
    ...sampling,
    seed,
    threads,
    signal,
    isOver: () => run?.isOver('label') ?? false,
    onProgress: (fraction) => {
      const detail = `${some.length} poses x ${pointsPerPose} points`
      options.onProgress?.({ fraction, stage: 'label', detail })
    },
  })
  const restField = restFieldOf(restMesh(character))
  const restMatrices = new Float64Array(16 * skeleton.jointCount)
  skeleton.matrices(skeleton.rest, restMatrices)
  const initial = initialBoneTensors(shape, restMatrices, restField, truncation, seed)
  const learned = await learnBones(shape, initial, data, {
    ...learning,
    ...(run?.isRehearsal ? { steps: run.counts.steps } : {}),
    resume: checkpoints.resume,
    onCheckpoint: async (all, state) =>
      checkpoints.onCheckpoint?.(all, state, { made: poses.length, labelled: data.poses }),
    checkpointSeconds,
    budgetSeconds: run?.secondsFor('learn'),
    seed,
    threads,
    signal,
    onProgress: (fraction, detail) => options.onProgress?.({ fraction, stage: 'learn', detail }),
  })
  return {
    ...learned,
    network: { kind: 'bones', shape },
    poses: poses.slice(0, data.poses),
    truncation: truncation * height,
    specHash,
  }
}

function restMesh(character: SkinnedCharacter): TriangleMesh {
  const positions = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(character.skeleton.rest, positions)
  return { positions, triangles: character.triangles }
}

function posesOfCharacter(
  character: SkinnedCharacter,
  { bones }: BoneNetworkShape,
  poses: readonly SkeletonPose[],
): BonePoses {
  const { skeleton } = character
  const boneDrivers = new BoneDrivers(skeleton, bones)
  const matrices = new Float64Array(16 * skeleton.jointCount)
  const drivers = new Float32Array(bones.length * 3 * MAX_DRIVERS)
  return {
    count: poses.length,
    mesh: restMesh(character),
    positions: (pose, out) => character.positionsOfPose(poses[pose], out),
    bones(pose) {
      skeleton.matrices(poses[pose], matrices)
      boneDrivers.write(poses[pose], drivers)
      return { matrices, drivers }
    },
  }
}

/** All that tensors depend on but the seed. */
export function hashRun(character: SkinnedCharacter, poses: readonly SkeletonPose[], settings: object): string {
  const { bound, triangles, bones, influenceStarts, influenceBones, influenceWeights } = character.surface
  const hash = createHash('sha256').update(JSON.stringify({ ...settings, skinning: character.skinning }))
  for (const array of [bound, triangles, bones.joints, bones.inverseBind]) hash.update(array)
  for (const array of [influenceStarts, influenceBones, influenceWeights]) hash.update(array)
  for (const { translations, rotations, scales } of poses) hash.update(translations).update(rotations).update(scales)
  return hash.digest('hex').slice(0, 32)
}

/** Frames and blends of the clips, most of them with noise: what carries over to clips that were never seen. */
function drawPoses(character: SkinnedCharacter, clips: readonly Clip[], count: number, seed: number): SkeletonPose[] {
  const shares = { frames: 0.7, blends: 0.3, noise: 0 }
  return drawClipPoses(character, clips, { count, seed, shares }).map(({ pose }, i) => {
    const random = streamOf('trainingNoise', seed, i)
    return random.uniform() < NOISE_SHARE ? withJointNoise(character.skeleton, pose, NOISE, random) : pose
  })
}
