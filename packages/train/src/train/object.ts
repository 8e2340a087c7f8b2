/** How objects are trained, meshes and elastic bodies: they differ in where shapes come from and in their network. */
import {
  type Artifact,
  type CodeState,
  load,
  type MovingField,
  type NodeState,
  type ObjectArtifact,
  type Quality,
} from 'pliant'
import { FORMAT_VERSION } from 'pliant/unstable'
import { measureQuality } from '../evaluate/quality.js'
import { restField } from '../evaluate/rest-field.js'
import { verdictOn } from '../evaluate/verdict.js'
import type { LearnedNetwork, LearnNetworkOptions } from '../learn/learned-network.js'
import type { JobRun } from '../plan/planned-job.js'
import type { Stage } from '../plan/stages.js'
import { checkpointsOf } from '../resume/checkpoint.js'
import type { TrainSpec } from '../spec/train-spec.js'
import type { PreparedObject, PrepareOptions, TrainingObject } from '../subjects/training-object.js'
import type { Judged, LoadedSubject, PreparedTraining, StartOptions, Training } from './subject.js'

export type LoadedObject = LoadedSubject & TrainingObject

interface ObjectKind {
  kind: ObjectArtifact['kind']
  stages: readonly Stage[]
  rehearsed?: readonly Stage[]
  learn(prepared: PreparedObject, options: LearnNetworkOptions): Promise<LearnedNetwork>
}

export function objectToTrain(spec: TrainSpec, object: TrainingObject, kind: ObjectKind): LoadedObject {
  return { ...object, kind: kind.kind, start: (options) => startObject(spec, object, kind, options) }
}

type Prepared = PreparedObject & PreparedTraining

/** @throws BadInput if what a stopped run left is of another run */
async function startObject(
  spec: TrainSpec,
  object: TrainingObject,
  { stages, rehearsed, learn }: ObjectKind,
  options: StartOptions,
): Promise<Training<Prepared, LearnedNetwork['network']>> {
  const { threads, signal, onWarning, checkpointPath } = options
  const { resume } = await checkpointsOf(options, object.specHash, spec.seed)
  const poses = resume?.poses?.made ?? spec.poses
  const kept = object.kept?.(options) ?? 0
  // Whoever has learned before has all poses.
  const hasPoses = kept > 0 && resume !== undefined
  // What a budget has cut is settled when learning begins: before that there is nothing to go on with.
  const resumable = options.budgetMinutes === undefined ? { checkpointPath, resume: options.resume } : {}
  const making = ({ isRehearsal }: JobRun): PrepareOptions => ({ threads, isRehearsal, signal })
  return {
    stages,
    counts: { poses, steps: resume?.steps ?? spec.steps, judges: spec.evaluation.poses },
    done: { poses: hasPoses ? poses : kept, learn: resume?.state.step ?? 0 },
    rehearsed,
    async prepare(run) {
      const prepared = await object.prepare({
        ...making(run),
        ...(run.isRehearsal && !hasPoses ? {} : resumable),
        onWarning,
        poses: run.counts.poses,
        timeIsUp: () => run.isOver('poses'),
        onProgress: ({ fraction, detail = '' }) => run.report('poses', fraction, detail),
        onModes: ({ fraction }) => run.report('modes', fraction, 'modes of the poses'),
      })
      const made = prepared.shapes.codes.length
      return { ...prepared, specHash: object.specHash, made, toLabel: made }
    },
    learn,
    artifact: (prepared, learned) => artifactOf(spec, object, prepared, learned),
    async judge(artifact, { frame, judges, drops }, run): Promise<Judged> {
      const judged = await judges({
        ...making(run),
        poses: run.counts.judges,
        timeIsUp: () => run.isOver('judges'),
        onProgress: ({ fraction, detail = '' }) => run.report('judges', fraction, detail),
      })
      const measure = (of: MovingField<CodeState & Partial<NodeState>>, from: number, to: number): Promise<Quality> =>
        measureQuality(of, judged, {
          points: spec.evaluation.points,
          seed: spec.seed,
          truncation: frame.truncation,
          signal,
          onProgress: ({ fraction }) =>
            run.report('evaluate', from + (to - from) * fraction, `${judged.codes.length} unseen poses`),
        })
      // The scalar backend: its bits do not depend on what the host's SIMD rounds.
      const field = await load(artifact as ObjectArtifact, { backend: 'scalar' })
      const deforms = frame.code.size > 0
      const quality = await measure(field, 0, deforms ? 0.5 : 1)
      if (!deforms) return { ...verdictOn(quality), drops }
      const rest = await measure(restField(judged.mesh), 0.5, 1)
      return { ...verdictOn(quality, { name: 'its rest shape', quality: rest }), drops }
    },
  }
}

function artifactOf(
  spec: TrainSpec,
  { how, specHash }: TrainingObject,
  { model, body, sizes, frame, codeNames }: PreparedObject,
  { network, tensors, steps, poses }: LearnedNetwork,
): Artifact {
  return {
    kind: sizes.kind,
    manifest: {
      format: FORMAT_VERSION,
      kind: 'signed-distance',
      name: frame.name,
      code: { ...frame.code, names: codeNames, how },
      model: sizes,
      networks: { distance: network },
      truncation: frame.truncation,
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
    model,
    ...(body ? { body } : {}),
    networks: { distance: tensors },
  } as ObjectArtifact
}
