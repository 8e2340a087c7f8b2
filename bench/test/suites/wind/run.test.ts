import { readFileSync } from 'node:fs'
import { rigFromScene } from 'pliant/character'
import { readGltf } from 'pliant/files'
import { expect, it } from 'vitest'
import { benchWind } from '../../../src/suites/wind/run.js'

const artifacts = new URL('../../../../apps/studio/public/artifacts/', import.meta.url)
const bytes = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, artifacts)))

it('suite wind judges calm, gusts and what is left of them apart, by both fields', async () => {
  const clips = rigFromScene(readGltf(bytes('humanoid.glb'))).clips.filter(({ name }) => name === 'idle')
  const { rows, garment, clothVertices } = await benchWind({
    artifact: bytes('humanoid.safetensors'),
    clips,
    quick: true,
  })
  expect(garment).toBe('skirt')
  expect(clothVertices).toBeGreaterThan(1000)
  expect(rows.map(({ clip, field, wind }) => [clip, field, wind])).toEqual([
    ['idle', 'learned', 15],
    ['idle', 'exact', 15],
  ])
  for (const { calm, gusts, after } of rows) {
    // A standing body: the wind presses the skirt in a little, and nothing of that is seen before or stays.
    expect(calm.deepest).toBeLessThan(0.1)
    expect(gusts.insideShare).toBeGreaterThan(0)
    expect(gusts.deepest).toBeGreaterThan(calm.deepest)
    expect(gusts.deepest).toBeLessThan(2)
    expect(after.deepest).toBeLessThan(0.1)
  }
})

it('suite wind needs a motion to play', async () => {
  await expect(benchWind({ artifact: bytes('humanoid.safetensors') })).rejects.toThrow('pass one with --motion')
})
