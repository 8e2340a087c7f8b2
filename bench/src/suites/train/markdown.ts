/** Suite train in documents: steps of both losses as a share of the machine's peak. */
import { markdownTable, percent, round, whole } from '../../report/markdown.js'
import type { TrainBenchResult } from './run.js'

export function trainMarkdown({ network, batch, rows }: TrainBenchResult): string {
  const lines = rows.map(({ threads, l1, eikonal, peakGflops }) => [
    String(threads),
    `${round(l1.gflops)} (${percent(l1.peakShare, 1)} of the peak)`,
    `${round(eikonal.gflops)} (${percent(eikonal.peakShare, 1)})`,
    round(peakGflops),
  ])
  const head = ['threads', 'L1 step, GFLOP/s', 'eikonal step', 'matrix product peak']
  return `## Training, ${network}, batch ${whole(batch)}\n${markdownTable(head, lines)}`
}
