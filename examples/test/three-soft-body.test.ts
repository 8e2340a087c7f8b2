/** examples/three-soft-body: a ball and a hand press the bunny in, and neither ends up inside of it. */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { decode, surfaceOfTets } from 'pliant'
import { nodesMeshField } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { describe, expect, it } from 'vitest'
import { ARTIFACTS, examplePage, expectNoOverflow, hasChromium } from './example-page.js'

/** What the page leaves on its window. */
interface Shown {
  bunny: { fem: { positions: Float64Array } }
  press: { frames: number; touching: number; points: Float64Array }
}
type ShownWindow = { threeSoftBody?: Shown }

const trained = await decode(new Uint8Array(readFileSync(new URL('bunny.safetensors', ARTIFACTS))), 'elastic-body')
const bunny = trained.body.mesh
const surface = surfaceOfTets(bunny)

describe.skipIf(!hasChromium)('the page of a soft body', () => {
  const example = examplePage('three-soft-body')

  it('is pressed in by a ball, and springs back', async () => {
    const { page } = example
    const pressed = await after(page, 20)
    expect(pressed.touching).toBeGreaterThan(3)
    expect(deepest(pressed)).toBeLessThan(0.004)
    expect(largestMove(pressed.nodes)).toBeGreaterThan(0.004)

    await page.fill('#depth', '-0.02')
    const left = await after(page, 25)
    expect(left.touching).toBe(0)
    await expectNoOverflow(page)
  })

  it('is pressed in by a soft hand', async () => {
    const { page } = example
    await page.selectOption('#tool', 'hand')
    await page.fill('#depth', '0.03')
    const pressed = await after(page, 25)
    expect(pressed.touching).toBeGreaterThan(3)
    expect(deepest(pressed)).toBeLessThan(0.006)
    expect(largestMove(pressed.nodes)).toBeGreaterThan(0.004)
    expect(await page.textContent('#status')).toMatch(/^\d+ contacts, \d+\.\d\d N$/)
  })
})

interface Pressed {
  nodes: number[]
  /** Of the tool [m]. */
  points: number[]
  touching: number
}

/** What is on show when so many frames more have been simulated. */
async function after(page: Page, frames: number): Promise<Pressed> {
  await page.waitForFunction(() => (window as ShownWindow).threeSoftBody !== undefined)
  const begun = await page.evaluate(() => (window as ShownWindow).threeSoftBody!.press.frames)
  await page.waitForFunction((until) => (window as ShownWindow).threeSoftBody!.press.frames >= until, begun + frames)
  return page.evaluate(() => {
    const { bunny, press } = (window as ShownWindow).threeSoftBody!
    return { nodes: [...bunny.fem.positions], points: [...press.points], touching: press.touching }
  })
}

/** How deep the tool's points are inside the bunny's own triangles, at most [m]. */
function deepest({ nodes, points }: Pressed): number {
  const exact = nodesMeshField(surface, nodes.length / 3, new ExactMeshField(surface))
  exact.update({ nodes: Float64Array.from(nodes) })
  const distances = new Float64Array(points.length / 3)
  exact.query(Float64Array.from(points), distances.length, distances)
  return -Math.min(...distances)
}

/** How far any node is from where it is at rest [m]. */
function largestMove(nodes: number[]): number {
  const moves = nodes.map((value, i) => value - bunny.positions[i])
  let largest = 0
  for (let i = 0; i < moves.length; i += 3) largest = Math.max(largest, Math.hypot(...moves.slice(i, i + 3)))
  return largest
}
