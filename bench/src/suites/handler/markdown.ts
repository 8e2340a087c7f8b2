/** The section of docs/benchmarks.md. */
import { markdownTable } from '../../report/markdown.js'
import { CLIPS_HEADING, CLIPS_TEXT, clipCells, DETECTION_HEADING, DETECTION_TEXT, detectionCells } from './rows.js'
import type { HandlerBenchResult } from './run.js'

/** @param originOf  the line below each part, if they are of several runs */
export function handlerMarkdown({ detection, clips }: HandlerBenchResult, originOf?: (part: string) => string): string {
  const below = (part: string): string[] => (originOf ? [originOf(part)] : [])
  return [
    '## Detecting and repairing self-contact (`bench handler`)',
    ...(detection
      ? [DETECTION_TEXT, markdownTable(DETECTION_HEADING, detectionCells(detection)), ...below('detection')]
      : []),
    ...(clips?.length ? [CLIPS_TEXT, markdownTable(CLIPS_HEADING, clipCells(clips)), ...below('clips')] : []),
  ].join('\n\n')
}
