/** The section of docs/benchmarks.md. */
import { markdownTable } from '../../report/markdown.js'
import { CLIPS_HEADING, CLIPS_TEXT, clipCells, DETECTION_HEADING, DETECTION_TEXT, detectionCells } from './rows.js'
import type { HandlerBenchResult } from './run.js'

export function handlerMarkdown(result: HandlerBenchResult): string {
  return [
    '## Detecting and repairing self-contact (`bench handler`)',
    DETECTION_TEXT,
    markdownTable(DETECTION_HEADING, detectionCells(result)),
    ...(result.clips.length > 0 ? [CLIPS_TEXT, markdownTable(CLIPS_HEADING, clipCells(result))] : []),
  ].join('\n\n')
}
