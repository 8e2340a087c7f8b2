/** One cell of Table 2: a detector learned by one method from as many labels as by the others, judged and put to use. */
import { createHash } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CLEARANCE_LEARNING,
  type CollisionLearningMode,
  collisionLearning,
  evaluateSelfContact,
  learnByCollisionState,
  leftoversOf,
  readSpec,
  TRAIN_THREADS,
  type TrainSpec,
} from '@pliant/train/unstable'
import { ContactPool, type DepthLabels } from '@pliant/train/unstable/label'
import { decode } from 'pliant'
import { encode, progressWithin } from 'pliant/unstable'
import type { CellRun } from '../../../cells/run-cells.js'
import { SpentTime } from '../../../cells/spent-time.js'
import { type HandlerCell, type MethodName, nameOfCell } from './cell-name.js'
import type { HandlerResult } from './cell-result.js'
import { accuracyAtMissed } from './equal-misses.js'
import { measureHandling } from './handling.js'
import { keptLabels } from './kept-labels.js'
import { BUDGETS, type LearnedContact, type LearnRun, type OpenSubject, openSubject, subjectModel } from './subjects.js'

/** On how much a cell is judged; fewer while something is tried out. */
export interface JudgedOn {
  /** Unseen codes, */
  codes?: number
  /** and unseen touching ones that are handled. */
  repairs?: number
}
/** The paper: 750,000 and 10,000. */
export const JUDGED_ON = { codes: 100_000, repairs: 1000 } as const
const QUICK = { labels: 300, steps: 20, effort: 0.02, codes: 300, repairs: 4 } as const

const MODES: Record<Exclude<MethodName, 'ours'>, CollisionLearningMode> = {
  supv: 'supervised',
  'supv-bd': 'supervised-boundary',
  'active-bd': 'active-boundary',
}

/** Shares of the progress, about: what each ends at. */
const PARTS = { space: 0.1, learn: 0.75, evaluate: 0.88 } as const

/**
 * Goes on from the checkpoint of a run that was stopped, if there is one.
 * @param open  what opens the cell's subject; replaced in tests
 * @throws the signal's reason when aborted, with the checkpoint saved
 */
export async function trainHandlerCell(
  cell: HandlerCell,
  run: CellRun,
  judged: JudgedOn = {},
  open: (cell: HandlerCell, run: CellRun) => Promise<OpenSubject> = (one, told) => openSubject(one, told, undefined),
): Promise<HandlerResult> {
  const { work, origin, quick = false, threads = TRAIN_THREADS, signal, onProgress, onWarning } = run
  const { seed, budget = quick ? QUICK.labels : BUDGETS[cell.subject] } = cell
  const { codes, repairs } = { ...JUDGED_ON, ...(quick && QUICK), ...judged }
  await mkdir(work, { recursive: true })
  const subject = await open(cell, { ...run, onProgress: progressWithin(onProgress, 0, PARTS.space) })
  const file = join(work, `${nameOfCell(cell)}.safetensors`)
  const checkpointPath = `${file}.checkpoint`
  const spec = specOf(cell, budget, quick)
  const specHash = hashOf(subject, spec, cell.method)
  const spent = new SpentTime(`${file}.seconds`)
  const learning = progressWithin(onProgress, PARTS.space, PARTS.learn)
  const depthsPath = join(work, `${cell.subject}-${seed}-${budget}.depths`)
  const learned = await learn(cell, subject, spec, quick, depthsPath, {
    ...{ seed, specHash, threads, signal, checkpointPath, resume: true, onWarning },
    onProgress(told) {
      spent.note()
      learning(told)
    },
  })
  spent.stop()
  const bytes = await encode(subject.artifact(spec, specHash, learned))
  await writeFile(file, bytes)
  // Read back: the file rounds, and what is judged must be what it holds.
  const artifact = await decode(bytes, 'character-contact', 'shape-contact')
  const asked = { seed, threads, signal }
  let atEqualMisses = Number.NaN
  const quality = await evaluateSelfContact(artifact, {
    ...{ ...asked, codes, distances: 0 },
    signsOf: keptLabels<Int8Array>(join(work, `${cell.subject}-${seed}-${codes}.signs`), subject.hash, Int8Array),
    onAnswers: ({ distances, signs }) => {
      atEqualMisses = accuracyAtMissed(distances, signs)
    },
    onProgress: progressWithin(onProgress, PARTS.learn, PARTS.evaluate),
  })
  const handling = await measureHandling(artifact, {
    ...{ ...asked, codes: repairs },
    onProgress: progressWithin(onProgress, PARTS.evaluate, 1),
  })
  for (const { path } of leftoversOf(checkpointPath)) await rm(path, { force: true })
  spent.forget()
  return {
    ...cell,
    labels: learned.poses,
    processorSeconds: spent.seconds,
    touchingShare: quality.touchingShare,
    specHash,
    ...origin,
    vertices: subject.vertices,
    codeSize: subject.codeSize,
    steps: learned.steps,
    quality,
    atEqualMisses,
    handling,
  }
}

async function learn(
  { method }: HandlerCell,
  subject: OpenSubject,
  spec: TrainSpec,
  quick: boolean,
  depthsPath: string,
  run: LearnRun,
): Promise<LearnedContact> {
  const pool = new ContactPool(subject.source, { threads: run.threads, signal: run.signal })
  try {
    if (method === 'ours') return await subject.learnOurs(spec, pool, run)
    // All of the paper's epochs, however many steps these are.
    const options = { ...collisionLearning(spec), mode: MODES[method], effort: quick ? QUICK.effort : 1 }
    if (method === 'active-bd') return await learnByCollisionState(pool, options, run)
    // Both supervised methods draw the same codes, all at once.
    const kept = keptLabels<Float32Array>(depthsPath, subject.hash, Float32Array)
    const { codeSize, bounds, domains, advice } = pool
    const labels: DepthLabels = {
      ...{ codeSize, bounds, domains, advice },
      draw: (count, random) => pool.draw(count, random),
      depths: (codes, onDone) => kept(codes, () => pool.depths(codes, onDone)),
    }
    return await learnByCollisionState(labels, options, run)
  } finally {
    await pool.dispose()
  }
}

function specOf({ subject, method, seed }: HandlerCell, budget: number, quick: boolean): TrainSpec {
  const said = {
    name: subject,
    model: subjectModel(subject, quick),
    learn: 'self-contact',
    method: method === 'ours' ? 'pliant' : 'paper',
    seed,
  }
  const poses = method === 'ours' ? ownLabels(budget) : budget
  return readSpec(JSON.stringify(said), { poses, ...(quick && { steps: QUICK.steps }) })
}

/**
 * Codes that our rounds may label so that all of our exact tests are no more than the budget: the pilot and the choice of the
 * offset each take as many again, or what they take at most (`clearanceLearning`).
 */
export function ownLabels(budget: number): number {
  const { pilot, tested } = CLEARANCE_LEARNING
  const [fewer, more] = [Math.min(pilot, tested), Math.max(pilot, tested)]
  if (budget <= 3 * fewer) return Math.floor(budget / 3)
  return budget <= fewer + 2 * more ? Math.floor((budget - fewer) / 2) : budget - fewer - more
}

function hashOf({ hash }: OpenSubject, { name: _, seed: __, ...spec }: TrainSpec, method: MethodName): string {
  return createHash('sha256').update(JSON.stringify({ hash, method, spec })).digest('hex').slice(0, 32)
}
