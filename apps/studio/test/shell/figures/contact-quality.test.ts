import type { SelfContactQuality } from 'pliant'
import { expect, it } from 'vitest'
import { qualityRows } from '../../../src/shell/figures/contact-quality.js'

const quality: SelfContactQuality = {
  codes: 50_000,
  touchingShare: 0.05,
  signAccuracy: 0.99999,
  balancedAccuracy: 0.99,
  nearAccuracy: 0.9,
  falseNegatives: 0.01,
  falsePositives: 0.001,
  gradientError: 0.07,
  gradientSpread: 0.1,
  hybrid: [
    { tau: 0, exactShare: 0, accuracy: 0.99, falseNegatives: 0.01 },
    { tau: 0.02, exactShare: 0.04, accuracy: 0.999, falseNegatives: 0.001 },
    { tau: 0.2, exactShare: 0.3, accuracy: 1, falseNegatives: 0 },
  ],
}

const shown = (of: SelfContactQuality): Record<string, string> =>
  Object.fromEntries(qualityRows(of).map(([name, value]) => [name, value]))

it('never calls all right what is not', () => {
  expect(shown(quality)['Sign right']).toBe('99.99\u202f%')
})

it('tells what few exact tests give, not what many would', () => {
  expect(shown(quality)['With 4.00% exact tests']).toBe('99.90\u202f%')
})

it('leaves out a distance error that nobody measured', () => {
  expect(shown(quality)['Distance error, mean']).toBeUndefined()
  expect(shown({ ...quality, distanceError: { mean: 0.0145, p95: 0.1, max: 0.2 } })['Distance error, mean']).toBe(
    '0.0145',
  )
})
