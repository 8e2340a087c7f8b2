/** What `pliant bench contact --parts deformables` measures, on a script of less than a second. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { measureBars } from '../../../src/suites/contact/deformables/bars.js'
import { measureMomentum } from '../../../src/suites/contact/deformables/momentum.js'
import { openBar, openSoftBody } from '../../../src/suites/contact/deformables/soft-bodies.js'
import { measureSqueeze } from '../../../src/suites/contact/deformables/squeeze.js'
import { deformablesText } from '../../../src/suites/contact/text/deformables.js'

const [bunny, hand, bar] = ['bunny', 'hand', 'bar'].map(
  (name) => new URL(`../../../../apps/studio/public/artifacts/${name}.safetensors`, import.meta.url),
)
const isThere = [bunny, hand, bar].every((file) => existsSync(file))

it.skipIf(!isThere)('squeezes and throws bodies that deform', async () => {
  const [lower, upper] = [
    await openSoftBody('bunny', readFileSync(bunny)),
    await openSoftBody('hand', readFileSync(hand)),
  ]
  let runs = 0
  const seen: number[][] = []
  const squeezed = await measureSqueeze(
    lower,
    upper,
    { seeds: [2], seconds: 0.8, timed: 0.01 },
    async (done) => {
      runs = done
    },
    (_method, _seed, depths) => seen.push([...depths]),
  )
  expect(runs).toBe(5)
  // Every third of 48 frames.
  expect(seen.map(({ length }) => length)).toEqual([16, 16, 16, 16, 16])
  expect(seen.map((depths) => Math.max(...depths))).toEqual(squeezed.rows.map(({ deepest }) => deepest[0]))
  const [off, ...methods] = squeezed.rows.map(({ deepest }) => deepest[0])
  expect(off).toBeGreaterThan(0.08)
  for (const deepest of methods) expect(deepest).toBeLessThan(off / 2)
  expect(squeezed.pass.states).toBeGreaterThan(0)
  expect(squeezed.difference.mean).toBeLessThan(0.02)
  const thrown = await measureMomentum(lower, upper, [2])
  expect(thrown.given).toBeGreaterThan(0.1)
  expect(thrown.linear).toBeLessThan(1e-9)
  expect(thrown.angular).toBeLessThan(0.01)
  const bars = await measureBars(await openBar(readFileSync(bar)), 6, 1, 0.01)
  expect(bars.missed + bars.madeUp).toBeLessThan(2)
  expect(bars.largest).toBeLessThan(0.01)
  const text = deformablesText({ seconds: 0.8, seeds: 1, squeezed: [squeezed], thrown: [thrown], bars })
  expect(text).toContain('| hand on bunny | learned, whole surface |')
  expect(text).toContain('6 poses')
})

it.skipIf(!isThere)('says in one line what file is no elastic body', async () => {
  await expect(openSoftBody('bunny', readFileSync(bar))).rejects.toThrow(/file of the bunny holds no elastic body/)
})
