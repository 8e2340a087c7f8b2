/** What `pliant train` tells of a result, by what was trained: a line for each kind. */

import type { LoadedSubject, Trained } from '@pliant/train'
import type { LoadedCharacter, LoadedObject } from '@pliant/train/unstable'
import { characterReport } from './train-character.js'
import { objectReport } from './train-object.js'

export interface TrainedReport {
  warnings: string[]
  /** Keys of `--json` beside those that all have. */
  json: object
  /** For people, before the warnings. */
  lines: string[]
  /** In the last line, before and after the time that it took. */
  on: string
  judged: string
}

type ReportOf = (subject: LoadedSubject, trained: Trained, asked: number) => TrainedReport | Promise<TrainedReport>

const REPORTS: Readonly<Record<LoadedSubject['kind'], ReportOf>> = {
  'linear-modes': (subject, trained, asked) => objectReport(subject as LoadedObject, trained, asked),
  'elastic-body': (subject, trained, asked) => objectReport(subject as LoadedObject, trained, asked),
  character: (subject, trained) => characterReport(subject as LoadedCharacter, trained),
}

/** @param asked poses that were wanted, if nothing but drops that repeat themselves could end them */
export async function reportOf(subject: LoadedSubject, trained: Trained, asked: number): Promise<TrainedReport> {
  return REPORTS[subject.kind](subject, trained, asked)
}
