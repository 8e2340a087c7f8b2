/** How good fields of a character are: ours, and the rivals that a game would use instead. */
import { load, type MovingField, type Progress, type Quality } from 'pliant'
import type { CharacterArtifact, JointState, SkeletonPose, SkinnedCharacter } from 'pliant/character'
import type { BoneFrame } from 'pliant/unstable'
import { fitBones } from '../learn/frames/fit-bones.js'
import { type JudgedPoses, type MeasureOptions, measureFields } from './measure-fields.js'
import { rigidGrids, rigidRivals } from './rigid-rivals.js'
import type { PoseError } from './tally.js'

/** Of each pose, unless told otherwise. */
const POINTS = 2000

/** Which poses and points to judge by, and what to judge beside the file. */
export interface EvaluateCharacterOptions {
  /** Points of each pose. */
  points?: number
  /** Default: those that the file holds for that. */
  poses?: readonly SkeletonPose[]
  /** Also measure rigid bone grids and capsules, on the same points, or the grids alone. */
  rivals?: boolean | 'boneGrids'
  /** Stops it. */
  signal?: AbortSignal
  /** Told how far it has come. */
  onProgress?: (progress: Progress) => void
}

/** How good a trained character is. */
export interface CharacterEvaluation {
  /** Against exact geometry. */
  quality: Quality
  /** What the field said of its own error at these poses. */
  told: PoseError[]
  /** Those asked for. */
  rivals?: Partial<Record<'boneGrids' | 'softBoneGrids' | 'capsules', Quality>>
}

/** How good a trained character is, and what a game would use instead beside it. */
export async function evaluateCharacter(
  artifact: CharacterArtifact,
  options: EvaluateCharacterOptions = {},
): Promise<CharacterEvaluation> {
  const { manifest, character } = artifact
  const { points = POINTS, poses = artifact.heldOut, signal, onProgress } = options
  const learned = await load(artifact)
  const told: PoseError[] = []
  const onPose = (one: PoseError): void => {
    told.push(one)
  }
  const { truncation } = manifest
  const judged = { points, seed: manifest.training.seed, truncation, signal, onProgress, onPose }
  try {
    if (!options.rivals) {
      return { quality: (await measureCharacter({ learned }, character, poses, judged)).learned, told }
    }
    const parts = partsOf(artifact)
    const rigid = options.rivals === true ? rigidRivals(character, parts) : { boneGrids: rigidGrids(character, parts) }
    const fields: Record<string, MovingField<JointState>> = { learned, ...rigid }
    const { learned: quality, ...rivals } = await measureCharacter(fields, character, poses, judged)
    return { quality, told, rivals }
  } finally {
    learned.dispose()
  }
}

/** Parts to make rigid rivals for: those of the network, or such as a network in bone frames would have. */
function partsOf({ manifest: { networks, truncation }, character }: CharacterArtifact): BoneFrame[] {
  const network = networks.distance
  return network.kind === 'bones' ? network.shape.bones : fitBones(character, { margin: truncation })
}

export function measureCharacter<Name extends string>(
  fields: Readonly<Record<Name, MovingField<JointState>>>,
  character: SkinnedCharacter,
  poses: readonly SkeletonPose[],
  options: MeasureOptions,
): Promise<Record<Name, Quality>> {
  return measureFields(fields, judgedPoses(character, poses), options)
}

function judgedPoses(character: SkinnedCharacter, poses: readonly SkeletonPose[]): JudgedPoses<JointState> {
  const { skeleton, triangles, height } = character
  const rest = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(skeleton.rest, rest)
  const matrices = new Float64Array(16 * skeleton.jointCount)
  return {
    size: height,
    sizeOf: 'height',
    mesh: { positions: rest, triangles },
    codes: poses.map((pose) => {
      const code = new Float64Array(character.codeSize)
      character.encodePose(pose, code)
      return code
    }),
    positions: (pose, out) => character.positionsOfPose(poses[pose], out),
    state(pose) {
      skeleton.matrices(poses[pose], matrices)
      return { joints: poses[pose], matrices }
    },
  }
}
