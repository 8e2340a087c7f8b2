/** Subject: a rigged character. A network in bone frames, or the paper's; judged on clips that were held out. */
import { type Artifact, load, type Progress, type Quality } from 'pliant'
import type { CharacterArtifact, CharacterNetwork, Clip, SkeletonPose, SkinnedCharacter } from 'pliant/character'
import { clipFingerprint, describeJointCode, FORMAT_VERSION, progressWithin } from 'pliant/unstable'
import { evaluateCharacter } from '../evaluate/character.js'
import { measureSeen } from '../evaluate/seen-mesh.js'
import { type Rival, verdictOn } from '../evaluate/verdict.js'
import { asBadInput } from '../input/bad-input.js'
import { characterInBones } from '../learn/frames/learn-character.js'
import { characterAsWhole } from '../learn/learn-whole-body.js'
import type { LearnableCharacter, LearnCharacterSettings } from '../learn/learnable-character.js'
import type { LearnedNetwork } from '../learn/learned-network.js'
import type { JobRun } from '../plan/planned-job.js'
import { CHARACTER_STAGES } from '../plan/stages.js'
import { clipFrames } from '../poses/clip-poses.js'
import { withJointNoise } from '../poses/joint-noise.js'
import { stepsTaken } from '../resume/checkpoint.js'
import type { TrainSpec } from '../spec/train-spec.js'
import { streamOf } from '../streams/random-streams.js'
import {
  CHARACTER_MODEL,
  type CharacterModel,
  loadCharacter,
  type ReadCharacter,
  type TrainingCharacter,
} from '../subjects/character.js'
import { type ClosedCharacter, closeCharacter } from '../subjects/closed-character.js'
import type { Judged, LoadedSubject, PreparedTraining, StartOptions, Subject, Training } from './subject.js'

export type LoadedCharacter = LoadedSubject & ReadCharacter

export const CHARACTER: Subject<CharacterModel> = {
  model: CHARACTER_MODEL,
  async load(spec, model, files): Promise<LoadedCharacter> {
    const character = await loadCharacter(spec, model, files)
    return { ...character, ...characterToTrain(spec, character) }
  },
}

/** A character that was read or made in code. @param network where its network in bone frames departs from ours */
export function characterToTrain(
  spec: TrainSpec,
  character: TrainingCharacter & Pick<LearnCharacterSettings, 'network'>,
): LoadedSubject {
  return { kind: 'character', start: (options) => startCharacter(spec, character, options) }
}

const METHODS = { pliant: characterInBones, paper: characterAsWhole } as const

type Prepared = LearnableCharacter & PreparedTraining

async function startCharacter(
  spec: TrainSpec,
  rigged: TrainingCharacter & Pick<LearnCharacterSettings, 'network'>,
  options: StartOptions,
): Promise<Training<Prepared, CharacterNetwork>> {
  const { signal } = options
  const { seed, poses, pointsPerPose, steps } = spec
  const { resolution, network } = rigged
  let closed: ClosedCharacter
  return {
    stages: CHARACTER_STAGES,
    counts: { poses, steps, judges: spec.evaluation.poses },
    done: { learn: await stepsTaken(options) },
    async ready(report) {
      const onProgress = ({ fraction }: Progress): void => report('surface', fraction, 'closed surfaces')
      closed = await asBadInput(() => closeCharacter(rigged, { signal, onProgress }))
    },
    async prepare(run) {
      const settings = { seed, poses, pointsPerPose, steps, resolution, network }
      const learnable = METHODS[spec.method](closed, settings)
      return { ...learnable, made: learnable.poses, toLabel: run.counts.poses }
    },
    learn: (prepared, learning) => prepared.learn(learning),
    artifact: (prepared, learned, run) => artifactOf(spec, closed, prepared, learned, run),
    judge: (artifact, _, run) => judge(spec, closed, artifact as CharacterArtifact, run, signal),
  }
}

function artifactOf(
  spec: TrainSpec,
  { character, clips, heldOut, surface: made }: ClosedCharacter,
  { specHash, truncation }: Prepared,
  { network, tensors, steps, poses }: LearnedNetwork<CharacterNetwork>,
  { counts }: JobRun,
): Artifact {
  const { code, surface, skeleton } = character
  return {
    kind: 'character',
    manifest: {
      format: FORMAT_VERSION,
      kind: 'signed-distance',
      name: spec.name,
      code: describeJointCode(character),
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
          made: made.method,
          meanDeviation: made.meanDeviation,
          maxDeviation: made.maxDeviation,
        },
        largestAngle: code.largestAngle,
        clips: clips.map((clip) => ({ name: clip.name, fingerprint: clipFingerprint(skeleton, clip) })),
        heldOut: { poses: counts.judges, clips: heldOut.map(({ name }) => name) },
      },
      networks: { distance: network },
      truncation,
      training: {
        method: spec.method,
        seed: spec.seed,
        specHash,
        steps,
        poses,
        labels: poses * spec.pointsPerPose,
      },
      quality: null,
    },
    character,
    networks: { distance: tensors },
    heldOut: drawJudges(character, clips, heldOut, counts.judges, spec.seed),
  }
}

/** Share of judging that goes into the closed surface, if that is not what is seen. */
const OF_SURFACE = 0.7

async function judge(
  { evaluation: { points }, seed }: TrainSpec,
  { original, surface }: ClosedCharacter,
  artifact: CharacterArtifact,
  run: JobRun,
  signal: AbortSignal | undefined,
): Promise<Judged> {
  const isSeen = surface.method !== 'as given'
  const share = isSeen ? OF_SURFACE : 1
  const onProgress = ({ fraction }: Progress): void =>
    run.report('evaluate', fraction, `${artifact.heldOut.length} poses to judge by`)
  const { quality, rivals } = await evaluateCharacter(artifact, {
    rivals: 'boneGrids',
    points,
    signal,
    onProgress: progressWithin(onProgress, 0, share),
  })
  if (isSeen) {
    const field = await load(artifact)
    const judging = { points: points / 2, seed, signal, onProgress: progressWithin(onProgress, share, 1) }
    const seenError = await measureSeen(field, artifact.character, original, artifact.heldOut, judging)
    field.dispose()
    if (Number.isFinite(seenError.mean)) artifact.manifest.model.surface.seenError = seenError
  }
  const { seenError } = artifact.manifest.model.surface
  return { ...verdictOn(quality, rivalOf(rivals?.boneGrids)), surface, seenError }
}

function rivalOf(grids: Quality | undefined): Rival | undefined {
  return grids && { name: 'rigid bone grids', quality: grids }
}

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
