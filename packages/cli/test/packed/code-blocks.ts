/** The code blocks of a document, named by where they stand. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../advice.js'

export interface CodeBlock {
  /** `README.md, Install: sh`; a second one of that language under the heading ends in `sh 2`. */
  name: string
  language: string
  /** As written, with a closing newline. */
  text: string
}

export function codeBlocks(document: string): CodeBlock[] {
  const blocks: CodeBlock[] = []
  const counts = new Map<string, number>()
  let heading = ''
  let open: { language: string; lines: string[] } | undefined
  for (const line of readFileSync(join(ROOT, document), 'utf8').split('\n')) {
    const fence = /^```(\w*)/.exec(line)
    if (open && fence) {
      const { language, lines } = open
      const place = `${document}, ${heading}: ${language}`
      const count = (counts.get(place) ?? 0) + 1
      counts.set(place, count)
      blocks.push({ name: count > 1 ? `${place} ${count}` : place, language, text: `${lines.join('\n')}\n` })
      open = undefined
    } else if (open) open.lines.push(line)
    else if (fence) open = { language: fence[1], lines: [] }
    else heading = /^#+ (.*)/.exec(line)?.[1] ?? heading
  }
  return blocks
}
