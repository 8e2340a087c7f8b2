/** One cell of Table 1: trained as `pliant train` does, evaluated as the paper does, with its slice for Fig. 7. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { leftoversOf, loadSubject, readSpec, type TrainSpec, train } from '@pliant/train/unstable'
import { decode, load } from 'pliant'
import type { CellRun } from '../../../cells/run-cells.js'
import { SpentTime } from '../../../cells/spent-time.js'
import { type NetworkCell, nameOfCell } from './cell-name.js'
import type { NetworkResult } from './cell-result.js'
import { sliceCodes } from './slice.js'

/** A few labels and steps of either method, and codes to evaluate on. */
const QUICK = { poses: 2000, steps: 40, evaluation: { poses: 500, points: 20 } } as const

/**
 * Goes on from the checkpoint of a run that was stopped, if there is one.
 * @throws the signal's reason when aborted, with the checkpoint saved
 */
export async function trainNetworkCell(cell: NetworkCell, run: CellRun): Promise<NetworkResult> {
  const { work, origin, threads, signal, onProgress, onWarning } = run
  await mkdir(work, { recursive: true })
  const file = join(work, `${nameOfCell(cell)}.safetensors`)
  const checkpointPath = `${file}.checkpoint`
  const spec = networkSpec(cell, run.quick)
  const subject = await loadSubject(spec)
  const spent = new SpentTime(`${file}.seconds`)
  const trained = await train<'self-contact'>(spec, {
    subject,
    checkpointPath,
    resume: true,
    threads,
    signal,
    onWarning,
    onProgress({ stage, fraction, detail }) {
      if (stage === 'evaluate') spent.stop()
      else spent.note()
      onProgress?.({ fraction, stage, detail })
    },
  })
  spent.stop()
  await writeFile(file, trained.artifact)
  const artifact = await decode(trained.artifact, 'self-contact')
  const field = await load(artifact)
  const slice = sliceCodes(field, artifact.model)
  field.dispose()
  for (const { path } of leftoversOf(checkpointPath)) await rm(path, { force: true })
  spent.forget()
  const { quality, fault = null, specHash } = trained
  return {
    ...cell,
    labels: artifact.manifest.training.labels,
    processorSeconds: spent.seconds,
    touchingShare: quality.touchingShare,
    specHash,
    ...origin,
    quality,
    fault,
    slice,
  }
}

function networkSpec({ method, seed, ...cell }: NetworkCell, quick = false): TrainSpec {
  const said = {
    ...bodySpec(cell),
    method: method === 'ours' ? 'pliant' : 'paper',
    seed,
    ...(quick && { evaluation: QUICK.evaluation }),
  }
  return readSpec(JSON.stringify(said), quick ? { poses: QUICK.poses, steps: QUICK.steps } : {})
}

/** What is learned in every cell. */
export function bodySpec({ body, modes }: Pick<NetworkCell, 'body' | 'modes'>): {
  model: object
  learn: 'self-contact'
} {
  return { model: { body, modes }, learn: 'self-contact' }
}
