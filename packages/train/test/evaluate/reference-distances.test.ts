/** Distances to self-contact by sliding, beside those to the nearest code of the other sign of a fine grid. */

import { referenceDistances } from '@pliant/train/unstable'
import { ContactPool, linearContacts } from '@pliant/train/unstable/label'
import { randomStream } from 'pliant'
import { LinearSelfContact } from 'pliant/unstable/exact'
import { afterAll, expect, test } from 'vitest'
import { bendingRing } from '../../../pliant/test/exact/self-contact/ring.js'

const shape = bendingRing(2)
const pool = new ContactPool(linearContacts(shape), { threads: 2 })
afterAll(() => pool.dispose())

/** Codes along a side of the grid, which covers the box. */
const SIDE = 120

test('are those to the nearest code of the other sign, in two dimensions (seed 9)', async () => {
  const contact = new LinearSelfContact(shape)
  const step = 2 / (SIDE - 1)
  const grid = Array.from({ length: SIDE * SIDE }, (_, i) => {
    const code = [-1 + step * (i % SIDE), -1 + step * Math.floor(i / SIDE)]
    return { code, touches: contact.touches(code) }
  })
  const random = randomStream(9)
  const codes = Float32Array.from({ length: 2 * 60 }, () => random.between(-1, 1))
  const found = (await referenceDistances(pool, codes, { points: 400 }))!
  for (let i = 0; i < 60; i++) {
    const code = codes.subarray(2 * i, 2 * i + 2)
    const touches = contact.touches(code)
    expect(found[i] < 0).toBe(touches)
    let nearest = Infinity
    for (const other of grid) {
      if (other.touches !== touches)
        nearest = Math.min(nearest, Math.hypot(code[0] - other.code[0], code[1] - other.code[1]))
    }
    // The nearest code of a grid is too far by a cell at most, and the boundary in front of it.
    // And a slide ends where it gains less than a thousandth.
    expect(Math.abs(found[i])).toBeLessThan(1.01 * nearest)
    expect(Math.abs(found[i])).toBeGreaterThan(nearest - 1.5 * step)
  }
})

test('find the nearest of many valleys: of five modes, where four starts do not (seed 9)', async () => {
  const many = new ContactPool(linearContacts(bendingRing(5)), { threads: 2 })
  const random = randomStream(9)
  const codes = Float32Array.from({ length: 5 * 40 }, () => random.between(-1, 1))
  const asked = async (starts?: number): Promise<Float32Array> =>
    (await referenceDistances(many, codes, { points: 1000, ...(starts !== undefined && { starts }) }))!
  const least = await asked(64)
  const tooLarge = (found: Float32Array): number =>
    found.reduce((sum, distance, i) => sum + Math.abs(distance) - Math.abs(least[i]), 0) / found.length
  expect(tooLarge(await asked())).toBeLessThan(0.001)
  expect(tooLarge(await asked(4))).toBeGreaterThan(0.005)
  await many.dispose()
})

test('are none where nothing touches', async () => {
  const still = { ...shape, modes: new Float64Array(shape.modes.length) }
  const none = new ContactPool(linearContacts(still), { threads: 1 })
  expect(await referenceDistances(none, new Float32Array(4), { points: 20 })).toBeUndefined()
  await none.dispose()
})
