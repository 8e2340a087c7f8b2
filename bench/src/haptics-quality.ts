/**
 * How good the learned field of an elastic body is beside how fast it is, and the paper's on the same poses: as the
 * simulation leaves the body, posed by nodes and by the code, and exactly in the modes, which tells the network's share
 * from the code's; in the material of run time and in that of training.
 */
import { type BodyJudgement, evaluateBodies } from '@pliant/train'
import { isInParts, objectMultiplications, type Quality } from 'pliant'
import { type ElasticFile, type HapticsSubject, SEED } from './haptics-subject.js'

export interface QualityRow {
  field: 'learned' | 'paper'
  material: 'run time' | 'training'
  /** As the simulation leaves them; the same, the field posed by codes; and what the modes make of them. */
  shapes: 'simulated' | 'simulated, by codes' | 'in the modes'
  poses: number
  /** Poses whose code lies in the range that was trained. */
  inRange: number
  /** Mean and 95% of |error| of off-surface points in the band, and mean on the surface [% of the diagonal]. */
  error: { mean: number; p95: number; surface: number }
  /** Share of points further than 0.5% of the diagonal whose sign is right [%]. */
  sign: number
  /** [degrees] */
  normalError: { median: number; p95: number }
}

export interface QualityResult {
  points: number
  /** How far the modes leave nodes from where they are, in the mean [% of the diagonal]. */
  projection: Record<QualityRow['material'], number>
  rows: QualityRow[]
}

export interface QualityOptions {
  poses: number
  /** Of each pose. */
  points: number
  signal?: AbortSignal
  onProgress?: (fraction: number, detail: string) => void
}

export async function measureBodies(
  { ours, paper, diagonal }: HapticsSubject,
  options: QualityOptions,
): Promise<QualityResult> {
  const files = paper.trained ? [ours, paper] : [ours]
  const evaluations = await evaluateBodies(
    files.map(({ artifact }) => artifact),
    { ...options, seed: SEED },
  )
  const rows = evaluations.flatMap(({ runTime, training }, file) => {
    const field = file === 0 ? ('learned' as const) : ('paper' as const)
    return [...rowsOf(field, 'run time', runTime), ...rowsOf(field, 'training', training)]
  })
  const [{ runTime, training }] = evaluations
  const percent = (length: number): number => (100 * length) / diagonal
  return {
    points: options.points,
    projection: { 'run time': percent(runTime.projection.mean), training: percent(training.projection.mean) },
    rows,
  }
}

function rowsOf(field: QualityRow['field'], material: QualityRow['material'], judged: BodyJudgement): QualityRow[] {
  const row = (shapes: QualityRow['shapes'], quality: Quality): QualityRow => {
    const percent = (length: number): number => (100 * length) / quality.diagonal
    const { bandError, surfaceError, signAccuracy, normalError } = quality
    return {
      field,
      material,
      shapes,
      poses: quality.poses,
      inRange: judged.inRange,
      error: { mean: percent(bandError.mean), p95: percent(bandError.p95), surface: percent(surfaceError.mean) },
      sign: 100 * signAccuracy,
      normalError: { median: normalError.p50, p95: normalError.p95 },
    }
  }
  return [
    row('simulated', judged.quality),
    row('simulated, by codes', judged.byCode),
    row('in the modes', judged.inModes),
  ]
}

/** Multiplications of a step before the first query, from all nodes, and of a query. */
export interface Multiplications {
  step: number
  query: number
}

/** Tensors that are multiplied by what drives a pose, each number once. */
const OF_A_POSE = /^code\.(linear|hidden\.weight|output)$|\.basis$/
/** A part's nodes give a matrix and a place. */
const AFFINE = 12

export function countMultiplications({ artifact, body }: ElasticFile): Multiplications {
  const { network: shape, code } = artifact.manifest
  const query = objectMultiplications(shape)
  const toCode = code.size * body.mesh.positions.length
  // The paper's way: the code from all nodes, then its rows of the first layer.
  if (!isInParts(shape) && shape.conditioning.kind === 'input') {
    return { step: toCode + shape.code * shape.hidden[0], query }
  }
  let step = isInParts(shape) ? 0 : toCode
  for (const [name, tensor] of artifact.network) {
    if (OF_A_POSE.test(name)) step += tensor.length
    if (name === 'part.weights') step += AFFINE * tensor.reduce((count, weight) => count + Number(weight !== 0), 0)
  }
  return { step, query }
}
