/** Every page on a phone, a tablet and a laptop: nothing overflows, and the scene keeps its share of the screen. */
import { describe, expect, it } from 'vitest'
import { hasChromium, PAGES, studioBrowser } from './studio-browser.js'

/** Screens, and the least share of the screen's area that the 3D scene takes. */
const SCREENS = [
  { width: 390, height: 844, share: 0.4, touch: true },
  { width: 768, height: 1024, share: 0.4, touch: true },
  { width: 1440, height: 900, share: 0.2, touch: false },
] as const

describe.skipIf(!hasChromium)('pages on screens of all sizes', () => {
  const studio = studioBrowser()

  for (const { width, height, share, touch } of SCREENS) {
    it.each(PAGES)(`%s at ${width} x ${height}`, async (name) => {
      await studio.resize(width, height, touch)
      await studio.page.goto(`${studio.url}#/${name}`)
      await studio.shown(name)
      const seen = await studio.page.evaluate(() => {
        const overflows = [...document.querySelectorAll<HTMLElement>('body, main, main *')].filter((element) => {
          const { left, right, width: across } = element.getBoundingClientRect()
          // What scrolls by itself, such as a listing, may hold more than it shows.
          const inScroller = element.closest('pre, dialog, .visually-hidden') !== null
          return across > 1 && !inScroller && (right > innerWidth + 1 || left < -1)
        })
        const scene = document.querySelector('.scene canvas')!.getBoundingClientRect()
        const below = (selector: string): boolean => {
          const other = document.querySelector(selector)?.getBoundingClientRect()
          return (
            !other ||
            other.bottom <= scene.top + 1 ||
            other.top >= scene.bottom - 1 ||
            other.right <= scene.left + 1 ||
            other.left >= scene.right - 1
          )
        }
        return {
          overflows: overflows.map((element) => `${element.tagName}.${element.className}`),
          scrollWidth: Math.max(document.documentElement.scrollWidth, document.querySelector('main')!.scrollWidth),
          sceneShare: (scene.width * Math.min(scene.height, innerHeight - scene.top)) / (innerWidth * innerHeight),
          besideScene: ['.side', '.readouts', '.tour', '.about', '.intro'].every(below),
        }
      })
      expect(seen.overflows).toEqual([])
      expect(seen.scrollWidth).toBeLessThanOrEqual(width)
      expect(seen.sceneShare, 'of the first screen is scene').toBeGreaterThanOrEqual(share)
      expect(seen.besideScene, 'no panel lies over the scene').toBe(true)
      const help = (await studio.byId('help').textContent()) ?? ''
      if (touch) expect(help).toMatch(/finger/)
      else expect(help).not.toMatch(/finger/)
    })
  }
})
