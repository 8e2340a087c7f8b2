/** Cells as files have them, with figures that are told apart at a glance. */
import type { HandlerResult } from '../../../src/suites/handler/cells/cell-result.js'

/** @param step  another gives other figures */
export function madeCell(name: Partial<HandlerResult> = {}, step = 0): HandlerResult {
  const handled = (shift: number) => ({
    ...{ decreased: 0.9753 - shift, freed: 0.8642 - shift, reduction: 0.7531 - shift, moved: 0.1234 + shift },
    ...{
      milliseconds: 12.34,
      tests: 5.6,
      points: [
        [0.5, 0.75],
        [0.25, -0.5],
      ] as [number, number][],
    },
  })
  return {
    ...{
      subject: 'hand',
      method: 'supv',
      seed: 1,
      labels: 60_000 + step,
      processorSeconds: 600,
      touchingShare: 0.1234,
    },
    ...{ specHash: 'ab'.repeat(16), date: '2026-01-02T00:00:00Z', commit: 'cd'.repeat(20) },
    machine: { cpu: 'a', cores: 2, memoryGB: 1, node: 'v20', platform: 'b' },
    ...{ vertices: 1159, codeSize: 60, steps: 9000 },
    quality: {
      ...{ codes: 100_000, touchingShare: 0.1234, signAccuracy: 0.98769 - step / 1000, balancedAccuracy: 0.97531 },
      ...{
        nearAccuracy: 0.9,
        falseNegatives: 0.02341,
        falsePositives: 0.0111,
        gradientError: 0.1,
        gradientSpread: 0.2,
      },
      hybrid: [0, 0.02, 0.04, 0.08, 0.2].map((exactShare, i) => ({
        ...{ tau: i / 100, exactShare, falseNegatives: 0.01, accuracy: 0.99 + i / 1000 },
      })),
    },
    atEqualMisses: 0.96543,
    handling: { codes: 1000, believed: handled(0), checked: handled(-0.01) },
    ...name,
  }
}
