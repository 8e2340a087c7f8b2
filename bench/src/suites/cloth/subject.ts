/** What suite cloth measures: a trained character, motions for it, and the paper's network of the same character. */
import { streamOf } from '@pliant/train/unstable/streams'
import { decode, load, type WholeNetwork } from 'pliant'
import {
  type CharacterArtifact,
  type CharacterField,
  type Clip,
  type Skeleton,
  type SkeletonPose,
  sampleClip,
} from 'pliant/character'
import { type BoneFrame, boneMultiplications, type Tensors, wasTrainedOn } from 'pliant/unstable'
import { paperShape } from '../../networks/paper-shape.js'
import { randomTensors } from '../../networks/random-tensors.js'

export interface ClothSubject {
  artifact: CharacterArtifact
  bones: readonly BoneFrame[]
  multiplications: number
  /** To play, one at least. */
  clips: readonly Clip[]
  judges: readonly JudgingPoses[]
  learned: CharacterField
  learnedTwoThreads: CharacterField
  paper: PaperSubject
}

/** Poses never trained on. */
export interface JudgingPoses {
  /** That they are of. */
  clip: string
  /** Another seed gives other moments of the clip, where there is a clip. */
  poses(seed: number, count: number): SkeletonPose[]
}

export interface PaperSubject {
  field: CharacterField
  network: WholeNetwork
  tensors: Tensors
  bytes: number
  /** Without its file the weights are random: good for times only. */
  trained: boolean
}

/** Time between the held-out poses where they serve as the motion [s]. */
const BETWEEN = 0.5

/**
 * @param clips  motions; left out, one through the poses that the file holds to judge by
 * @param paper  the file of the paper's network; left out, one of the same shape with random weights
 * @throws Error if a file holds the other's network, or the two are not of one skeleton
 */
export async function loadSubject(
  bytes: Uint8Array,
  clips: readonly Clip[] = [],
  paper?: Uint8Array,
): Promise<ClothSubject> {
  const artifact = await decode(bytes, 'character')
  const { manifest, character, heldOut } = artifact
  const network = manifest.networks.distance
  if (network.kind !== 'bones') {
    throw new Error("bench cloth: the file holds the paper's network; pass it with --paper, ours with --file.")
  }
  return {
    artifact,
    bones: network.shape.bones,
    multiplications: boneMultiplications(network.shape),
    clips: clips.length > 0 ? clips : [clipThrough(character.skeleton, heldOut)],
    judges: judgesOf(artifact, clips),
    learned: await load(artifact),
    learnedTwoThreads: await load(artifact, { threads: 2 }),
    paper: paper ? await loadPaper(paper, character.skeleton) : await paperShaped(artifact),
  }
}

/** Moments of each motion that was not trained on; without any, the poses that the file holds to judge by. */
function judgesOf({ manifest, character, heldOut }: CharacterArtifact, clips: readonly Clip[]): JudgingPoses[] {
  const { skeleton } = character
  const unseen = clips.filter((clip) => !wasTrainedOn(manifest, skeleton, clip))
  if (unseen.length === 0) {
    const clip = manifest.model.heldOut.clips.join(', ') || 'clips trained on, with 20 degrees of noise on every joint'
    return [{ clip, poses: (_, count) => evenly(heldOut, count) }]
  }
  return unseen.map((clip) => ({
    clip: clip.name,
    poses(seed, count) {
      const phase = streamOf('benchMoments', seed).uniform()
      return Array.from({ length: count }, (_, i) => {
        const pose = skeleton.createPose()
        sampleClip(skeleton, clip, (clip.duration * (i + phase)) / count, pose)
        return pose
      })
    },
  }))
}

/** So many of a list, from all over it. */
function evenly<Item>(list: readonly Item[], count: number): Item[] {
  return list.filter((_, i) => Math.floor((i * count) / list.length) !== Math.floor(((i - 1) * count) / list.length))
}

export function disposeSubject({ learned, learnedTwoThreads, paper }: ClothSubject): void {
  for (const field of [learned, learnedTwoThreads, paper.field]) field.dispose()
}

export function tensorBytes(tensors: Tensors): number {
  return [...tensors.values()].reduce((sum, { byteLength }) => sum + byteLength, 0)
}

async function loadPaper(bytes: Uint8Array, skeleton: Skeleton): Promise<PaperSubject> {
  const artifact = await decode(bytes, 'character')
  const { names } = artifact.character.skeleton
  const network = artifact.manifest.networks.distance
  if (network.kind !== 'whole') {
    throw new Error("bench cloth: --paper holds no network of the paper's; train it with --method paper.")
  }
  if (names.join() !== skeleton.names.join()) {
    throw new Error('bench cloth: --paper is of another skeleton; train it on the same character.')
  }
  const tensors = artifact.networks.distance
  return { field: await load(artifact), network, tensors, bytes: tensorBytes(tensors), trained: true }
}

async function paperShaped(artifact: CharacterArtifact): Promise<PaperSubject> {
  const { manifest, character } = artifact
  const shape = paperShape(character.codeSize)
  const reach = character.height
  const network: WholeNetwork = {
    kind: 'whole',
    shape,
    normalisation: {
      centre: [0, 0, 0],
      scale: reach,
      codeOffset: Array<number>(character.codeSize).fill(0),
      codeScale: Array<number>(character.codeSize).fill(1),
    },
    domain: { lower: [-reach, -reach, -reach], upper: [reach, reach, reach] },
  }
  const tensors = randomTensors(shape)
  const stand: CharacterArtifact = {
    ...artifact,
    manifest: { ...manifest, networks: { distance: network }, quality: null },
    networks: { distance: tensors },
  }
  return { field: await load(stand), network, tensors, bytes: tensorBytes(tensors), trained: false }
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
