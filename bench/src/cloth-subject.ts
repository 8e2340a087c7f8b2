/** What suite cloth measures: a trained character, a motion for it, and the paper's network of the same character. */
import type { Tensors } from 'pliant'
import {
  type BoneFrame,
  boneMultiplications,
  type CharacterArtifact,
  type CharacterField,
  type Clip,
  createCharacterField,
  decodeCharacter,
  isWholeBody,
  loadCharacter,
  type Skeleton,
  type SkeletonPose,
  sampleClip,
  type WholeBodyShape,
} from 'pliant/character'
import { paperShape } from './paper-shape.js'
import { randomTensors } from './random-tensors.js'

export interface ClothSubject {
  artifact: CharacterArtifact
  bones: readonly BoneFrame[]
  multiplications: number
  clip: Clip
  judges: JudgingPoses
  learned: CharacterField
  learnedTwoThreads: CharacterField
  paper: PaperSubject
}

/** Poses never trained on. */
export interface JudgingPoses {
  /** That they are of; none: clips that were trained on, with noise. */
  clips: string[]
  poses: SkeletonPose[]
}

export interface PaperSubject {
  field: CharacterField
  bytes: number
  /** Without its file the weights are random: good for times only. */
  trained: boolean
}

/** Time between the held-out poses where they serve as the motion [s]. */
const BETWEEN = 0.5

/**
 * @param clip   the motion; left out, one through the poses that the file holds to judge by
 * @param paper  the file of the paper's network; left out, one of the same shape with random weights
 * @throws Error if a file holds the other's network, or the two are not of one skeleton
 */
export async function loadSubject(bytes: Uint8Array, clip?: Clip, paper?: Uint8Array): Promise<ClothSubject> {
  const artifact = decodeCharacter(bytes)
  const { manifest, character, heldOut } = artifact
  const { network } = manifest
  if (isWholeBody(network)) {
    throw new Error("bench cloth: the file holds the paper's network; pass it with --paper, ours with --file.")
  }
  return {
    artifact,
    bones: network.bones,
    multiplications: boneMultiplications(network),
    clip: clip ?? clipThrough(character.skeleton, heldOut),
    judges: judgesOf(artifact, clip),
    learned: await loadCharacter(artifact),
    learnedTwoThreads: await loadCharacter(artifact, { threads: 2 }),
    paper: paper ? await loadPaper(paper, character.skeleton) : await paperShaped(artifact),
  }
}

/** Those that the file holds for that, or of a motion that it does not know, as many and spread evenly. */
function judgesOf({ manifest, character, heldOut }: CharacterArtifact, clip?: Clip): JudgingPoses {
  const known = [...manifest.training.clips, ...manifest.heldOut.clips]
  if (!clip || known.includes(clip.name)) return { clips: manifest.heldOut.clips, poses: heldOut }
  const poses = heldOut.map((_, i) => {
    const pose = character.skeleton.createPose()
    sampleClip(character.skeleton, clip, (clip.duration * i) / heldOut.length, pose)
    return pose
  })
  return { clips: [clip.name], poses }
}

export function disposeSubject({ learned, learnedTwoThreads, paper }: ClothSubject): void {
  for (const field of [learned, learnedTwoThreads, paper.field]) field.dispose()
}

export function tensorBytes(tensors: Tensors): number {
  return [...tensors.values()].reduce((sum, { byteLength }) => sum + byteLength, 0)
}

async function loadPaper(bytes: Uint8Array, skeleton: Skeleton): Promise<PaperSubject> {
  const artifact = decodeCharacter(bytes)
  const { names } = artifact.character.skeleton
  if (!isWholeBody(artifact.manifest.network)) {
    throw new Error("bench cloth: --paper holds no network of the paper's; train it with --method paper.")
  }
  if (names.join() !== skeleton.names.join()) {
    throw new Error('bench cloth: --paper is of another skeleton; train it on the same character.')
  }
  return { field: await loadCharacter(artifact), bytes: tensorBytes(artifact.network), trained: true }
}

async function paperShaped({ manifest, character }: CharacterArtifact): Promise<PaperSubject> {
  const dense = paperShape(character.codeSize)
  const reach = character.height
  const shape: WholeBodyShape = {
    dense,
    centre: [0, 0, 0],
    scale: reach,
    domain: { lower: [-reach, -reach, -reach], upper: [reach, reach, reach] },
  }
  const tensors = randomTensors(dense)
  const { name, truncation } = manifest
  const field = await createCharacterField({ name, network: shape, truncation }, character, tensors, {})
  return { field, bytes: tensorBytes(tensors), trained: false }
}

/** Smooth from pose to pose and back to the first; the root stands still. */
function clipThrough(skeleton: Skeleton, poses: readonly SkeletonPose[]): Clip {
  const round = [...poses, poses[0]]
  const times = Float32Array.from(round, (_, i) => i * BETWEEN)
  const tracks = skeleton.names.flatMap((_, target) => {
    if (skeleton.belowRoot[target] === 0) return []
    const track = (path: 'rotation' | 'translation', size: number, part: (pose: SkeletonPose) => Float64Array) => ({
      target,
      path,
      size,
      interpolation: 'LINEAR' as const,
      times,
      values: Float32Array.from(round.flatMap((pose) => [...part(pose).subarray(size * target, size * target + size)])),
    })
    return [
      track('rotation', 4, ({ rotations }) => rotations),
      track('translation', 3, ({ translations }) => translations),
    ]
  })
  return { name: 'held-out poses', duration: BETWEEN * poses.length, tracks }
}
