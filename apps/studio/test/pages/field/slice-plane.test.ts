import type { Box } from 'pliant'
import { describe, expect, it } from 'vitest'
import { type Axis, pointOnSlice, sliceGrid, slicePoints } from '../../../src/pages/field/slice-plane.js'

const domain: Box = { lower: [-1, -2, -3], upper: [2, 4, 6] }

describe('the slice grid', () => {
  for (const axis of [0, 1, 2] as Axis[]) {
    it(`across axis ${axis} lies in the plane, fills the domain and has square cells`, () => {
      const grid = sliceGrid(domain, { axis, at: 0.5 }, 5000)
      const points = new Float64Array(3 * grid.width * grid.height)
      slicePoints(grid, 0, grid.height, points)
      for (let i = 0; i < points.length; i += 3) expect(points[i + axis]).toBe(0.5)
      for (const side of [grid.horizontal, grid.vertical]) {
        const values = points.filter((_, i) => i % 3 === side)
        expect(Math.min(...values)).toBe(domain.lower[side])
        expect(Math.max(...values)).toBe(domain.upper[side])
      }
      const cell = (k: 0 | 1, nodes: number): number => (grid.upper[k] - grid.lower[k]) / (nodes - 1)
      expect(cell(0, grid.width) / cell(1, grid.height)).toBeCloseTo(1, 1)
      expect(grid.width * grid.height).toBeGreaterThan(4500)
      expect(grid.width * grid.height).toBeLessThan(5600)
    })
  }

  it('gives the same nodes row by row as all at once', () => {
    const grid = sliceGrid(domain, { axis: 1, at: 0 }, 40)
    const all = new Float64Array(3 * grid.width * grid.height)
    slicePoints(grid, 0, grid.height, all)
    const row = new Float64Array(3 * grid.width)
    slicePoints(grid, 2, 1, row)
    expect([...row]).toEqual([...all.subarray(6 * grid.width, 9 * grid.width)])
  })

  it('reads the cursor where the node is drawn', () => {
    const grid = sliceGrid(domain, { axis: 2, at: 1 }, 40)
    expect(pointOnSlice(grid, 0, 1)).toEqual([-1, 4, 1])
  })
})
