import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { decode } from 'pliant'
import { expect, it } from 'vitest'
import { selfContactFile } from '../../../../packages/pliant/test/artifact/self-contact-example.js'
import type { InputReader } from '../../../src/suite/inputs.js'
import { cspace } from '../../../src/suites/cspace/index.js'
import { cspaceResult } from '../results.js'

it('measures a small ring, beside itself as the paper, and tells it', async () => {
  const artifact = await decode(await selfContactFile('plane'), 'self-contact')
  const fractions: number[] = []
  const result = await cspace.run({
    artifact,
    paper: artifact,
    others: [{ artifact }],
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
  // Simulated for each body, with the paper's network where there is one; the same pulls, so the same frames.
  expect(result.bodies?.map(({ simulation }) => simulation.map(({ keeping }) => keeping))).toEqual([
    ['nothing', 'paper', 'learned', 'hybrid'],
    ['nothing', 'learned', 'hybrid'],
  ])
  expect(result.bodies?.[0].simulation).toEqual(result.simulation)
  expect(result.bodies?.[1].simulation[1].deepest).toBe(result.simulation[2].deepest)
  const text = cspace.table(result)
  expect(text.match(/ours with the exact test/g)).toHaveLength(2)
  expect(text).toMatch(/ours +6 /)
  expect(text).toMatch(/ours with the exact test/)
  expect(cspace.markdown(result)).toMatch(/^## Self-contact in the space of codes/)
})

it('takes all built-in bodies, and says which have no network of the paper', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-bodies-'))
  writeFileSync(
    join(folder, 'contacts.json'),
    '[{ "file": "ring.safetensors" }, { "file": "coil-self-contact.safetensors" }]',
  )
  const asked: string[] = []
  const reader = {
    builtIn: (name: string) => join(folder, name),
    ofKind: async (path: string) => {
      asked.push(basename(path))
      return { artifact: path }
    },
  } as unknown as InputReader
  const { given, notes } = await cspace.inputs.read({}, reader)
  expect(asked).toEqual(['ring.safetensors', 'coil-self-contact.safetensors'])
  expect(given).toMatchObject({ paper: undefined, others: [{ paper: undefined }] })
  expect(notes).toHaveLength(2)
  expect(notes?.[1]).toMatch(
    /^coil: the paper's network is left out; .*coil-self-contact-paper\.safetensors' makes it$/,
  )
  asked.length = 0
  expect((await cspace.inputs.read({ paper: 'theirs.safetensors' }, reader)).notes).toHaveLength(1)
  expect(asked).toEqual(['ring.safetensors', 'theirs.safetensors', 'coil-self-contact.safetensors'])
  asked.length = 0
  const one = await cspace.inputs.read({ file: 'own.safetensors' }, reader)
  expect(asked).toEqual(['own.safetensors'])
  expect(one.given.others).toBeUndefined()
})

it('shows results of an earlier version, which have one body', () => {
  const { bodies: _, ...earlier } = cspaceResult
  expect(cspace.markdown(cspaceResult)).toMatch(/\| coil \| ours \|/)
  expect(cspace.markdown(earlier)).toMatch(/\| ring \| nothing \|/)
})

it('says what to train if there is no file', async () => {
  await expect(cspace.run({})).rejects.toThrow('pliant train bracelet')
})
