/** The Self-contact page in Chromium: pulled by mouse and finger, kept apart or not, the slice beside it, rounds replayed. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ContactState } from '../src/pages/self-contact/contact-state.js'
import { hasChromium, studioBrowser } from './studio-browser.js'

const served = (name: string): URL => new URL(`../public/artifacts/${name}`, import.meta.url)
const fileOf = (name: string) => ({ name, mimeType: 'application/octet-stream', buffer: readFileSync(served(name)) })

/** Simulated time in which the script, left alone, has pulled the body's ends through each other [s]. */
const ENOUGH = 2.2

describe.skipIf(!hasChromium || !existsSync(served('bracelet.safetensors')))('the Self-contact page', () => {
  const studio = studioBrowser()
  const { byId } = studio

  const state = (): Promise<ContactState> => studio.page.evaluate(() => window.pliantSelfContact as ContactState)

  /** In a small window: drawing is by software here. */
  async function open(parameters: string): Promise<ContactState> {
    await studio.page.setViewportSize({ width: 940, height: 520 })
    await studio.page.goto(`${studio.url}#/self-contact?${parameters}`)
    return after(1)
  }

  /** The state once so many more frames were shown. */
  async function after(frames: number): Promise<ContactState> {
    const from = await studio.page.evaluate(() => window.pliantSelfContact?.frames ?? 0)
    await studio.page.waitForFunction((until) => (window.pliantSelfContact?.frames ?? 0) >= until, from + frames)
    return state()
  }

  it('opens what the address says, and tells what it shows', async () => {
    const first = await open('keep=hybrid&across=3&up=1')
    expect(first).toMatchObject({ body: 'bracelet', keep: 'hybrid', playing: true })
    expect(first.settings).toEqual({ keep: 'hybrid', pull: 'hand', across: 3, up: 1 })
    await studio.page.waitForFunction(() => window.pliantSelfContact?.slice)
    const { slice, looks } = await after(6)
    expect(slice!.axes).toEqual([2, 0])
    expect(slice!.agreeing, 'learned and exact boundary agree').toBeGreaterThan(0.95)
    expect(looks).toBeGreaterThan(0)
    expect(await byId('learned-distance').textContent()).toMatch(/^\d\.\d+ \(free\)$/)
    expect(await byId('exact-touching').textContent()).toBe('no')
    expect(await byId('learned-time').textContent()).toMatch(/^[\d.]+\u202f\u00b5s$/)
    expect(await byId('exact-time').textContent()).toMatch(/^[\d.]+\u202f\u00b5s$/)
    expect(await byId('real-time').textContent()).toMatch(/^[\d.]+\u202f\u00d7$/)
    expect(await byId('quality').textContent()).toMatch(/Sign right\s*9\d\.\d\d/)
    expect(await byId('object-facts').textContent()).toMatch(/^3 modes, 1,\d{3} triangles, /)
  })

  it('a drag on the body pulls it, and the dot goes with the code; a drag elsewhere turns the view', async () => {
    await open('')
    const before = await after(30)
    const [x, y] = before.grip
    await studio.page.mouse.move(x, y)
    await studio.page.mouse.down()
    await studio.page.mouse.move(x + 130, y - 110, { steps: 5 })
    const pulled = await after(20)
    expect(pulled.pulls).toHaveLength(6)
    const way = Math.hypot(...[0, 1, 2].map((axis) => pulled.code[axis] - before.code[axis]))
    expect(way, 'of the code').toBeGreaterThan(0.03)
    expect(pulled.dot).toEqual(pulled.code.slice(0, 2))
    await studio.page.mouse.up()
    expect((await after(3)).pulls).toEqual([])
    // A view that was turned is soon written into the address.
    await studio.page.waitForTimeout(800)
    expect(await studio.page.evaluate(() => location.hash), 'a pull turns no view').not.toContain('view=')
    const { x: left, y: top } = (await byId('contact-scene').boundingBox())!
    await studio.page.mouse.move(left + 20, top + 20)
    await studio.page.mouse.down()
    await studio.page.mouse.move(left + 120, top + 20, { steps: 4 })
    expect((await after(3)).pulls).toEqual([])
    await studio.page.mouse.up()
    await studio.page.waitForFunction(() => location.hash.includes('view='))
  })

  it('the space bar takes hold, arrow keys pull, and turn the view once it has let go', async () => {
    await open('')
    await after(6)
    await byId('contact-scene').focus()
    await studio.page.keyboard.press(' ')
    for (let n = 0; n < 6; n++) await studio.page.keyboard.press('ArrowUp')
    const { pulls } = await after(4)
    expect(pulls).toHaveLength(6)
    expect(pulls[4], 'pulled upwards').toBeGreaterThan(pulls[1])
    await studio.page.waitForTimeout(800)
    expect(await studio.page.evaluate(() => location.hash)).not.toContain('view=')
    await studio.page.keyboard.press(' ')
    expect((await after(3)).pulls).toEqual([])
    await studio.page.keyboard.press('ArrowLeft')
    await studio.page.waitForFunction(() => location.hash.includes('view='))
  })

  it('a finger on the body pulls it, and the page stays where it is', async () => {
    await studio.resize(390, 844, true)
    await studio.page.goto(`${studio.url}#/self-contact`)
    const { grip } = await after(12)
    const [x, y] = grip
    const touch = await studio.page.context().newCDPSession(studio.page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints })
    await send('touchStart', [{ x, y }])
    for (const share of [0.3, 0.6, 1]) await send('touchMove', [{ x: x - 60 * share, y: y - 90 * share }])
    const pulled = await after(6)
    expect(pulled.pulls).toHaveLength(6)
    expect(await studio.page.evaluate(() => document.querySelector('main')!.scrollTop)).toBe(0)
    await send('touchEnd', [])
    expect((await after(3)).pulls).toEqual([])
  })

  it.each([
    ['nothing', true],
    ['learned', false],
  ] as const)('pulled by itself and kept apart by %s, it passes through itself: %s', async (keep, passes) => {
    await open(`keep=${keep}&pull=script`)
    expect(await byId('script').textContent()).toBe('Stop pulling')
    await studio.page.waitForFunction((time) => (window.pliantSelfContact?.time ?? 0) > time, ENOUGH)
    const { touchingLooks, looks, meeting, touching } = await state()
    expect(looks).toBeGreaterThan(10)
    if (passes) expect(touchingLooks).toBeGreaterThan(2)
    else expect(touchingLooks).toBe(0)
    expect(meeting > 0, 'what meets is tinted').toBe(touching)
    expect(await byId('touching-looks').textContent()).toMatch(/^\d+ of \d+$/)
  })

  it('the slice follows the body, becomes exact at rest, and turns to other axes', async () => {
    await open('pull=script')
    await studio.page.waitForFunction(() => (window.pliantSelfContact?.slice?.shown ?? 0) > 3)
    const first = (await state()).slice!
    await studio.page.waitForFunction(
      (height) => Math.abs(window.pliantSelfContact!.slice!.code[2] - height) > 0.1,
      first.code[2],
    )
    await byId('pause').click()
    const colour = () => byId('pause').evaluate((button) => getComputedStyle(button).backgroundColor)
    await expect.poll(colour, { message: 'pressed, also under the mouse: else dark on dark' }).toBe('rgb(242, 160, 84)')
    await studio.page.waitForFunction(() => window.pliantSelfContact?.slice?.level === 'full')
    const rested = await state()
    expect(rested.slice!.code[2], 'made at the code on show').toBeCloseTo(rested.code[2], 1)
    expect(rested.slice!.tests).toBeGreaterThanOrEqual(97 * 97)
    await byId('across').selectOption('3')
    await studio.page.waitForFunction(() => window.pliantSelfContact?.slice?.axes[0] === 2)
    const turned = await state()
    expect(turned.dot).toEqual([turned.code[2], turned.code[1]])
    // Both axes would show one mode: the other takes over.
    await byId('up').selectOption('3')
    await studio.page.waitForFunction(() => window.pliantSelfContact?.slice?.axes[1] === 2)
    expect((await state()).slice!.axes).toEqual([1, 2])
    await studio.page.waitForFunction(() => /across=2&up=3/.test(location.hash))
  })

  it('rounds of learning are replayed in their order, to the last', async () => {
    await open('')
    const last = Number(await byId('rounds').getAttribute('max'))
    expect(last).toBeGreaterThan(2)
    expect((await state()).round).toBe(0)
    await byId('rounds').fill('2')
    expect((await state()).round).toBe(2)
    expect(await byId('rounds-value').textContent()).toMatch(
      /^2 of \d+: [\d,]+ samples, [\d,]+ new, [\d,]+ of them touching$/,
    )
    await byId('rounds-play').click()
    expect((await state()).round).toBeGreaterThan(2)
    await studio.page.waitForFunction((round) => window.pliantSelfContact?.round === round, last)
    expect(await byId('rounds-play').textContent()).toBe('Replay')
  })

  it('reset begins again, and what keeps it apart is in the address', async () => {
    await open('pull=script')
    await after(20)
    const before = await state()
    await byId('reset').click()
    await studio.page.waitForFunction((time) => window.pliantSelfContact!.time < time, before.time)
    await byId('keep-hybrid').check({ force: true })
    await studio.page.waitForFunction(() => window.pliantSelfContact?.keep === 'hybrid')
    await studio.page.waitForFunction(() => /body=bracelet\.safetensors&keep=hybrid&pull=script/.test(location.hash))
  })

  it('sends a file of another kind to its page, and is sent its own', async () => {
    await open('')
    await byId('open-file').setInputFiles(fileOf('bunny.safetensors'))
    await byId('error-action').getByText('Open it on Haptics').waitFor()
    expect(await byId('error').textContent()).toMatch(/^self-contact: bunny\.safetensors does not tell self-contact; /)
    expect(await byId('object').inputValue()).toBe('bracelet.safetensors')
    await studio.page.goto(`${studio.url}#/field`)
    await studio.shown('field')
    await byId('open-file').setInputFiles(fileOf('bracelet.safetensors'))
    await byId('error-action').getByText('Open it on Self-contact').click()
    await studio.page.waitForFunction(() => (window.pliantSelfContact?.frames ?? 0) > 0)
    expect(await studio.page.locator('#object option:checked').textContent()).toBe('bracelet.safetensors')
  })
})
