/** One cell of Fig. 6: a binary image learned from signs, by either method. */
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { leftoversOf } from '@pliant/train/unstable'
import type { CellRun } from '../../../cells/run-cells.js'
import { SpentTime } from '../../../cells/spent-time.js'
import { drawnImage } from '../images/drawn-images.js'
import { imageSettings, learnImage } from '../images/learn-image.js'
import { type ImageCell, nameOfCell } from './cell-name.js'
import type { ImageResult } from './cell-result.js'

/** Goes on from the checkpoint of a run that was stopped, if there is one. */
export async function trainImageCell(cell: ImageCell, run: CellRun): Promise<ImageResult> {
  const { work, origin, quick, threads, signal, onProgress, onWarning } = run
  await mkdir(work, { recursive: true })
  const checkpointPath = join(work, `${nameOfCell(cell)}.checkpoint`)
  const spent = new SpentTime(`${checkpointPath}.seconds`)
  const settings = imageSettings(cell.method, quick, cell.network)
  const learned = await learnImage(drawnImage(cell.image), settings, {
    ...{ quick, threads, signal, checkpointPath, resume: true, onWarning },
    onProgress(told) {
      if (told.stage === 'evaluate') spent.stop()
      else spent.note()
      onProgress?.(told)
    },
  })
  for (const { path } of leftoversOf(checkpointPath)) await rm(path, { force: true })
  spent.forget()
  return { ...cell, ...learned, processorSeconds: spent.seconds, ...origin }
}
