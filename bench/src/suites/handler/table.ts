/** What suite handler found, for a terminal. */
import { table } from '@pliant/train/unstable/text'
import { CLIPS_HEADING, CLIPS_TEXT, clipCells, DETECTION_HEADING, DETECTION_TEXT, detectionCells } from './rows.js'
import type { HandlerBenchResult } from './run.js'

export function handlerTable({ detection, clips }: HandlerBenchResult): string {
  return [
    ...(detection ? [DETECTION_TEXT, table(DETECTION_HEADING, detectionCells(detection))] : []),
    ...(clips?.length ? [CLIPS_TEXT, table(CLIPS_HEADING, clipCells(clips))] : []),
  ].join('\n\n')
}
