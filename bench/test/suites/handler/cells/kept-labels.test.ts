import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { keptLabels } from '../../../../src/suites/handler/cells/kept-labels.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-signs-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('signs are tested once, and again for other codes, another shape, or a file that is something else', async () => {
  const path = join(folder, 'hand.signs')
  let tests = 0
  const ask = (codes: number[], subject: string) =>
    keptLabels(
      path,
      subject,
      Int8Array,
    )(Float32Array.from(codes), async () => {
      tests++
      return Int8Array.from(codes, (code) => (code < 0 ? -1 : 1))
    })
  const due = Int8Array.of(-1, 1, 1)
  expect(await ask([-0.5, 0.25, 3], 'hand')).toEqual(due)
  expect(await ask([-0.5, 0.25, 3], 'hand')).toEqual(due)
  expect(tests).toBe(1)
  expect(await ask([-0.5, 0.25, -3], 'hand')).toEqual(Int8Array.of(-1, 1, -1))
  expect(tests).toBe(2)
  expect(await ask([-0.5, 0.25, -3], 'another hand')).toEqual(Int8Array.of(-1, 1, -1))
  expect(tests).toBe(3)
  writeFileSync(path, 'no signs at all')
  expect(await ask([-0.5, 0.25, 3], 'hand')).toEqual(due)
  expect(tests).toBe(4)
})

it('depths come back as they were', async () => {
  const path = join(folder, 'hand.depths')
  const depths = Float32Array.of(0, 1e-7, 0.25, 3)
  const ask = (make: () => Promise<Float32Array>) =>
    keptLabels<Float32Array>(path, 'hand', Float32Array)(Float32Array.of(1, 2), make)
  expect(await ask(async () => depths)).toBe(depths)
  expect(await ask(() => Promise.reject(new Error('made twice')))).toEqual(depths)
})
