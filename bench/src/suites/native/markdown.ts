/** Suite native in documents. */
import { markdownTable } from '../../report/markdown.js'
import type { NativeBenchResult } from './run.js'
import { leftOut, nativeSections } from './sections.js'

export function nativeMarkdown(result: NativeBenchResult): string {
  const parts = nativeSections(result).map(({ about, head, rows }) => `${about}\n\n${markdownTable(head, rows)}`)
  const lines = leftOut(result).map((line) => `- ${line}`)
  return [`## Beside native libraries`, ...(lines.length > 0 ? [lines.join('\n')] : []), ...parts].join('\n\n')
}
