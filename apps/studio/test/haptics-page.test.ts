/** The Haptics page in Chromium: the recorded path plays, both bodies give, and the controls do what they say. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { HapticsState } from '../src/pages/haptics/haptics-state.js'
import { hasChromium, studioBrowser } from './studio-browser.js'

const bodyPath = new URL('../public/artifacts/bunny.safetensors', import.meta.url)
const barPath = new URL('../public/artifacts/bar.safetensors', import.meta.url)

/** Deepest vertex that is allowed, in diagonals of the body. */
const DEEPEST = 0.02

// The trained bunny is the page's body; without it there is nothing to touch.
describe.skipIf(!hasChromium || !existsSync(bodyPath))('the Haptics page', () => {
  const studio = studioBrowser()
  const { byId } = studio

  const state = (): Promise<HapticsState> => studio.page.evaluate(() => window.pliantHaptics as HapticsState)

  /** In a small window: drawing is by software here. */
  async function open(parameters: string): Promise<HapticsState> {
    await studio.page.setViewportSize({ width: 940, height: 520 })
    await studio.page.goto(`${studio.url}#/haptics?${parameters}`)
    return after(1)
  }

  /** The state once so many more frames were shown. */
  async function after(frames: number): Promise<HapticsState> {
    const from = await studio.page.evaluate(() => window.pliantHaptics?.frames ?? 0)
    await studio.page.waitForFunction((until) => (window.pliantHaptics?.frames ?? 0) >= until, from + frames)
    return state()
  }

  it.each(['learned', 'exact'])(
    'plays the recorded path by the %s field: contacts, nothing deep, nothing lost',
    {
      timeout: 300_000,
    },
    async (field) => {
      const first = await open(`path=press&field=${field}`)
      expect(first).toMatchObject({ field, playing: true })
      expect(first.pathTime).not.toBeNull()
      expect(await byId('path').textContent()).toBe('Stop recorded path')
      await studio.page.waitForFunction(() => window.pliantHaptics?.pathsPlayed === 1, undefined, { timeout: 240_000 })
      const last = await state()
      expect(last.mostContacts).toBeGreaterThan(4)
      expect(last.strongestForce).toBeGreaterThan(0.2)
      expect(last.worstPenetration!.toolInBody, 'hand in the exact body').toBeLessThan(DEEPEST)
      expect(last.worstPenetration!.bodyInTool, 'body in the exact hand').toBeLessThan(DEEPEST)
      expect([...last.bodyVertices, ...last.toolVertices, ...last.force].every(Number.isFinite)).toBe(true)
      const { figures } = last
      expect(figures.frames).toBeGreaterThan(20)
      expect(figures.parts.body).toBeGreaterThan(0)
      expect(figures.parts.queries).toBeGreaterThan(0)
      expect(await byId('frame-total').textContent()).toMatch(/^\d+\.\d\d\u202fms$/)
      expect(await byId('frame-drawing').textContent()).toMatch(/^\d+\.\d\d\u202fms$/)
      expect(await byId('frame-worst').textContent()).toMatch(/^\d\.\d\d\u202f%$/)
      expect(await byId('force').textContent()).toMatch(/^\d+\.\d\d\u202fN$/)
      expect(await byId('path').textContent()).toBe('Play recorded path')
      console.log(
        `${field}: all but drawing ${figures.total.toFixed(2)} ms (median), drawing ${figures.drawing.toFixed(2)} ms; ` +
          Object.entries(figures.parts)
            .map(([part, ms]) => `${part} ${ms.toFixed(2)}`)
            .join(', '),
      )
    },
  )

  it('the hand follows mouse, wheel and keys', async () => {
    await open('field=exact')
    const { x, y, width, height } = (await byId('haptics-scene').boundingBox())!
    const moveTo = (across: number, up: number): Promise<void> =>
      studio.page.mouse.move(x + across * width, y + (1 - up) * height, { steps: 4 })
    await moveTo(0.3, 0.8)
    const left = await after(12)
    await moveTo(0.6, 0.8)
    const right = await after(12)
    expect(right.hand.position[0]).toBeGreaterThan(left.hand.position[0] + 0.02)
    await studio.page.mouse.wheel(0, -400)
    const away = await after(8)
    expect(away.hand.position[2], 'the wheel pushes away').toBeLessThan(right.hand.position[2] - 0.005)
    await byId('haptics-scene').focus()
    await studio.page.keyboard.down('ArrowUp')
    await after(4)
    await studio.page.keyboard.up('ArrowUp')
    const up = await after(6)
    expect(up.hand.position[1]).toBeGreaterThan(away.hand.position[1] + 0.005)
  })

  it('the right button turns the view, and the hand stays', async () => {
    await open('field=exact')
    const before = await after(6)
    const { x, y, width, height } = (await byId('haptics-scene').boundingBox())!
    await studio.page.mouse.move(x + width / 2, y + height / 2)
    await after(8)
    const placed = await state()
    await studio.page.mouse.down({ button: 'right' })
    await studio.page.mouse.move(x + width / 2 + 120, y + height / 2, { steps: 4 })
    await studio.page.mouse.up({ button: 'right' })
    const turned = await after(2)
    expect(before.frames).toBeLessThan(turned.frames)
    for (let axis = 0; axis < 3; axis++) {
      expect(turned.hand.position[axis]).toBeCloseTo(placed.hand.position[axis], 2)
    }
  })

  it('pause, reset, stiffness, friction and field do what they say', async () => {
    await open('path=press')
    await after(6)
    await byId('pause').click()
    await studio.page.waitForFunction(() => window.pliantHaptics?.playing === false)
    await studio.page.waitForTimeout(400)
    const paused = await state()
    await studio.page.waitForTimeout(300)
    expect((await state()).bodyVertices).toEqual(paused.bodyVertices)
    await byId('reset').click()
    const fresh = await after(1)
    expect(fresh.time).toBeLessThan(paused.time)
    expect(fresh.playing).toBe(true)
    await byId('stiffness').fill('3')
    expect(await byId('stiffness-value').textContent()).toMatch(/kPa$/)
    await byId('friction').fill('0.8')
    await byId('field-exact').check({ force: true })
    await studio.page.waitForFunction(() => window.pliantHaptics?.field === 'exact')
    const exact = await state()
    expect(exact.settings).toEqual({ field: 'exact', stiffness: 8, friction: 0.8 })
    expect(exact.ownError).toBeNull()
    await studio.page.waitForFunction(() => location.hash.includes('field=exact'))
  })

  it('says in one line why a file cannot be touched, and goes on', async () => {
    await open('')
    await byId('open-file').setInputFiles({
      name: 'bar.safetensors',
      mimeType: 'application/octet-stream',
      buffer: readFileSync(barPath),
    })
    await byId('error').waitFor()
    expect(await byId('error').textContent()).toMatch(/^haptics: bar\.safetensors has no tetrahedra to simulate; /)
    expect((await after(2)).playing).toBe(true)
    expect(await byId('object').inputValue()).toBe('bunny.safetensors')
  })
})
