/** Cells as files have them, with figures that are told apart at a glance. */
import type { GridResult, ImageResult, NetworkResult } from '../../../../src/suites/cspace/cells/cell-result.js'

const ORIGIN = {
  specHash: 'ab'.repeat(16),
  date: '2026-01-02T00:00:00Z',
  machine: { cpu: 'a', cores: 2, memoryGB: 1, node: 'v20', platform: 'b' },
  commit: 'cd'.repeat(20),
}

/** @param step  another gives other figures */
export function madeNetwork(name: Partial<NetworkResult>, step = 0): NetworkResult {
  const nodes = Array.from({ length: 65 }, (_, i) => i / 32 - 1)
  return {
    ...{ kind: 'network', body: 'snake', modes: 3, method: 'paper', seed: 1 },
    ...{ labels: 1_500_000 + step, processorSeconds: 600 + 60 * step, touchingShare: 0.1234, ...ORIGIN },
    fault: null,
    quality: {
      codes: 50_000,
      touchingShare: 0.1234,
      signAccuracy: 0.98764 - step / 1000,
      balancedAccuracy: 0.97531 - step / 1000,
      nearAccuracy: 0.91357 - step / 1000,
      falseNegatives: 0.02,
      falsePositives: 0.01,
      distanceError: { mean: 0.04321 + step / 1000, p95: 0.1, max: 0.3579 + step / 1000 },
      gradientError: 0.1593 + step / 1000,
      gradientSpread: 0.2604 + step / 1000,
      hybrid: [0, 0.01, 0.02, 0.05, 0.1, 0.2].map((exactShare, i) => ({
        ...{ tau: i / 100, exactShare, falseNegatives: 0.01 },
        accuracy: 1 - (0.0124 + step / 1000) * 0.5 ** i,
      })),
    },
    slice: {
      learned: nodes.map((y) => nodes.map((x) => Number((Math.hypot(x, y) - 0.6 - step / 100).toFixed(3)))),
      exact: nodes.map((y) => nodes.map((x) => (Math.hypot(x, y) < 0.6 ? '#' : '.')).join('')),
    },
    ...name,
  } as NetworkResult
}

export function madeGrid(name: Partial<GridResult>): GridResult {
  const cell = { kind: 'grid' as const, body: 'snake', modes: 5, layers: 2, width: 70, ...name }
  const { modes, layers, width } = cell
  return {
    ...{ labels: 100_000, processorSeconds: 60, touchingShare: 0.2, ...ORIGIN, iterations: 100, codes: 50_000 },
    signAccuracy: 1 - (0.01 * modes) / (layers * Math.sqrt(width / 10)),
    ...cell,
  }
}

/** @param step  another gives other figures */
export function madeImage(name: Partial<ImageResult>, step = 0): ImageResult {
  const nodes = Array.from({ length: 101 }, (_, i) => i / 50 - 1)
  return {
    ...{ kind: 'image', image: 'pear', method: 'paper', hidden: [70, 70], activation: 'relu' },
    ...{
      labels: 1_250_000 + step,
      steps: 10_000,
      processorSeconds: 600,
      touchingShare: 0.2,
      ...ORIGIN,
      points: 50_000,
    },
    signAccuracy: 0.97531 - step / 1000,
    nearAccuracy: 0.86427 - step / 1000,
    distanceError: { mean: 0.01234 + step / 1000, max: 0.1739 + step / 1000 },
    gradientError: 0.1128 + step / 1000,
    gradientSpread: 0.1604 + step / 1000,
    field: nodes.map((y) => nodes.map((x) => Number((Math.hypot(x, y) - 0.6 - step / 100).toFixed(3)) || 0)),
    ...name,
  }
}
