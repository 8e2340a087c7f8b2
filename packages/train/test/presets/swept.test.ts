import { surfaceOfTets } from 'pliant'
import { SelfIntersection } from 'pliant/exact'
import { bodiesOfTets, edgeTable, isClosed, meshVolume, tetVolume } from 'pliant/unstable'
import { describe, expect, test } from 'vitest'
import { makeBracelet, makeSnake, makeSpring } from '../../src/presets/swept/index.js'
import { sweepTets } from '../../src/presets/swept/sweep.js'

describe.each([
  ['bracelet', makeBracelet, 1296],
  ['spring', makeSpring, 2064],
  ['snake', makeSnake, 2064],
] as const)('%s', (_, make, triangles) => {
  const mesh = make()
  const surface = surfaceOfTets(mesh)

  test('is one body of positive tetrahedra with a closed surface', () => {
    const count = mesh.tetrahedra.length / 4
    for (let tet = 0; tet < count; tet++) expect(tetVolume(mesh, tet)).toBeGreaterThan(0)
    expect(bodiesOfTets(mesh).count).toBe(1)
    expect(surface.triangles.length / 3).toBe(triangles)
    expect(isClosed(edgeTable(surface.triangles, surface.positions.length / 3))).toBe(true)
  })

  test('does not touch itself at rest', () => {
    expect(new SelfIntersection(surface).any()).toBe(false)
  })
})

test('a straight tube has the volume of its eight-sided sections', () => {
  const mesh = sweepTets({ curve: (s) => ({ at: [2 * s, 0, 0], radius: 0.1 }), along: 10 })
  const area = 0.5 * 8 * 0.1 ** 2 * Math.sin(Math.PI / 4)
  expect(meshVolume(surfaceOfTets(mesh))).toBeCloseTo(2 * area, 10)
})

test('counts that are none are refused', () => {
  const curve = (s: number) => ({ at: [s, 0, 0] as const, radius: 1 })
  expect(() => sweepTets({ curve, along: 0 })).toThrow(/0 cells along/)
  expect(() => sweepTets({ curve, along: 2.5 })).toThrow(/2.5 cells along/)
})
