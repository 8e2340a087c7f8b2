/** The landing page in Chromium: it moves, its collision switches by itself, and it leads to everything else. */
import { describe, expect, it } from 'vitest'
import type { HomeState } from '../src/pages/home/home-state.js'
import { hasChromium, PAGES, studioBrowser } from './studio-browser.js'

describe.skipIf(!hasChromium)('the Home page', () => {
  const studio = studioBrowser()
  const { byId } = studio
  const state = (): Promise<HomeState> => studio.page.evaluate(() => window.pliantHome as HomeState)

  /** In a small window: drawing is by software here. */
  async function open(): Promise<void> {
    await studio.resize(700, 500, false)
    await studio.page.goto(studio.url)
    await studio.page.waitForFunction(() => (window.pliantHome?.frames ?? 0) > 2)
  }

  it('is where the studio begins; it moves, and goes from learned to no collision to the exact one by itself', async () => {
    await open()
    const first = await state()
    expect(first).toMatchObject({ collision: 'learned', touring: true })
    await studio.page.waitForFunction((time) => window.pliantHome!.time !== time, first.time)
    for (const [collision, title] of [
      ['none', 'No collision'],
      ['exact', 'Exact collision'],
    ]) {
      await studio.page.waitForFunction((wanted) => window.pliantHome?.collision === wanted, collision)
      await byId('tour-title').getByText(title).waitFor()
      await studio.page.waitForFunction(() => window.pliantHome?.penetration)
      expect(await byId('tour-depth').textContent()).toMatch(/^\d+\.\d\u202fcm$/)
      expect(await byId('tour-time').textContent()).toMatch(/^\d+\.\d\u202fms$/)
    }
  })

  it('stays with what somebody chooses, and can be paused', async () => {
    await open()
    await byId('tour-none').click()
    await studio.page.waitForFunction(() => window.pliantHome?.collision === 'none')
    expect(await state()).toMatchObject({ touring: false })
    await byId('tour-play').click()
    expect(await state()).toMatchObject({ playing: false })
  })

  it('links to every page, to the documentation and to code that can be copied', async () => {
    await open()
    for (const name of PAGES.filter((page) => page !== 'home')) {
      expect(await byId(`to-${name}`).getAttribute('href')).toBe(`#/${name}`)
    }
    expect(await studio.page.locator('.in-your-code').getByTestId('copy-code').isVisible()).toBe(true)
    expect(await studio.page.locator('.in-your-code pre').textContent()).toContain("from 'pliant/three'")
    await byId('docs-link').click()
    await studio.page.getByRole('heading', { level: 1, name: 'Pliant' }).waitFor()
  })
})
