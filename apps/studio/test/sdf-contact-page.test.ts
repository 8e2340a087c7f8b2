/** The SDF contact page in Chromium: bodies come to rest, are dragged, overlap when they are told to, and may be one's own. */
import { describe, expect, it } from 'vitest'
import type { PileState } from '../src/pages/sdf-contact/pile-state.js'
import { hasChromium, studioBrowser } from './studio-browser.js'

describe.skipIf(!hasChromium)('the SDF contact page', () => {
  const studio = studioBrowser()
  const { byId } = studio

  const state = (): Promise<PileState> => studio.page.evaluate(() => window.pliantSdfContact as PileState)

  /** In a small window: drawing is by software here. */
  async function open(parameters: string): Promise<PileState> {
    await studio.page.setViewportSize({ width: 1100, height: 440 })
    await studio.page.goto(`${studio.url}#/sdf-contact?${parameters}`)
    return after(1)
  }

  /** The state once so many more frames were shown. */
  async function after(frames: number): Promise<PileState> {
    const from = await studio.page.evaluate(() => window.pliantSdfContact?.frames ?? 0)
    await studio.page.waitForFunction((until) => (window.pliantSdfContact?.frames ?? 0) >= until, from + frames)
    return state()
  }

  /** The state once so much time was simulated [s]. */
  async function afterTime(seconds: number): Promise<PileState> {
    await studio.page.waitForFunction((until) => (window.pliantSdfContact?.time ?? 0) >= until, seconds)
    return state()
  }

  const place = ({ poses }: PileState, body: number): number[] => [...poses.slice(16 * body + 12, 16 * body + 15)]

  it('drops what the address says, which comes to rest, and shows what touches and pushes', async () => {
    const first = await open('kinds=bunny,heart,torus&count=3&seed=4&marks=forces&friction=0.7')
    expect(first.bodies).toEqual(['bunny', 'heart', 'torus'])
    expect(first.settings).toMatchObject({ seed: 4, marks: 'forces', friction: 0.7, scans: 'voxels' })
    const rested = await afterTime(2.5)
    expect(rested.energy.kinetic).toBeLessThan(0.1)
    expect(rested.energy.total).toBeLessThan(0.6 * first.energy.total)
    expect(rested.contacts.pushing).toBeGreaterThan(5)
    expect(rested.contacts.deepest).toBeLessThan(2e-3)
    expect(rested.drawn.dots).toBe(rested.contacts.count)
    expect(rested.drawn.arrows).toBeGreaterThan(2)
    for (const part of ['broad', 'contacts', 'solver', 'total', 'drawing']) {
      expect(await byId(`frame-${part}`).textContent()).toMatch(/^\d+\.\d\d\u202fms$/)
    }
    expect(await byId('contacts').textContent()).toMatch(/^\d+$/)
    expect(await byId('deepest').textContent()).toMatch(/^[\d.e-]+\u202fmm$/)
    expect(await byId('total').textContent()).toMatch(/^[\d.]+\u202fJ$/)
    expect(rested.figures.parts.contacts).toBeGreaterThan(0)
    const told = await byId('energy-plot').getAttribute('aria-label')
    expect(told).toMatch(/^Energy with height over the floor over 6 seconds; now [\d.]+ joules$/)
  })

  it('pauses, steps, drops anew, and takes other bodies and marks', async () => {
    await open('kinds=ball&count=2')
    await byId('pause').click()
    await studio.page.waitForFunction(() => window.pliantSdfContact?.settings.run === 'off')
    const paused = await after(3)
    expect((await after(3)).poses).toEqual(paused.poses)
    await byId('step').click()
    await studio.page.waitForFunction((time) => (window.pliantSdfContact?.time ?? 0) > time, paused.time)
    expect((await after(2)).time).toBeCloseTo(paused.time + 1 / 60, 6)
    await byId('reset').click()
    await studio.page.waitForFunction(() => window.pliantSdfContact?.settings.run === 'on')
    await byId('kind-nut').click()
    await studio.page.waitForFunction(() => window.pliantSdfContact?.bodies.join() === 'ball,nut')
    await byId('kind-ball').click()
    await studio.page.waitForFunction(() => window.pliantSdfContact?.bodies.join() === 'nut,nut')
    await byId('kind-nut').click()
    expect(await byId('kind-nut').getAttribute('aria-pressed'), 'something has to fall').toBe('true')
    await byId('count').fill('4')
    await studio.page.waitForFunction(() => window.pliantSdfContact?.bodies.length === 4)
    await afterTime(1)
    expect((await state()).drawn.dots).toBeGreaterThan(0)
    await byId('marks-nothing').check({ force: true })
    await studio.page.waitForFunction(() => window.pliantSdfContact?.drawn.dots === 0)
    await studio.page.waitForFunction(() => location.hash.includes('kinds=nut') && location.hash.includes('count=4'))
  })

  it('a body is dragged by the mouse and falls again; elsewhere the view is turned', async () => {
    await open('kinds=ball&count=1')
    const before = await afterTime(1.2)
    const [x, y] = before.grip
    await studio.page.mouse.move(x, y)
    await studio.page.mouse.down()
    await studio.page.mouse.move(x, y - 90, { steps: 4 })
    await studio.page.waitForFunction(
      (height) => window.pliantSdfContact!.poses[13] > height + 0.1,
      place(before, 0)[1],
    )
    expect((await state()).pull).toHaveLength(6)
    await studio.page.mouse.up()
    await studio.page.waitForFunction(
      (height) => window.pliantSdfContact!.poses[13] < height + 0.05,
      place(before, 0)[1],
    )
    expect((await state()).pull).toHaveLength(0)
    expect(await studio.page.evaluate(() => location.hash), 'a drag turns no view').not.toContain('view=')
    await byId('sdf-contact-scene').focus()
    await studio.page.keyboard.press(' ')
    for (let n = 0; n < 4; n++) await studio.page.keyboard.press('ArrowUp')
    await studio.page.waitForFunction(
      (height) => window.pliantSdfContact!.poses[13] > height + 0.05,
      place(before, 0)[1],
    )
    await studio.page.keyboard.press(' ')
    await studio.page.keyboard.press('ArrowLeft')
    await studio.page.waitForFunction(() => location.hash.includes('view='))
  })

  it('while time stands still one body goes into another, and octree cells tell by how much', async () => {
    // From above, so that a drag is level.
    await open('kinds=ball&count=2&cells=on&view=0,89,2.6')
    await afterTime(1.2)
    await byId('pause').click()
    const still = await after(3)
    const [x, y] = still.grip
    const middle = (now: PileState): number[] => [0, 1].map((body) => place(now, body)[0])
    await studio.page.mouse.move(x, y)
    await studio.page.mouse.down()
    await studio.page.mouse.move(x + 20, y, { steps: 2 })
    const tried = await after(4)
    const held = [0, 1].findIndex((body) => place(tried, body)[0] !== place(still, body)[0])
    const metres = (place(tried, held)[0] - place(still, held)[0]) / 20
    // Half a diameter beside the other.
    const [dx, dz] = [0, 2].map((k) => place(still, 1 - held)[k] - place(still, held)[k])
    await studio.page.mouse.move(x + (dx - 0.16) / metres, y + dz / metres, { steps: 6 })
    await studio.page.waitForFunction(() => (window.pliantSdfContact?.drawn.inside ?? 0) > 10)
    const now = await after(12)
    await studio.page.mouse.up()
    expect(Math.abs(middle(now)[0] - middle(now)[1]), 'in each other').toBeLessThan(0.25)
    expect(now.contacts.deepest).toBeGreaterThan(0.05)
    expect([...now.overlap!.bodies].sort()).toEqual([0, 1])
    expect(now.overlap!.volume[0]).toBeGreaterThan(1e-4)
    expect(now.overlap!.volume[1]).toBeGreaterThan(now.overlap!.volume[0])
    expect(now.drawn.border).toBeGreaterThan(10)
    expect(await byId('overlap-volume').textContent()).toMatch(/^[\d,.e]+ to [\d,.e]+\u202fcm\u00b3$/)
    await byId('cells').uncheck()
    await studio.page.waitForFunction(() => window.pliantSdfContact?.drawn.inside === 0)
  })

  it('shows bodies in the boxes of their parts, and those of a body that is added', async () => {
    await open('kinds=mug&count=2&boxes=on')
    await studio.page.waitForFunction(() => (window.pliantSdfContact?.drawn.boxes ?? 0) > 4)
    const two = (await state()).drawn.boxes
    expect(two % 2, 'both are cut alike').toBe(0)
    await byId('kind-torus').click()
    await studio.page.waitForFunction(() => window.pliantSdfContact?.bodies.join() === 'mug,torus')
    await studio.page.waitForFunction((least) => (window.pliantSdfContact?.drawn.boxes ?? 0) > least, two / 2)
    await byId('boxes').uncheck()
    await studio.page.waitForFunction(() => window.pliantSdfContact?.drawn.boxes === 0)
    await studio.page.waitForFunction(() => location.hash.includes('boxes=off'))
    await byId('boxes').check()
    await studio.page.waitForFunction((least) => (window.pliantSdfContact?.drawn.boxes ?? 0) > least, two / 2)
  })

  it('a body written as JSON falls; one that is none gives one line, and the pile goes on', async () => {
    await open('kinds=box&count=2')
    const text = byId('own-shape')
    await text.fill('{ "shape": "sphere", "radius": ')
    await byId('drop-shape').click()
    expect(await byId('shape-problem').textContent()).toMatch(/^shape: this is no JSON \(.*\); mind commas/)
    await text.fill(`{ "shape": "repeated", "spacing": [1, 1, 1], "counts": [9, 9, 9], "of": {
      "shape": "repeated", "spacing": [0.1, 0.1, 0.1], "counts": [9, 9, 9], "of": {
        "shape": "repeated", "spacing": [0.01, 0.01, 0.01], "counts": [9, 9, 9], "of": { "shape": "<b>x</b>" } } } }`)
    await byId('drop-shape').click()
    expect(await byId('shape-problem').textContent()).toMatch(/^shape: a distance asks 585 shapes; /)
    // It reads as a shape, and has none of its own: that is known in the worker alone.
    await text.fill('{ "shape": "box", "half": [0.2, 1e-8, 0.2] }')
    await byId('drop-shape').click()
    await byId('shape-problem').getByText('shape: no surface is found in it').waitFor()
    expect((await after(2)).bodies).toEqual(['yours', 'box'])
    await text.fill('{ "shape": "capsule", "from": [-0.2, 0, 0], "to": [0.2, 0, 0], "radius": 0.06 }')
    await byId('drop-shape').click()
    await studio.page.waitForFunction(() => window.pliantSdfContact?.problem === null)
    expect(await byId('shape-problem').textContent()).toBe('')
    await studio.page.waitForFunction(() => decodeURIComponent(location.hash).includes('capsule'))
    await byId('open-file').setInputFiles({
      ...{ name: 'egg.json', mimeType: 'application/json' },
      buffer: Buffer.from('{ "shape": "ellipsoid", "radii": [0.1, 0.16, 0.1] }'),
    })
    await studio.page.waitForFunction(() => window.pliantSdfContact?.bodies.join().startsWith('yours,yours'))
    expect(await text.inputValue()).toContain('ellipsoid')
  })
})
