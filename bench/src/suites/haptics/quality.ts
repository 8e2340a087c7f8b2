/**
 * How good the learned field of an elastic body is beside how fast it is, and the paper's on the same poses: as the
 * simulation leaves the body, posed by nodes and by the code, and exactly in the modes, which tells the network's share
 * from the code's; in the material of run time and in that of training.
 */
import { type BodyEvaluation, type BodyJudgement, evaluateBodies } from '@pliant/train/unstable'
import type { Quality } from 'pliant'
import { multiplicationsOf, type OnProgress } from 'pliant/unstable'
import { meanOf, overSeeds, type SeedsQuality } from '../../quality/over-seeds.js'
import type { ElasticFile, HapticsSubject } from './subject.js'

/** Lengths in % of the diagonal. */
export interface QualityRow extends SeedsQuality {
  field: 'learned' | 'paper'
  material: 'run time' | 'training'
  /** As the simulation leaves them; the same, the field posed by codes; and what the modes make of them. */
  shapes: 'simulated' | 'simulated, by codes' | 'in the modes'
  poses: number
  /** Poses whose code lies in the range that was trained. */
  inRange: number
}

export interface QualityResult {
  points: number
  /** Each drops the body otherwise and draws other points; `poses` of a row are those of all. */
  seeds: number[]
  /** Half-width of the band [% of the diagonal], and share of points anywhere in the domain that lie beyond it [%]. */
  band: { width: number; beyond: number }
  /** How far the modes leave nodes from where they are, in the mean [% of the diagonal]. */
  projection: Record<QualityRow['material'], number>
  rows: QualityRow[]
}

export interface QualityOptions {
  seeds: readonly number[]
  /** Of each seed. */
  poses: number
  /** Of each pose. */
  points: number
  signal?: AbortSignal
  onProgress?: OnProgress
}

export async function measureBodies(
  { ours, paper, diagonal }: HapticsSubject,
  { seeds, onProgress, ...options }: QualityOptions,
): Promise<QualityResult> {
  const files = (paper.trained ? [ours, paper] : [ours]).map(({ artifact }) => artifact)
  const bySeed: BodyEvaluation[][] = []
  for (const [n, seed] of seeds.entries()) {
    const report: OnProgress = ({ fraction, stage, detail }) =>
      onProgress?.({ fraction: (n + fraction) / seeds.length, stage, detail: `seed ${seed}, ${stage}: ${detail}` })
    bySeed.push(await evaluateBodies(files, { ...options, seed, onProgress: report }))
  }
  const rows = files.flatMap((_, file) => {
    const field = file === 0 ? ('learned' as const) : ('paper' as const)
    const judged = bySeed.map((evaluations) => evaluations[file])
    return [
      ...rowsOf(
        field,
        'run time',
        judged.map(({ runTime }) => runTime),
      ),
      ...rowsOf(
        field,
        'training',
        judged.map(({ training }) => training),
      ),
    ]
  })
  const ofSeeds = (take: (evaluation: BodyEvaluation) => number): number => meanOf(bySeed.map(([first]) => take(first)))
  const { quality } = bySeed[0][0].runTime
  return {
    points: options.points,
    seeds: [...seeds],
    band: {
      width: (100 * quality.beyond.from) / quality.size,
      beyond: 100 * ofSeeds(({ runTime }) => runTime.quality.beyond.share),
    },
    projection: {
      'run time': (100 * ofSeeds(({ runTime }) => runTime.projection.mean)) / diagonal,
      training: (100 * ofSeeds(({ training }) => training.projection.mean)) / diagonal,
    },
    rows,
  }
}

/** @param judged what a file makes of one material, once for each seed */
function rowsOf(
  field: QualityRow['field'],
  material: QualityRow['material'],
  judged: readonly BodyJudgement[],
): QualityRow[] {
  const row = (shapes: QualityRow['shapes'], take: (judgement: BodyJudgement) => Quality): QualityRow => {
    const qualities = judged.map(take)
    return {
      field,
      material,
      shapes,
      poses: qualities.reduce((sum, { poses }) => sum + poses, 0),
      inRange: judged.reduce((sum, { inRange }) => sum + inRange, 0),
      ...overSeeds(qualities),
    }
  }
  return [
    row('simulated', ({ quality }) => quality),
    row('simulated, by codes', ({ byCode }) => byCode),
    row('in the modes', ({ inModes }) => inModes),
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

export async function countMultiplications({ artifact, body }: ElasticFile): Promise<Multiplications> {
  const { networks, code } = artifact.manifest
  const network = networks.distance
  const query = await multiplicationsOf(artifact.manifest)
  const toCode = code.size * body.mesh.positions.length
  // The paper's way: the code from all nodes, then its rows of the first layer.
  if (network.kind === 'whole' && network.shape.conditioning.kind === 'input') {
    return { step: toCode + network.shape.code * network.shape.hidden[0], query }
  }
  let step = network.kind === 'parts' ? 0 : toCode
  for (const [name, tensor] of artifact.networks.distance) {
    if (OF_A_POSE.test(name)) step += tensor.length
    if (name === 'part.weights') step += AFFINE * tensor.reduce((count, weight) => count + Number(weight !== 0), 0)
  }
  return { step, query }
}
