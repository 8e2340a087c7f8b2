import { expect, it } from 'vitest'
import { BoneMotion } from '../../../src/sim/cloth/bone-motion.js'

/** Turned about z by an angle, then moved, column-major. */
function matrix(angle: number, x: number, y: number, scale = 1): number[] {
  const [c, s] = [scale * Math.cos(angle), scale * Math.sin(angle)]
  return [c, s, 0, 0, -s, c, 0, 0, 0, 0, scale, 0, x, y, 0, 1]
}

it('gives points on a turning bone the velocity of a rigid body', () => {
  const motion = new BoneMotion({ ends: Float64Array.of(0, 0, 0, 1, 0, 0), radii: Float64Array.of(0.1) })
  const frame = 0.001
  const rate = 2
  motion.update(Float64Array.from(matrix(0.3, 1, 2, 1.5)), frame)
  motion.update(Float64Array.from(matrix(0.3 + rate * frame, 1 + 0.5 * frame, 2, 1.5)), frame)
  const out = new Float64Array(3)
  motion.velocity(Float64Array.of(1.8, 2.3, 0.1), new Float64Array(3), 1, out)
  expect(out[0]).toBeCloseTo(0.5 - rate * 0.3, 2)
  expect(out[1]).toBeCloseTo(rate * 0.8, 2)
  expect(out[2]).toBeCloseTo(0, 12)
})

it('follows the nearer bone near its skin and blends at the joint', () => {
  const motion = new BoneMotion({
    ends: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0),
    radii: Float64Array.of(0.1, 0.1),
  })
  motion.update(Float64Array.from([...matrix(0, 0, 0), ...matrix(0, 1, 0)]), 0.1)
  motion.update(Float64Array.from([...matrix(0, 0, 0), ...matrix(0, 1, 0.01)]), 0.1)
  const out = new Float64Array(9)
  motion.velocity(Float64Array.of(0.2, 0.1, 0, 1.8, 0.1, 0, 1, 0.1, 0), new Float64Array(9), 3, out)
  expect(out[1]).toBeLessThan(0.005)
  expect(out[4]).toBeGreaterThan(0.095)
  expect(out[7]).toBeGreaterThan(0.04)
  expect(out[7]).toBeLessThan(0.06)
})

it('stands still before it has moved, in a frame of no time, and where a point lies on both bones', () => {
  const motion = new BoneMotion({ ends: new Float64Array(12), radii: Float64Array.of(1, 1) })
  const out = new Float64Array(3).fill(9)
  motion.update(Float64Array.from([...matrix(1, 2, 3), ...matrix(1, 2, 3)]), 0.1)
  motion.velocity(Float64Array.of(2, 3, 0), new Float64Array(3), 1, out)
  for (const value of out) expect(value).toBeCloseTo(0, 12)
  motion.update(Float64Array.from([...matrix(1, 9, 3), ...matrix(1, 9, 3)]), 0)
  motion.velocity(Float64Array.of(2, 3, 0), new Float64Array(3), 1, out)
  expect(out.every((value) => Math.abs(value) === 0)).toBe(true)
  expect(() => new BoneMotion({ ends: new Float64Array(5), radii: new Float64Array(1) })).toThrow('5 coordinates')
})
