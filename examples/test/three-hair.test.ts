/** examples/three-hair: strands fall over head and shoulders, and through them without collisions. */
import { describe, expect, it } from 'vitest'
import { shareInside } from './exact-character.js'
import { examplePage, expectNoOverflow, hasChromium } from './example-page.js'

/** What the page leaves on its window. */
interface Shown {
  strands: { positions: Float32Array; points: number; segment: number }
  mixer: { time: number }
  clip: string
}

describe.skipIf(!hasChromium)('the page of hair on a character', () => {
  const example = examplePage('three-hair')

  it('keeps strands outside of the character and at their length, and lets them through where told to', async () => {
    const { page } = example
    const at = async (seconds: number) => {
      await page.waitForFunction(
        (time) => ((window as { threeHair?: Shown }).threeHair?.mixer.time ?? 0) > time,
        seconds,
      )
      return page.evaluate(() => {
        const { strands, mixer, clip } = (window as { threeHair?: Shown }).threeHair!
        const { positions, points, segment } = strands
        return { positions: [...positions], points, segment, time: mixer.time, clip }
      })
    }
    const fallen = await at(1)
    expect(await shareInside(fallen, 0.005)).toBeLessThan(0.005)
    expect(longest(fallen)).toBeLessThan(1.3 * fallen.segment)

    await page.uncheck('#collide')
    const unchecked = await page.evaluate(() => (window as { threeHair?: Shown }).threeHair!.mixer.time)
    const through = await at(unchecked + 0.6)
    expect(await shareInside(through, 0.005)).toBeGreaterThan(0.1)
    await expectNoOverflow(page)
  })
})

/** Longest way between two points of a strand that follow each other [m], but for what a single push has just done. */
function longest({ positions, points }: { positions: number[]; points: number }): number {
  const lengths: number[] = []
  for (let i = 0; i + 1 < positions.length / 3; i++) {
    if ((i + 1) % points === 0) continue
    lengths.push(Math.hypot(...[0, 1, 2].map((axis) => positions[3 * i + 3 + axis] - positions[3 * i + axis])))
  }
  return lengths.sort((a, b) => a - b)[Math.trunc(0.99 * lengths.length)]
}
