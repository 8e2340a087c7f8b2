/**
 * From a skinned character and its clips to a network in bone frames: parts, poses, exact labels, learning. The same
 * seed gives the same tensors.
 */
import type { TriangleMesh } from 'pliant'
import type { Clip, SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { BoneDrivers, type BoneNetworkShape, MAX_DRIVERS } from 'pliant/unstable'
import { BadInput } from '../../input/bad-input.js'
import { drawClipPoses } from '../../poses/clip-poses.js'
import { withJointNoise } from '../../poses/joint-noise.js'
import { streamOf } from '../../streams/random-streams.js'
import type { ClosedCharacter } from '../../subjects/closed-character.js'
import { hashCharacter } from '../../subjects/hash-character.js'
import type { LearnableCharacter, LearnCharacterSettings } from '../learnable-character.js'
import { type BonePoses, makeBoneData } from './bone-data.js'
import { initialBoneTensors } from './bone-initial.js'
import { FIT_BONES_DEFAULTS, fitBones } from './fit-bones.js'
import { LEARN_BONES_DEFAULTS, learnBones } from './learn-bones.js'
import { partsToAsk } from './parts-to-ask.js'
import { restFieldOf } from './rest-field.js'

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

/** @throws Error if there are no clips; BadInput if more joints carry the surface than can be told apart */
export function characterInBones(
  { character, clips }: ClosedCharacter,
  settings: LearnCharacterSettings,
): LearnableCharacter {
  const { seed, poses: count, pointsPerPose, steps, resolution = FIT_BONES_DEFAULTS.resolution } = settings
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
  const asked = { ...BONE_NETWORK_DEFAULTS, fade: FADE * height, ...settings.network, scale: height, bones }
  const nearest = settings.network?.nearest ?? partsToAsk(character, asked, poses, NEAR * height, seed)
  const shape: BoneNetworkShape = { ...asked, nearest }
  const sampling = {
    pointsPerPose,
    mix: { surface: 0.2, near: 0.6, uniform: 0.2 },
    sigma: NEAR * height,
    margin: truncation * height,
  }
  const learning = { ...LEARN_BONES_DEFAULTS, steps }
  return {
    specHash: hashCharacter(character, poses, { shape, sampling, learning }),
    truncation: truncation * height,
    poses: poses.length,
    async learn(options) {
      const { threads, signal, onLabel, onCheckpoint } = options
      const some = poses.slice(0, options.labelled)
      const data = await makeBoneData(shape, posesOfCharacter(character, shape, some), {
        ...sampling,
        seed,
        threads,
        signal,
        isOver: options.isOver,
        onProgress: onLabel,
      })
      const restMatrices = new Float64Array(16 * skeleton.jointCount)
      skeleton.matrices(skeleton.rest, restMatrices)
      const initial = initialBoneTensors(shape, restMatrices, restFieldOf(restMesh(character)), truncation, seed)
      const learned = await learnBones(shape, initial, data, {
        ...learning,
        ...options,
        seed,
        onCheckpoint: onCheckpoint && ((all, state) => onCheckpoint(all, state, data.poses)),
        budgetSeconds: options.secondsLeft?.(),
      })
      return { ...learned, network: { kind: 'bones', shape }, poses: data.poses }
    },
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

/** Frames and blends of the clips, most of them with noise: what carries over to clips that were never seen. */
function drawPoses(character: SkinnedCharacter, clips: readonly Clip[], count: number, seed: number): SkeletonPose[] {
  const shares = { frames: 0.7, blends: 0.3, noise: 0 }
  return drawClipPoses(character, clips, { count, seed, shares }).map(({ pose }, i) => {
    const random = streamOf('trainingNoise', seed, i)
    return random.uniform() < NOISE_SHARE ? withJointNoise(character.skeleton, pose, NOISE, random) : pose
  })
}
