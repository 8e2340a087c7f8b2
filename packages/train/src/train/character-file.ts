/** The main job for characters: from a rig and its clips to one file, judged on clips that were held out. */
import { decode, encode, FORMAT_VERSION, load, type MovingField, type Quality } from 'pliant'
import {
  type BoneFrame,
  type CharacterArtifact,
  type CharacterManifest,
  type Clip,
  clipFingerprint,
  createCharacter,
  type JointState,
  type Rig,
  type SeenError,
  type SkeletonPose,
  type SkinnedCharacter,
} from 'pliant/character'
import { measureCharacter } from '../evaluate/character.js'
import { type RigidRivals, rigidGrids, rigidRivals } from '../evaluate/rigid-rivals.js'
import { measureSeen } from '../evaluate/seen-mesh.js'
import type { PoseError } from '../evaluate/tally.js'
import { faultOf } from '../evaluate/verdict.js'
import { asBadInput } from '../input/bad-input.js'
import { fitBones } from '../learn/frames/fit-bones.js'
import { type JobOptions, type JobRun, PlannedJob } from '../plan/planned-job.js'
import { CHARACTER_STAGES } from '../plan/stages.js'
import { clipFrames } from '../poses/clip-poses.js'
import { withJointNoise } from '../poses/joint-noise.js'
import { stepsTaken } from '../resume/checkpoint.js'
import { streamOf } from '../streams/random-streams.js'
import {
  type CollisionSurfaceOptions,
  type CollisionSurfaceReport,
  makeCollisionSurface,
} from '../surface/collision-surface.js'
import { checkCharacter } from './check-character.js'
import { TRAIN_CHARACTER_DEFAULTS, type TrainCharacterOptions, trainCharacter } from './train-character.js'
import { TRAIN_WHOLE_BODY_DEFAULTS, trainWholeBody } from './train-whole-body.js'

/** What to train a character on, and for how long. */
export interface CharacterFileOptions extends Omit<TrainCharacterOptions, 'onProgress' | 'run'>, JobOptions {
  /** What the character is called. */
  name: string
  /** 'pliant': a network in bone frames; 'paper': Zesch et al., one dense network of point and joint angles. */
  method?: CharacterMethod
  /** What to train on; the rig's own clips if left out. */
  clips?: readonly Clip[]
  /** Never trained on; what the file is judged by. Without any: clips that were trained on, with noise on all joints. */
  heldOut?: readonly Clip[]
  /** Poses to judge on, and points of each. */
  evaluation?: { poses: number; points: number }
}

/** Which network is trained. */
export type CharacterMethod = keyof typeof METHODS
const METHODS = {
  pliant: { train: trainCharacter, defaults: TRAIN_CHARACTER_DEFAULTS },
  paper: { train: trainWholeBody, defaults: TRAIN_WHOLE_BODY_DEFAULTS },
} as const

/** A trained character, and how good it is. */
export interface CharacterFile {
  /** The file's content. */
  bytes: Uint8Array<ArrayBuffer>
  /** Measured on clips that were held out. */
  quality: Quality
  /** Why the result must not be trusted, as its file says too; undefined if nothing is wrong with it. */
  fault: string | undefined
  /** How the collision surface was made of the character's meshes. */
  surface: CollisionSurfaceReport
  /** Against the meshes as they came, if the surface is another. */
  seenError: SeenError | undefined
  /** Steps of learning that were taken: fewer than asked for if a budget ran out. */
  steps: number
  /** Poses that were trained on: fewer than asked for if a budget ran out. */
  poses: number
  /** Identifies character, clips and options; the same hash and seed give the same bytes. */
  specHash: string
  /** How long it took [s]. */
  seconds: number
}

/**
 * Trains a character from its clips.
 * @throws BadInput if there is nothing to train on, or the checkpoint is of another run; the signal's reason when
 *   aborted, with the checkpoint saved
 */
export async function trainCharacterFile(
  rig: Pick<Rig, 'skeleton' | 'surface' | 'clips' | 'height'>,
  options: CharacterFileOptions,
): Promise<CharacterFile> {
  const began = options.began ?? performance.now()
  const { method = 'pliant', clips = rig.clips, heldOut = [], evaluation = EVALUATION } = options
  const { poses, steps } = { ...METHODS[method].defaults, ...options }
  const job = new PlannedJob(CHARACTER_STAGES, { poses, steps, judges: evaluation.poses }, { ...options, began })
  const closed = await asBadInput(() =>
    closedCharacter(rig, clips, heldOut, {
      signal: options.signal,
      onProgress: (fraction) => job.report('surface', fraction, 'closed surfaces'),
    }),
  )
  const file = await job.run((run) => makeFile(closed, { ...options, method, clips, heldOut, evaluation }, run), {
    learn: await stepsTaken(options),
  })
  return { ...file, seconds: (performance.now() - began) / 1000 }
}

/** Labels, learning, judging: the whole job, for as many of each as the run says. */
async function makeFile(
  { character, original, surfaceReport }: ClosedCharacter,
  options: CharacterFileOptions & Required<Pick<CharacterFileOptions, 'method' | 'clips' | 'heldOut' | 'evaluation'>>,
  run: JobRun,
): Promise<Omit<CharacterFile, 'seconds'>> {
  const { method, clips, heldOut } = options
  const { train, defaults } = METHODS[method]
  const { network, tensors, truncation, steps, specHash, poses } = await train(character, clips, {
    ...options,
    run,
    onProgress: ({ stage, fraction, detail }) => run.report(stage, fraction, detail),
  })
  const { seed, pointsPerPose } = { ...defaults, ...options }
  const evaluation = { ...options.evaluation, poses: run.counts.judges }
  const { code, surface, skeleton } = character
  const manifest: CharacterManifest = {
    format: FORMAT_VERSION,
    kind: 'signed-distance',
    name: options.name,
    code: {
      size: code.size,
      names: Array.from(code.joints, (joint, entry) => `${skeleton.names[joint]} ${AXES[code.axes[entry]]}`),
      lower: [...code.bounds.lower],
      upper: [...code.bounds.upper],
      how: 'rotation vectors of joints from rest over pi, then slides over the height; see SkinnedCharacter.encodePose',
    },
    model: {
      kind: 'character',
      height: character.height,
      skeleton: { names: [...skeleton.names], root: skeleton.root },
      surface: {
        vertices: character.vertexCount,
        triangles: surface.triangles.length / 3,
        influences: surface.influenceBones.length,
        bones: surface.bones.joints.length,
        skinning: character.skinning,
        made: surfaceReport.method,
        meanDeviation: surfaceReport.meanDeviation,
        maxDeviation: surfaceReport.maxDeviation,
      },
      largestAngle: code.largestAngle,
      clips: clips.map((clip) => ({ name: clip.name, fingerprint: clipFingerprint(skeleton, clip) })),
      heldOut: { poses: evaluation.poses, clips: heldOut.map(({ name }) => name) },
    },
    networks: { distance: network },
    truncation,
    training: {
      method,
      seed,
      specHash,
      steps,
      poses: poses.length,
      labels: poses.length * pointsPerPose,
    },
    quality: null,
  }
  const judgedBy = drawJudges(character, clips, heldOut, evaluation.poses, seed)
  // Read back: the file rounds, and what is judged must be what it holds.
  const artifact = await decode(
    await encode({ kind: 'character', manifest, character, networks: { distance: tensors }, heldOut: judgedBy }),
    'character',
  )
  const isSeen = surfaceReport.method !== 'as given'
  const report = (before: number, share: number) => (fraction: number) =>
    run.report('evaluate', before + share * fraction, `${evaluation.poses} poses to judge by`)
  const share = isSeen ? 0.7 : 1
  const { quality, rivals } = await evaluateCharacter(artifact, {
    rivals: 'boneGrids',
    points: evaluation.points,
    signal: options.signal,
    onProgress: report(0, share),
  })
  if (isSeen) {
    const field = await load(artifact)
    const judging = {
      points: evaluation.points / 2,
      seed,
      signal: options.signal,
      onProgress: report(share, 1 - share),
    }
    const seenError = await measureSeen(field, artifact.character, original, artifact.heldOut, judging)
    field.dispose()
    if (Number.isFinite(seenError.mean)) artifact.manifest.model.surface.seenError = seenError
  }
  const fault = faultOf(quality, rivals?.boneGrids && { name: 'rigid bone grids', quality: rivals.boneGrids })
  // JSON has no NaN: a field that gives any has no figures, and says why.
  artifact.manifest.quality = Number.isFinite(quality.bandError.mean) ? quality : null
  if (fault !== undefined) artifact.manifest.fault = fault
  return {
    bytes: await encode(artifact),
    quality,
    fault,
    seenError: artifact.manifest.model.surface.seenError,
    surface: surfaceReport,
    steps,
    poses: poses.length,
    specHash,
  }
}

interface ClosedCharacter {
  character: SkinnedCharacter
  /** With its meshes as they came. */
  original: SkinnedCharacter
  surfaceReport: CollisionSurfaceReport
}

/** @throws Error if the rig's surface encloses nothing, or the clips do not move it or move it beyond reason */
async function closedCharacter(
  rig: Pick<Rig, 'skeleton' | 'surface' | 'clips' | 'height'>,
  clips: readonly Clip[],
  heldOut: readonly Clip[],
  options: CollisionSurfaceOptions,
): Promise<ClosedCharacter> {
  if (clips.length === 0) {
    throw new Error('character: there are no clips to train on; add animations to its file, or a .bvh motion.')
  }
  const original = createCharacter(rig, clips)
  if (original.codeSize === 0) {
    throw new Error(`character: its ${clips.length} clips move no joint of the body; add others, or a .bvh motion.`)
  }
  checkCharacter(original, [...clips, ...heldOut])
  // Characters are rarely one closed mesh; without this the sign would not mean "inside the body".
  const { surface, report } = await makeCollisionSurface(rig.surface, rig.skeleton, options)
  return { character: createCharacter({ ...rig, surface }, clips), original, surfaceReport: report }
}

/** What a trained character is evaluated on. */
export interface EvaluateCharacterOptions {
  /** Points of each pose; a count. */
  points?: number
  /** Default: those that the file holds for that. */
  poses?: readonly SkeletonPose[]
  /** Also measure rigid bone grids and capsules, on the same points, or the grids alone. */
  rivals?: boolean | 'boneGrids'
  /** Stops the evaluation. */
  signal?: AbortSignal
  /** Told how far it has come, 0 to 1. */
  onProgress?: (fraction: number) => void
}

/** How good a trained character is. */
export interface CharacterEvaluation {
  /** Over all poses. */
  quality: Quality
  /** What the field said of its own error at these poses. */
  told: PoseError[]
  /** Those asked for. */
  rivals?: Partial<Record<keyof RigidRivals, Quality>>
}

/** How good a trained character is, and what a game would use instead beside it. */
export async function evaluateCharacter(
  artifact: CharacterArtifact,
  options: EvaluateCharacterOptions = {},
): Promise<CharacterEvaluation> {
  const { manifest, character } = artifact
  const { points = EVALUATION.points, poses = artifact.heldOut, signal, onProgress } = options
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

const EVALUATION = { poses: 60, points: 2000 } as const
const AXES = ['x', 'y', 'z', 'slide x', 'slide y', 'slide z']
/** Noise on poses to judge by where no clip is held out [rad]. */
const JUDGE_NOISE = (20 * Math.PI) / 180

function drawJudges(
  character: SkinnedCharacter,
  clips: readonly Clip[],
  heldOut: readonly Clip[],
  count: number,
  seed: number,
): SkeletonPose[] {
  const frames = clipFrames(character, heldOut.length > 0 ? heldOut : clips, 30)
  return Array.from({ length: count }, (_, i) => {
    const random = streamOf('evaluationClipPoses', seed, i)
    const { pose } = frames[random.below(frames.length)]
    return heldOut.length > 0 ? pose : withJointNoise(character.skeleton, pose, JUDGE_NOISE, random)
  })
}
