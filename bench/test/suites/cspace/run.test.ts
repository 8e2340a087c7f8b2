import { decode } from 'pliant'
import { expect, it } from 'vitest'
import { selfContactFile } from '../../../../packages/pliant/test/artifact/self-contact-example.js'
import { cspace } from '../../../src/suites/cspace/index.js'

it('measures a small ring, beside itself as the paper, and tells it', async () => {
  const artifact = await decode(await selfContactFile('plane'), 'self-contact')
  const fractions: number[] = []
  const result = await cspace.run({
    artifact,
    paper: artifact,
    quick: true,
    onProgress: ({ fraction }) => fractions.push(fraction),
  })
  expect(result).toMatchObject({ name: 'ring', modes: 3, triangles: artifact.manifest.model.triangles })
  expect(result.paper?.quality).toEqual(result.quality)
  expect(result.quality.signAccuracy).toBeGreaterThan(0.8)
  expect(result.answers.map(({ codes }) => codes)).toEqual([1, 1024])
  for (const { microseconds, gain } of result.answers) {
    expect(gain).toBeCloseTo(microseconds.exact / microseconds.learned, 9)
    expect(microseconds.learned).toBeGreaterThan(0)
  }
  expect(result.simulation.map(({ keeping }) => keeping)).toEqual(['nothing', 'paper', 'learned', 'hybrid'])
  const [alone, , , hybrid] = result.simulation
  expect(hybrid.meeting).toBeLessThanOrEqual(alone.meeting)
  expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
  const text = cspace.table(result)
  expect(text).toMatch(/ours +6 /)
  expect(text).toMatch(/ours with the exact test/)
  expect(cspace.markdown(result)).toMatch(/^## Self-contact in the space of codes/)
})

it('says what to train if there is no file', async () => {
  await expect(cspace.run({})).rejects.toThrow('pliant train bracelet')
})
