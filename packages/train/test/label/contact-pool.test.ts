import { ContactPool, linearContacts } from '@pliant/train/unstable/label'
import { LinearModes, randomStream } from 'pliant'
import { SelfIntersection } from 'pliant/exact'
import { LinearSelfContact } from 'pliant/unstable/exact'
import { afterAll, expect, test } from 'vitest'
import { bendingRing } from '../../../pliant/test/exact/self-contact/ring.js'

const shape = bendingRing(3)
const pools: ContactPool[] = []
const poolOf = (threads: number): ContactPool => {
  const pool = new ContactPool(linearContacts(shape), { threads })
  pools.push(pool)
  return pool
}
afterAll(() => Promise.all(pools.map((pool) => pool.dispose())))

const random = randomStream(21)
const codes = Float32Array.from({ length: 3 * 700 }, () => random.between(-1, 1))

test('signs are those of the plain test, whatever the number of workers, seed 21', async () => {
  const [one, two] = await Promise.all([poolOf(1).signs(codes), poolOf(2).signs(codes)])
  expect(two).toEqual(one)
  const model = new LinearModes(shape)
  const whole = new SelfIntersection({ positions: shape.rest, triangles: shape.triangles })
  const positions = new Float64Array(shape.rest.length)
  for (let i = 0; i < 200; i++) {
    model.positions(codes.subarray(3 * i, 3 * i + 3), positions)
    whole.update(positions)
    expect(one[i]).toBe(whole.any() ? -1 : 1)
  }
})

test('points between free and touching codes lie on the boundary, with their normals', async () => {
  const pool = poolOf(2)
  const signs = await pool.signs(codes)
  const rowsOf = (sign: number): Float32Array =>
    Float32Array.from([...signs].flatMap((each, i) => (each === sign ? [...codes.subarray(3 * i, 3 * i + 3)] : [])))
  const touching = rowsOf(-1)
  const free = rowsOf(1).subarray(0, touching.length)
  const found = await pool.between(free, touching)
  expect(found.codes.length).toBeGreaterThan(0.9 * touching.length)
  expect(found.tests).toBeGreaterThan(found.codes.length / 3)
  const contact = new LinearSelfContact(shape)
  let right = 0
  for (let i = 0; i < found.codes.length; i += 3) {
    const at = (step: number) => [0, 1, 2].map((k) => found.codes[i + k] + step * found.normals[i + k])
    if (!contact.touches(at(1e-3)) && contact.touches(at(-1e-3))) right++
  }
  // Edges of the boundary, where two contacts meet, are the others.
  expect(right).toBeGreaterThan((0.9 * found.codes.length) / 3)

  // From those points a little aside, along the normal: back to the boundary.
  const aside = found.codes.map((value, i) => value + 0.03 * found.normals[i])
  const again = await pool.along(aside, found.normals)
  expect(again.codes.length).toBeGreaterThan(0.8 * found.codes.length)
})

test('an abort ends it with its reason', async () => {
  const aborting = new AbortController()
  const pool = new ContactPool(linearContacts(shape), { threads: 1, signal: aborting.signal })
  pools.push(pool)
  const signs = pool.signs(codes)
  aborting.abort(new Error('enough'))
  await expect(signs).rejects.toThrow('enough')
})
