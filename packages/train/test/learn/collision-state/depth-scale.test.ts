import { expect, it } from 'vitest'
import { depthScale } from '../../../src/learn/collision-state/depth-scale.js'

/** Of two domains: 41 touching codes, 0.1 to 4.1 deep, and free ones. */
const depths = Float32Array.from({ length: 2 * 60 }, (_, i) => (i < 82 ? (0.1 * (1 + Math.floor(i / 2))) / 2 : 0))

it('depths are in units of the 95th percentile; the least deep tenth lies on the boundary', () => {
  const { metres, margin, epsilon } = depthScale(depths, 2, 0.1)
  expect(metres).toBeCloseTo(3.9, 5)
  expect(margin).toBeCloseTo(0.21 / 3.9, 5)
  expect(epsilon).toBeCloseTo(0.5 / 3.9, 5)
})
