/** What suite native found, for a terminal. */
import { table } from '@pliant/train/unstable/text'
import type { NativeBenchResult } from './run.js'
import { leftOut, nativeSections } from './sections.js'

export function nativeTables(result: NativeBenchResult): string {
  const parts = nativeSections(result).map(({ about, head, rows }) => [about, table(head, rows)].join('\n'))
  const lines = leftOut(result)
  return [...(lines.length > 0 ? [lines.join('\n')] : []), ...parts].join('\n\n')
}
