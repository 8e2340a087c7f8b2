/** The solver of rows against solutions worked out directly. */
import { describe, expect, it } from 'vitest'
import { invertPositive } from '../../../src/math/dense-inverse.js'
import { randomStream } from '../../../src/math/random.js'
import { AT_LEAST, ConstraintRows, FRICTION, FRICTION_SECOND, SOFT } from '../../../src/sim/reduced/constraint-rows.js'
import { GaussSeidel, type InverseMass } from '../../../src/sim/reduced/gauss-seidel.js'

/** Bodies of unit mass in every direction. */
const UNIT: InverseMass = {
  apply: (_body, from, fromAt, out, outAt) => {
    for (let i = 0; i < SIZE; i++) out[outAt + i] = from[fromAt + i]
  },
}
const SIZE = 6

function solved(rows: ConstraintRows, velocities: Float64Array, iterations = 10_000, tolerance = 1e-12) {
  const solver = new GaussSeidel()
  const report = { iterations: 0, residual: 0 }
  solver.prepare(rows, UNIT)
  solver.solve(rows, velocities, iterations, tolerance, report)
  return { impulses: solver.impulses.slice(0, rows.count), ...report }
}

/** The impulses of J v >= b by trying every set of rows that may be active. @param j rows of J */
function directly(j: number[][], bounds: number[], v: number[]): number[] {
  const dot = (x: number[], y: number[]): number => x.reduce((sum, value, i) => sum + value * y[i], 0)
  for (let set = 0; set < 2 ** j.length; set++) {
    const active = j.map((_, i) => i).filter((i) => (set >> i) & 1)
    const n = active.length
    const a = Float64Array.from(active.flatMap((i) => active.map((k) => dot(j[i], j[k]))))
    const inverse = new Float64Array(n * n)
    if (n > 0 && !invertPositive(a, n, inverse)) continue
    const missing = active.map((i) => bounds[i] - dot(j[i], v))
    const lambda = j.map(() => 0)
    active.forEach((i, r) => {
      lambda[i] = missing.reduce((sum, value, c) => sum + inverse[r * n + c] * value, 0)
    })
    const after = v.map((value, axis) => value + j.reduce((sum, row, i) => sum + row[axis] * lambda[i], 0))
    if (lambda.every((l) => l >= -1e-12) && j.every((row, i) => dot(row, after) >= bounds[i] - 1e-9)) return lambda
  }
  throw new Error('no solution')
}

describe('projected Gauss-Seidel', () => {
  it.each([1, 2, 3, 4, 5])(
    'finds the impulses of five rows over two bodies that trying all sets finds (seed %d)',
    (seed) => {
      const random = randomStream(seed)
      const draw = (): number => random.between(-1, 1)
      const rows = new ConstraintRows(Uint32Array.of(0, SIZE, 2 * SIZE))
      const j: number[][] = []
      const bounds: number[] = []
      for (let i = 0; i < 5; i++) {
        const both = i % 2 === 0
        const row = rows.add(AT_LEAST, i, both ? 0 : 1, both ? 1 : -1)
        const own = Array.from({ length: both ? 12 : 6 }, draw)
        rows.values.set(own, rows.starts[row])
        rows.bounds[row] = draw()
        j.push(both ? own : [...new Array(6).fill(0), ...own])
        bounds.push(rows.bounds[row])
      }
      const v = Array.from({ length: 12 }, draw)
      const { impulses, residual } = solved(rows, Float64Array.from(v))
      const expected = directly(j, bounds, v)
      expect(expected.some((l) => l > 0)).toBe(true)
      for (let i = 0; i < 5; i++) expect(impulses[i]).toBeCloseTo(expected[i], 9)
      expect(residual).toBeLessThan(1e-12)
    },
  )

  it('is not slow where rows nearly depend on each other, as those of neighbours do', () => {
    const rows = new ConstraintRows(Uint32Array.of(0, SIZE))
    // Twelve neighbours on an arc: each differs from the next by a few percent.
    for (let i = 0; i < 12; i++) {
      const angle = 0.05 * i
      const row = rows.add(AT_LEAST, i, 0)
      rows.values.set([1, Math.cos(angle), Math.sin(angle), Math.cos(2 * angle), 0, 0], rows.starts[row])
      rows.bounds[row] = Math.sin(7 * i) / 100
    }
    const { iterations, residual } = solved(rows, Float64Array.of(-1, 0, 0.3, 0, 0, 0), 1000, 1e-7)
    expect(residual).toBeLessThan(1e-7)
    expect(iterations).toBeLessThan(50)
  })

  it('reports what a few sweeps leave, and less after more', () => {
    const left = [1, 4, 16, 64].map((iterations) => {
      const rows = new ConstraintRows(Uint32Array.of(0, SIZE))
      for (let i = 0; i < 4; i++) {
        const row = rows.add(AT_LEAST, i, 0)
        rows.values.set([1, 0.4 * i - 0.6, 0.3 * (i % 2), 0, 0, 0], rows.starts[row])
      }
      const v = Float64Array.of(-1, 0.5, 0.2, 0, 0, 0)
      const { residual, iterations: done } = solved(rows, v, iterations, 1e-14)
      expect(done).toBeLessThanOrEqual(iterations)
      let worst = 0
      for (let i = 0; i < 4; i++) worst = Math.max(worst, -rows.speed(i, v))
      expect(residual).toBeGreaterThanOrEqual(worst - 1e-15)
      return residual
    })
    for (let k = 1; k < left.length; k++) expect(left[k]).toBeLessThan(left[k - 1])
    expect(left[3]).toBeLessThan(1e-3)
  })

  it('leaves impulses that would pull at zero, and velocities that separate alone', () => {
    const rows = new ConstraintRows(Uint32Array.of(0, SIZE))
    rows.values[rows.starts[rows.add(AT_LEAST, 0, 0)]] = 1
    const v = Float64Array.of(2, 0, 0, 0, 0, 0)
    const { impulses, iterations } = solved(rows, v)
    expect([impulses[0], v[0], iterations]).toEqual([0, 2, 0])
  })

  it('gives way by its compliance, and no further than its limit', () => {
    for (const limit of [Infinity, 0.1]) {
      const rows = new ConstraintRows(Uint32Array.of(0, SIZE))
      const row = rows.add(SOFT, 0, 0)
      rows.values[rows.starts[row] + 1] = 1
      rows.compliances[row] = 3
      rows.bounds[row] = -2
      rows.limits[row] = limit
      const { impulses } = solved(rows, new Float64Array(6))
      // v + 3 impulse = -2, v = impulse.
      expect(impulses[0]).toBeCloseTo(limit < 1 ? -0.1 : -0.5, 12)
    }
  })

  it('holds within the cone; beyond it slides straight against the motion, whatever its tangents', () => {
    for (const [vx, vz] of [
      [0.3, 0.1],
      [3, 1],
      // Within a box along the tangents, and not within the disc.
      [0.6 * Math.cos(0.4 + Math.PI / 4), 0.6 * Math.sin(0.4 + Math.PI / 4)],
    ]) {
      const rows = new ConstraintRows(Uint32Array.of(0, SIZE))
      const normal = rows.add(AT_LEAST, 0, 0)
      rows.values[rows.starts[normal] + 1] = 1
      for (let k = 0; k < 2; k++) {
        const row = rows.add(k === 0 ? FRICTION : FRICTION_SECOND, 1 + k, 0)
        const angle = 0.4 + (k * Math.PI) / 2
        rows.values.set([Math.cos(angle), 0, Math.sin(angle)], rows.starts[row])
        rows.limits[row] = 0.5
        rows.normals[row] = normal
      }
      const v = Float64Array.of(vx, -1, vz, 0, 0, 0)
      const { impulses, residual } = solved(rows, v)
      expect(residual).toBeLessThan(1e-12)
      expect(impulses[0]).toBeCloseTo(1, 12)
      const speed = Math.hypot(vx, vz)
      const left = Math.max(0, speed - 0.5)
      expect(v[0]).toBeCloseTo((left * vx) / speed, 9)
      expect(v[2]).toBeCloseTo((left * vz) / speed, 9)
    }
  })
})
