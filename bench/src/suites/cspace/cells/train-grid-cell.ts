/** One cell of Fig. 5: the paper's first pass alone, with a network of another size, and the signs of 50,000 codes. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  ContactNetwork,
  graphOfGaps,
  hashSpec,
  type LoadedContact,
  learnByPaper,
  leftoversOf,
  loadSubject,
  PAPER_DEFAULTS,
  readSpec,
  TRAIN_THREADS,
} from '@pliant/train/unstable'
import { ContactPool, linearContacts } from '@pliant/train/unstable/label'
import { streamOf } from '@pliant/train/unstable/streams'
import { progressWithin } from 'pliant/unstable'
import type { CellRun } from '../../../cells/run-cells.js'
import { SpentTime } from '../../../cells/spent-time.js'
import { type GridCell, nameOfCell } from './cell-name.js'
import type { GridResult } from './cell-result.js'
import { bodySpec } from './train-cell.js'

/**
 * As many codes as in Table 1, but a fifth of the paper's 500 iterations: these take 4 minutes on two cores that eight
 * others use as well, all 500 more than five times as long, as samples add up, and there are 150 cells.
 */
const FULL = { iterations: 100, codes: 50_000 } as const
const QUICK = { iterations: 2, codes: 500 } as const
const SEED = 1
/** Share of the progress that learning takes. */
const LEARNING = 0.95

/** Goes on from the checkpoint of a run that was stopped, if there is one. */
export async function trainGridCell(cell: GridCell, run: CellRun): Promise<GridResult> {
  const { work, origin, quick, threads = TRAIN_THREADS, signal, onProgress, onWarning } = run
  const { iterations, codes: count } = quick ? QUICK : FULL
  const { layers, width } = cell
  const hidden = new Array<number>(layers).fill(width)
  const spec = readSpec(JSON.stringify({ ...bodySpec(cell), method: 'paper', network: { hidden } }), {
    seed: SEED,
    steps: PAPER_DEFAULTS.epochs * iterations,
  })
  const { model } = ((await loadSubject(spec)) as LoadedContact).body
  const specHash = hashSpec(spec, Buffer.from(model.modes.buffer))
  await mkdir(work, { recursive: true })
  const checkpointPath = join(work, `${nameOfCell(cell)}.checkpoint`)
  const spent = new SpentTime(`${checkpointPath}.seconds`)
  const pool = new ContactPool(linearContacts(model), { threads, signal })
  const learning = progressWithin(onProgress, 0, LEARNING)
  try {
    const options = { ...PAPER_DEFAULTS, iterations: [iterations, 0] as const, hidden }
    const learned = await learnByPaper(pool, options, {
      ...{ seed: SEED, specHash, threads, signal, checkpointPath, resume: true, onWarning },
      onProgress(told) {
        spent.note()
        learning(told)
      },
    })
    spent.stop()
    onProgress?.({ fraction: LEARNING, stage: 'evaluate', detail: `${count} unseen codes` })
    const { codes, signs } = await evaluationCodes(pool, count, cell)
    const network = await ContactNetwork.create(graphOfGaps(learned.shape), threads)
    const values = await network.valuesAt(learned.weights, codes)
    await network.dispose()
    for (const { path } of leftoversOf(checkpointPath)) await rm(path, { force: true })
    spent.forget()
    const share = (is: (i: number) => boolean): number => signs.filter((_, i) => is(i)).length / count
    return {
      ...cell,
      labels: learned.labels,
      processorSeconds: spent.seconds,
      touchingShare: share((i) => signs[i] < 0),
      specHash,
      ...origin,
      iterations,
      codes: count,
      signAccuracy: share((i) => values[i] < 0 === signs[i] < 0),
    }
  } finally {
    await pool.dispose()
  }
}

interface EvaluationCodes {
  codes: Float32Array
  signs: Int8Array
}

/** Cells of one body and number of modes come one after the other, and testing so many codes takes a while. */
let last: { key: string; answers: EvaluationCodes } | undefined

async function evaluationCodes(pool: ContactPool, count: number, { body, modes }: GridCell): Promise<EvaluationCodes> {
  const key = `${body} ${modes} ${count}`
  if (last?.key === key) return last.answers
  const random = streamOf('evaluationContactCodes', SEED)
  const { lower, upper } = pool.bounds
  const codes = Float32Array.from({ length: count * modes }, (_, i) =>
    random.between(lower[i % modes], upper[i % modes]),
  )
  last = { key, answers: { codes, signs: await pool.signs(codes) } }
  return last.answers
}
