/**
 * An elastic body to train on: shapes from dropping it (Zesch et al. 2022, sections 3.1 and 4.1), and modes to describe them
 * by. It is judged on drops that were never trained on, made of the softer and lighter material that the paper
 * uses at run time.
 */
import type { BodyMaterial, BodyOfModes, TetMesh } from 'pliant'
import { boxOfPoints, surfaceOfTets } from 'pliant'
import type { FemMaterial } from 'pliant/sim'
import { femMaterial, progressWithin, runTimeMaterial } from 'pliant/unstable'
import { PARTS_DEFAULTS } from '../learn/frames/learn-parts.js'
import { type ElasticBodyOptions, makeElasticBody } from '../modes/elastic-body.js'
import { LEAST } from '../plan/stages.js'
import type { OwnThreadOptions } from '../pool/index.js'
import { DropLog, dropLogPath } from '../poses/drop-log.js'
import { type DropOptions, dropSettings } from '../poses/drop-options.js'
import { type DropPoseOptions, type DropPoses, dropReport, makeDropPoses } from '../poses/drop-poses.js'
import type { DropRun } from '../poses/drop-run.js'
import type { PosedShapes } from '../poses/posed-shapes.js'
import { type ResumableRun, savingOrWarning } from '../resume/checkpoint.js'
import { hashSpec, type TrainSpec } from '../spec/train-spec.js'
import { bodyFrame } from './body-frame.js'
import { shapesOfPoses } from './body-shapes.js'
import type { PrepareOptions, TrainingObject } from './training-object.js'

export { runTimeMaterial }

/**
 * Bodies are trained in materials around their own, each run in another: trained in one alone, a bunny had twice the error
 * in the softer material of run time, whose poses lay outside of what it knew (docs/notes/body.md). The paper has one.
 */
const MATERIALS = {
  pliant: { stiffness: [0.3, 1.5], poisson: [0.4, 0.49], damping: [0.1, 1] },
  paper: {},
} as const
/** Where the code comes from. */
const BASIS = { pliant: 'poses', paper: 'vibrations' } as const

/**
 * Poses to judge by from each drop, of the eight that are simulated: poses of one drop are alike, and fifty poses of seven
 * drops scattered by a fifth from seed to seed.
 */
const PER_DROP = 3

/** Drops of a rehearsal, for either purpose. */
const REHEARSED_DROPS = 2

/** Of a body that fills a surface: how far its own lies from that one, mean and largest [m]. */
export interface FilledBody {
  moved?: { mean: number; max: number }
}

export function elasticObject(
  mesh: TetMesh,
  spec: TrainSpec,
  { moved, ...options }: ElasticBodyOptions & FilledBody,
): TrainingObject {
  const material = materialOf(dropSettings(mesh, {}).material)
  const surface = surfaceOfTets(mesh)
  const bytes = [mesh.positions, mesh.tetrahedra].map((array) => Buffer.from(array.buffer))
  const [rehearsed, rehearsedJudges] = [new RehearsedDrops(), new RehearsedDrops()]
  const dropping = { material, ...MATERIALS[spec.method], seed: spec.seed }
  const defaults = { materials: MATERIALS[spec.method], basis: BASIS[spec.method], parts: PARTS_DEFAULTS }
  const basis = options.basis ?? BASIS[spec.method]
  // Vibrations do not depend on poses: those of a rehearsal are those of the run.
  let vibrating: BodyOfModes | undefined
  const bodyOf = async (poses: Float32Array, thread: OwnThreadOptions): Promise<BodyOfModes> => {
    const body = vibrating ?? (await makeElasticBody(mesh, material, { ...options, basis }, poses, thread))
    if (basis === 'vibrations') vibrating = body
    return body
  }
  return {
    surface,
    how: 'ModalBody.encode of the positions of all nodes: modal weights of the body without its rigid motion',
    specHash: hashSpec(spec, Buffer.concat([...bytes, Buffer.from(JSON.stringify(defaults))])),
    kept: (run) => keptDrops(mesh, dropping, run),
    async prepare(run) {
      const poses = await keepDrops(mesh, dropping, run, (kept) =>
        drop(mesh, { ...dropping, ...rehearsed.around(run, kept), fewest: LEAST.poses }, run.poses ?? spec.poses, run),
      )
      const body = await bodyOf(poses.positions, {
        signal: run.signal,
        onProgress: progressWithin(run.onModes, 0, 0.5),
      })
      run.onModes?.({ fraction: 0.5, stage: 'modes' })
      const { modal } = body
      const shapes = shapesOfPoses(body, poses)
      const frame = bodyFrame(spec.name, shapes, spec.truncation)
      const bounds = { lower: Float64Array.from(frame.code.lower), upper: Float64Array.from(frame.code.upper) }
      run.onModes?.({ fraction: 1, stage: 'modes' })
      const sizes = {
        kind: 'elastic-body',
        vertices: surface.positions.length / 3,
        triangles: surface.triangles.length / 3,
        nodes: modal.nodeCount,
        tetrahedra: mesh.tetrahedra.length / 4,
        weighting: modal.weighting,
        material,
        ...(moved ? { moved } : {}),
      } as const
      return {
        model: modal.surfaceModel(surface, bounds),
        codeNames: Array.from({ length: modal.codeSize }, (_, i) => `mode ${i + 1}`),
        body,
        sizes,
        frame,
        shapes,
        drops: dropReport(poses),
        judges: (judging) =>
          judgeShapes(body, material, judging.poses ?? spec.evaluation.poses, spec.seed, judging, rehearsedJudges),
      }
    },
  }
}

/**
 * Shapes that were never trained on, in the material of run time.
 * @param material that of training
 */
export async function judgeShapes(
  body: BodyOfModes,
  material: BodyMaterial,
  count: number,
  seed: number,
  run: PrepareOptions,
  rehearsed?: RehearsedDrops,
): Promise<PosedShapes> {
  return shapesOfPoses(body, await judgePoses(body.mesh, runTimeMaterial(material), count, seed, run, rehearsed))
}

/** Poses of drops that are never trained on, in whatever material. */
export function judgePoses(
  mesh: TetMesh,
  material: BodyMaterial,
  count: number,
  seed: number,
  run: PrepareOptions,
  rehearsed?: RehearsedDrops,
): Promise<DropPoses> {
  const dropping = { material, seed, purpose: 'evaluation', perRun: PER_DROP, keepInverted: true } as const
  return drop(mesh, { ...dropping, ...rehearsed?.around(run, {}), fewest: LEAST.judges }, count, run)
}

function materialOf(material: FemMaterial): BodyMaterial {
  const { density, young, poisson, massDamping, stiffnessDamping } = femMaterial(material)
  return { density, young, poisson, massDamping, stiffnessDamping }
}

/**
 * Keeps finished drops on disk if the run says where, and takes those that a stopped run left there.
 * @throws BadInput if these are of another run
 */
async function keepDrops<T>(
  mesh: TetMesh,
  dropping: DropOptions,
  { checkpointPath, resume, onWarning }: PrepareOptions,
  make: (kept: KeptDrops) => Promise<T>,
): Promise<T> {
  if (checkpointPath === undefined) return make({})
  const log = DropLog.open(dropLogPath(checkpointPath), mesh, dropSettings(mesh, dropping), resume ?? false)
  const save = savingOrWarning(dropLogPath(checkpointPath), onWarning)
  try {
    return await make({ finished: (run) => log.find(run), onRun: (run) => save(() => log.add(run)) })
  } finally {
    log.close()
  }
}

/** Poses that a stopped run has left. */
function keptDrops(mesh: TetMesh, dropping: DropOptions, { checkpointPath, resume }: ResumableRun): number {
  if (checkpointPath === undefined || !resume) return 0
  const settings = dropSettings(mesh, dropping)
  const log = DropLog.open(dropLogPath(checkpointPath), mesh, settings, true)
  log.close()
  return log.count * settings.snapshots
}

/** Drops of a rehearsal, which the run itself need not simulate again. */
class RehearsedDrops {
  private readonly runs = new Map<number, DropRun>()

  around({ isRehearsal }: PrepareOptions, { finished, onRun }: KeptDrops): KeptDrops {
    return {
      finished: (run) => finished?.(run) ?? this.runs.get(run),
      onRun: isRehearsal ? (run) => this.runs.set(run.run, run) : onRun,
    }
  }
}
type KeptDrops = Pick<DropPoseOptions, 'finished' | 'onRun'>

/** @throws Error if the drops gave no shapes at all */
async function drop(
  mesh: TetMesh,
  options: Omit<DropPoseOptions, 'poses'>,
  count: number,
  { threads, signal, onProgress, timeIsUp, isRehearsal }: PrepareOptions,
): Promise<DropPoses> {
  const poses = await makeDropPoses(mesh, {
    ...options,
    poses: count,
    threads,
    signal,
    timeIsUp,
    // In a rehearsal they tell how long drops take.
    ...(isRehearsal ? { runs: REHEARSED_DROPS } : {}),
    onProgress: (told) =>
      onProgress?.({ ...told, detail: `${Math.round(told.fraction * count)} of ${count} poses by dropping` }),
  })
  if (poses.count === 0) {
    const { lower, upper } = boxOfPoints(mesh.positions)
    throw new Error(`train: drops of the body from ${lower} to ${upper} gave no shape; check its tetrahedra.`)
  }
  return poses
}
