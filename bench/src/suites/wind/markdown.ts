/** Suite wind in documents: the worst clip of each wind and field. */
import { markdownTable, percent, whole } from '../../report/markdown.js'
import type { WindBenchResult, WindRow } from './run.js'

export function windMarkdown({ character, garment, clothVertices, seconds, rows }: WindBenchResult): string {
  const groups = new Map<string, WindRow[]>()
  for (const row of rows) {
    const key = `${row.wind} ${row.field}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  const lines = [...groups.values()].map((group) => {
    const worst = group.reduce((a, b) => (b.gusts.deepest > a.gusts.deepest ? b : a))
    const left = group.reduce((a, b) => (b.after.deepest > a.after.deepest ? b : a))
    return [
      `${worst.wind} m/s`,
      worst.field,
      `${percent(worst.gusts.deepest)} (${worst.clip})`,
      `${percent(left.after.deepest)} (${left.clip})`,
      whole(group.reduce((sum, { gusts }) => sum + gusts.deepVertexFrames, 0)),
      whole(group.reduce((sum, { after }) => sum + after.deepVertexFrames, 0)),
    ]
  })
  const clips = new Set(rows.map(({ clip }) => clip)).size
  const head = ['wind', 'field', 'deepest in gusts', 'deepest after', 'deep in gusts', 'deep after']
  return `## A garment in gusts
A ${garment} of ${whole(clothVertices)} vertices on ${character}, ${clips === 1 ? 'one clip' : `${clips} clips`}, ${seconds.gusts} s of gusts from the front and ${seconds.settling} s to settle after them. Deepest vertex inside the exact body in % of the height, with the clip that it is of; *deep* counts vertices times frames deeper than 1% over all clips:

${markdownTable(head, lines)}`
}
