import { describe, expect, it } from 'vitest'
import { orientedBox } from '../../../../src/detect/fields/boxes/oriented-box.js'
import { protrusions, pushSharedCells } from '../../../../src/detect/fields/paper/detection-points.js'
import { cone } from '../../../../src/field/shapes/polygons.js'
import { box } from '../../../../src/field/shapes/primitives.js'
import { fieldOf } from '../../../../src/field/shapes/shape.js'
import { composeMat4 } from '../../../../src/math/mat4.js'

const cube = orientedBox({ lower: [-1, -1, -1], upper: [1, 1, 1] })
const frame = (at: number[], turn = [0, 0, 0, 1]): Float64Array => {
  const out = new Float64Array(16)
  composeMat4(at, turn, [1, 1, 1], 0, out, 0)
  return out
}
const cellsOf = (bToA: Float64Array, levels: number): number[][] => {
  const out: number[] = []
  pushSharedCells(cube, cube, bToA, levels, out)
  return Array.from({ length: out.length / 3 }, (_, i) => out.slice(3 * i, 3 * i + 3))
}

describe('cells that two boxes have in common', () => {
  it('are in both, and fill what they have in common', () => {
    const turn = [0, 0, Math.sin(0.3), Math.cos(0.3)]
    const toA = frame([1.2, 0.4, -0.3], turn)
    for (const [x, y, z] of cellsOf(toA, 4)) {
      expect(Math.max(Math.abs(x), Math.abs(y), Math.abs(z))).toBeLessThan(1)
      const [dx, dy, dz] = [x - 1.2, y - 0.4, z + 0.3]
      const [cosine, sine] = [Math.cos(0.6), Math.sin(0.6)]
      expect(Math.max(Math.abs(cosine * dx + sine * dy), Math.abs(cosine * dy - sine * dx), Math.abs(dz))).toBeLessThan(
        1,
      )
    }
    // Half of the box: of the last level's 16^3 cells, half, or fewer where larger ones lie inside.
    const half = cellsOf(frame([1, 0, 0]), 4)
    expect(Math.min(...half.map(([x]) => x))).toBeGreaterThan(0)
    expect(Math.min(...half.map(([x]) => x))).toBeLessThan(0.15)
  })

  it('are none of boxes that are apart', () => {
    expect(cellsOf(frame([2.01, 0, 0]), 5)).toEqual([])
    expect(cellsOf(frame([1.75, 1.75, 0]), 1)).toEqual([])
  })
})

describe('points that stick out', () => {
  it('are those of a thin rod, all along it, and none of a block, whose corners have three neighbours outside', () => {
    const along = (half: number): Float64Array =>
      protrusions(fieldOf(box([0.5, half, half])), { lower: [-0.5, -half, -half], upper: [0.5, half, half] }, 0.1)
    const rod = along(0.04)
    expect(rod.length / 3).toBe(10)
    for (let i = 0; i < 10; i++) expect(Math.hypot(rod[3 * i + 1], rod[3 * i + 2])).toBeLessThan(0.04)
    expect(along(0.45).length).toBe(0)
  })

  it('are on the rim of a cone', () => {
    const { field, box: around } = { field: fieldOf(cone(0.3, 0, 0.5)), box: cone(0.3, 0, 0.5).box }
    const points = protrusions(field, around, 0.05)
    expect(points.length).toBeGreaterThan(0)
    for (let i = 0; i < points.length; i += 3) expect(Math.hypot(points[i], points[i + 2])).toBeGreaterThan(0.2)
  })
})
