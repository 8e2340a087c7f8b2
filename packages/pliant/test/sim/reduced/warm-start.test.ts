/** Impulses of the last substep as a first guess. */
import { describe, expect, it } from 'vitest'
import { fieldHalfSpace } from '../../../src/index.js'
import { ReducedWorld } from '../../../src/sim/index.js'
import { AT_LEAST, ConstraintRows } from '../../../src/sim/reduced/constraint-rows.js'
import { WarmStart } from '../../../src/sim/reduced/warm-start.js'
import { softBar } from './scenes.js'

function rowsOf(...keys: number[]): ConstraintRows {
  const rows = new ConstraintRows(Uint32Array.of(0, 6))
  for (const key of keys) rows.add(AT_LEAST, key, 0)
  return rows
}

describe('a warm start', () => {
  it('finds what was there before by its key, for the time that the step now has', () => {
    const warm = new WarmStart()
    warm.keep(rowsOf(1, 4, 9), Float64Array.of(10, 40, 90), 0.02)
    const impulses = new Float64Array(4)
    warm.begin(rowsOf(0, 4, 5, 9), impulses, 0.01)
    expect([...impulses]).toEqual([0, 20, 0, 45])
    expect([0, 1, 4, 5, 9, 10].map((key) => warm.impulseOf(key))).toEqual([0, 10, 40, 0, 90, 0])
    warm.forget()
    warm.begin(rowsOf(4), impulses.fill(0), 0.01)
    expect(impulses[0]).toBe(0)
    expect(warm.impulseOf(4)).toBe(0)
  })

  it('spares most sweeps of a body at rest', () => {
    const sweeps = [true, false].map((warmStart) => {
      const body = softBar(6, { damping: 0.05 })
      body.position[1] = 0.06
      const world = new ReducedWorld([body], { warmStart, obstacles: [{ field: fieldHalfSpace([0, 1, 0], 0) }] })
      let sum = 0
      for (let n = 0; n < 90; n++) {
        world.step(1 / 60)
        if (n >= 60) sum += world.report.iterations
      }
      return sum
    })
    expect(sweeps[0]).toBeLessThan(sweeps[1] / 4)
  })
})
