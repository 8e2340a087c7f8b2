/** examples/three-cloth: the cape stays outside of the character, and does not without collisions. */
import { describe, expect, it } from 'vitest'
import { shareInside } from './exact-character.js'
import { examplePage, expectNoOverflow, hasChromium } from './example-page.js'

/** What the page leaves on its window. */
interface Shown {
  cloth: { positions: Float64Array }
  mixer: { time: number }
  clip: string
}

describe.skipIf(!hasChromium)('the page of a cape on a character', () => {
  const example = examplePage('three-cloth')

  it('holds the cape outside of the character, as long as it is told to', async () => {
    const { page } = example
    const at = async (seconds: number) => {
      await page.waitForFunction(
        (time) => ((window as { threeCloth?: Shown }).threeCloth?.mixer.time ?? 0) > time,
        seconds,
      )
      return page.evaluate(() => {
        const { cloth, mixer, clip } = (window as { threeCloth?: Shown }).threeCloth!
        return { positions: [...cloth.positions], time: mixer.time, clip }
      })
    }
    const worn = await at(1)
    expect(worn.positions.every(Number.isFinite)).toBe(true)
    expect(await shareInside(worn, 0.005)).toBeLessThan(0.005)

    await page.uncheck('#collide')
    const unchecked = await page.evaluate(() => (window as { threeCloth?: Shown }).threeCloth!.mixer.time)
    const through = await at(unchecked + 0.8)
    expect(await shareInside(through, 0.005)).toBeGreaterThan(0.05)
    expect(await page.textContent('#status')).toMatch(/^\d+ vertices, 0 queries a step$/)
    await expectNoOverflow(page)
  })
})
