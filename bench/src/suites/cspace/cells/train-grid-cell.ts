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

/** A network that tells less than this of the touching codes, or of the free ones, is stuck: it calls all of them the same. */
const STUCK = 0.3
/** Where a training is stuck in a local optimum the paper does several and reports the best. */
const MOST_TRIES = 4

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
  const path = join(work, nameOfCell(cell))
  const spent = new SpentTime(`${path}.seconds`)
  const pool = new ContactPool(linearContacts(model), { threads, signal })
  const learning = progressWithin(onProgress, 0, LEARNING)
  const options = { ...PAPER_DEFAULTS, iterations: [iterations, 0] as const, hidden }
  try {
    const { codes, signs } = await evaluationCodes(pool, count, cell)
    const touching = signs.filter((sign) => sign < 0).length
    const trySeed = async (seed: number): Promise<GridTry> => {
      const checkpointPath = `${path}-${seed}.checkpoint`
      const { shape, weights, labels } = await learnByPaper(pool, options, {
        ...{ seed, specHash, threads, signal, checkpointPath, resume: true, onWarning },
        onProgress(told) {
          spent.note()
          learning(told)
        },
      })
      const network = await ContactNetwork.create(graphOfGaps(shape), threads)
      const values = await network.valuesAt(weights, codes)
      await network.dispose()
      for (const { path: left } of leftoversOf(checkpointPath)) await rm(left, { force: true })
      const right = (isTouching: boolean): number =>
        signs.filter((sign, k) => sign < 0 === isTouching && values[k] < 0 === isTouching).length
      const told = [right(true) / touching, right(false) / (count - touching)]
      return { seed, labels, signAccuracy: (right(true) + right(false)) / count, isStuck: Math.min(...told) < STUCK }
    }
    const { best, tries } = await untilNotStuck(trySeed, quick ? 1 : MOST_TRIES)
    spent.stop()
    spent.forget()
    return {
      ...cell,
      labels: best.labels,
      processorSeconds: spent.seconds,
      touchingShare: touching / count,
      specHash,
      ...origin,
      iterations,
      codes: count,
      signAccuracy: best.signAccuracy,
      seed: best.seed,
      tries,
    }
  } finally {
    await pool.dispose()
  }
}

/** What one seed gave. */
export interface GridTry {
  seed: number
  labels: number
  signAccuracy: number
  isStuck: boolean
}

/** Seeds one after the other until one is not stuck; if all are, the one that is right most often. */
export async function untilNotStuck(
  trySeed: (seed: number) => Promise<GridTry>,
  most: number,
): Promise<{ best: GridTry; tries: number }> {
  let best = await trySeed(SEED)
  let tries = 1
  while (best.isStuck && tries < most) {
    const next = await trySeed(SEED + tries++)
    if (!next.isStuck || next.signAccuracy > best.signAccuracy) best = next
  }
  return { best, tries }
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
