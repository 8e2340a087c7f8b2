import { describe, expect, it } from 'vitest'
import { findShells } from '../../src/surface/shells.js'
import { box, insideOut, type Part, sheet, skinned, tube } from './skinned-parts.js'

function shellsOf(...parts: Part[]) {
  const { bound, triangles } = skinned(...parts)
  return findShells(bound, triangles)
}

describe('shells', () => {
  it('that touch at an edge only are told apart, and each is closed', () => {
    const shells = shellsOf(box([0, 0, 0], [1, 1, 1]), insideOut(box([1, 1, 0], [2, 2, 1])))
    expect(shells.map(({ openEdges, turned }) => [openEdges, turned])).toEqual([
      [0, 0],
      [0, 12],
    ])
  })

  it('are one across seams of equal positions', () => {
    const cube = box([0, 0, 0], [1, 1, 1])
    const split = Array.from({ length: 12 }, (_, t) => ({ ...cube, triangles: cube.triangles.slice(3 * t, 3 * t + 3) }))
    expect(shellsOf(...split)).toMatchObject([{ openEdges: 0, sheet: false, area: 6 }])
  })

  it('with openings are turned by what they enclose, sheets known by their flatness', () => {
    const [pipe, turnedPipe, cape] = [tube(0.2, 16), insideOut(tube(0.2, 16)), sheet(1, 0)].map(
      (part) => shellsOf(part)[0],
    )
    expect(pipe).toMatchObject({ openEdges: 32, turned: 0, sheet: false })
    expect(turnedPipe).toMatchObject({ openEdges: 32, turned: 32, sheet: false })
    expect(cape).toMatchObject({ openEdges: 4, sheet: true })
  })

  it('lose an inner wall as a sheet, and the halves on either side of it stay', () => {
    const halves = [box([0, 0, 0], [1, 1, 1]), box([1, 0, 0], [2, 1, 1])]
    // Both carry the wall at x = 1: leave one of the two copies.
    halves[0].triangles.splice(6, 6)
    const wall = shellsOf(...halves).filter((shell) => shell.sheet)
    expect(wall).toHaveLength(1)
    expect(wall[0].area).toBeCloseTo(1, 12)
  })
})
