import { expect, it } from 'vitest'
import { cycle, wave } from '../../../src/presets/humanoid/cycle.js'

const phases = Array.from({ length: 401 }, (_, i) => -0.5 + i / 200)

it('passes through its keys, and round again', () => {
  const keys: [number, number][] = [
    [0.1, 3],
    [0.35, -1],
    [0.4, 2],
    [0.9, 2],
  ]
  const value = cycle(...keys)
  for (const [time, key] of keys) for (const round of [-1, 0, 2]) expect(value(time + round)).toBeCloseTo(key, 9)
})

it('neither overshoots its keys nor leaves a held value', () => {
  const value = cycle([0, 0], [0.2, 0], [0.25, 1], [0.6, 1], [0.7, 0.3])
  for (const phase of phases) {
    expect(value(phase)).toBeGreaterThanOrEqual(0)
    expect(value(phase)).toBeLessThanOrEqual(1)
  }
  expect(value(0.13)).toBe(0)
  expect(value(0.4)).toBe(1)
})

it('has no corners: slopes from both sides agree, also where it comes round', () => {
  const value = cycle([0.05, 0], [0.3, 2], [0.5, 1.5], [0.8, -1])
  const h = 1e-6
  for (const time of [0.05, 0.3, 0.5, 0.8, 1]) {
    expect((value(time) - value(time - h)) / h).toBeCloseTo((value(time + h) - value(time)) / h, 2)
  }
})

it('a wave is highest at its peak', () => {
  expect(wave(1, 0.5, 0.2, 2)(0.2)).toBeCloseTo(1.5, 12)
  expect(wave(1, 0.5, 0.2, 2)(0.45)).toBeCloseTo(0.5, 12)
  expect(wave(1, 0.5, 0.2, 2)(0.7)).toBeCloseTo(1.5, 12)
})
