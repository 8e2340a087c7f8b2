/** Suite kernels in documents: value and gradient of both networks, by backend. */
import { markdownTable, round } from '../../report/markdown.js'
import type { KernelBenchResult, KernelRow } from './run.js'

const COUNTS = [16, 512, 16_384]

export function kernelsMarkdown({ rows: all }: KernelBenchResult): string {
  const gradients = all.filter(({ pass }) => pass === 'gradient')
  // The smaller network first.
  const networks = [...new Set(gradients.map(({ network }) => network))].sort()
  const backends = [...new Set(gradients.map(({ backend, threads }) => `${backend}/${threads}`))]
  const rows = networks.flatMap((network) =>
    backends.map((key) => {
      const [backend, threads] = key.split('/')
      const at = (count: number): KernelRow | undefined =>
        gradients.find(
          (row) =>
            row.network === network &&
            row.backend === backend &&
            row.threads === Number(threads) &&
            row.count === count,
        )
      const one = at(1)
      return [
        network,
        `${backend}, ${threads} thread${threads === '1' ? '' : 's'}`,
        one ? `${round(one.microsecondsPerPoint)} us` : '',
        ...COUNTS.map(at).map((row) => (row ? round(row.gflops) : '')),
      ]
    }),
  )
  const head = ['network', 'backend', 'one point', 'GFLOP/s at 16', 'at 512', 'at 16,384']
  return `## Inference kernels, value and gradient\n${markdownTable(head, rows)}`
}
