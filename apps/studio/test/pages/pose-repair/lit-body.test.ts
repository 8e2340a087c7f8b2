import { expect, it } from 'vitest'
import { vertexHeat } from '../../../src/pages/pose-repair/lit-body.js'
import { heatOf } from '../../../src/pages/pose-repair/pose-look.js'

it('parts begin to glow when they come near, and glow most when they are in each other', () => {
  expect(heatOf(0.05, 0.02)).toBe(0)
  expect(heatOf(0.01, 0.02)).toBeCloseTo(0.5)
  expect(heatOf(0, 0.02)).toBe(1)
  expect(heatOf(-0.0025, 0.02)).toBeCloseTo(1.5)
  expect(heatOf(-1, 0.02)).toBe(2)
  expect(heatOf(Infinity, 0.02)).toBe(0)
})

it('the heat of a part is that of its vertices, and falls off where it ends', () => {
  // A strip of ten squares, the first half of part 0.
  const triangles: number[] = []
  for (let k = 0; k < 10; k++) triangles.push(2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 1, 2 * k + 3, 2 * k + 2)
  const parts = Uint16Array.from({ length: 20 }, (_, t) => (t < 10 ? 0 : 1))
  const heat = vertexHeat(Uint32Array.from(triangles), parts, Float32Array.of(2, 0), 22)
  expect(heat[0]).toBeCloseTo(2)
  expect(heat[21]).toBeCloseTo(0)
  expect(heat[10]).toBeGreaterThan(0.3)
  expect(heat[10]).toBeLessThan(1.7)
  for (let v = 2; v < 22; v += 2) expect(heat[v]).toBeLessThanOrEqual(heat[v - 2] + 1e-6)
})
