import { validateMesh } from 'pliant'
import { SelfIntersection } from 'pliant/exact'
import { meshVolume } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { makeBar } from '../../src/presets/bar.js'
import { listPresets, PRESETS } from '../../src/presets/index.js'

it('is a closed surface that faces outward', () => {
  const { rest, triangles } = makeBar()
  const mesh = { positions: rest, triangles }
  expect(validateMesh(mesh).filter((issue) => issue.severity !== 'information')).toEqual([])
  expect(meshVolume(mesh)).toBeGreaterThan(0)
})

it('does not run into itself at any corner of its range', () => {
  const bar = makeBar()
  const positions = new Float64Array(bar.rest.length)
  const self = new SelfIntersection({ positions: bar.rest, triangles: bar.triangles })
  for (let corner = 0; corner < 8; corner++) {
    bar.positions([corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1], positions)
    self.update(positions)
    expect(self.any(), `corner ${corner}`).toBe(false)
    expect(meshVolume({ positions, triangles: bar.triangles })).toBeGreaterThan(0)
  }
})

it('is listed with its triangles and the size of its code', () => {
  for (const { name, make } of PRESETS) {
    const model = make()
    const listed = listPresets().find((preset) => preset.name === name)!
    expect(listed.codeSize).toBe(model.codeSize)
    expect(listed.summary).toContain(`${(model.triangles.length / 3).toLocaleString('en')} triangles`)
  }
})
