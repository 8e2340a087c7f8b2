/** examples/three-character: its balls must stay outside, and what goes wrong must stay on show. */
import { readFileSync } from 'node:fs'
import { embedCollider } from 'pliant/files'
import { describe, expect, it } from 'vitest'
import { exactDistances, type Moment, RIG } from './exact-character.js'
import { ARTIFACTS, examplePage, expectNoOverflow, hasChromium } from './example-page.js'

const collider = new Uint8Array(readFileSync(new URL('humanoid.safetensors', ARTIFACTS)))

/** What the page leaves on its window. */
interface Shown {
  particles: { bounces: number; radius: number; positions: Float32Array }
  mixer: { time: number }
  clip: { name: string }
}

describe.skipIf(!hasChromium)('the page of a three.js character', () => {
  const example = examplePage('three-character')

  it('bounces balls off the character, and off one that carries its collider', async () => {
    const { page } = example
    const bounced = async () => {
      await page.waitForFunction(() => (window as { threeCharacter?: Shown }).threeCharacter!.particles.bounces > 30)
      return page.evaluate(() => {
        const { particles, mixer, clip } = (window as { threeCharacter?: Shown }).threeCharacter!
        const { radius, positions } = particles
        return { radius, positions: [...positions], clip: clip.name, time: mixer.time }
      })
    }
    await page.waitForFunction(() => 'threeCharacter' in window)
    await expectOutside(await bounced())

    await page.evaluate(() => Reflect.deleteProperty(window, 'threeCharacter'))
    await page.setInputFiles('#file', glb('mine.glb', embedCollider(RIG, collider)))
    await page.waitForFunction(() => 'threeCharacter' in window)
    await expectOutside(await bounced())
  })

  it('says why a file cannot be opened for as long as it is so, and goes on', async () => {
    const { page } = example
    await page.waitForFunction(() => 'threeCharacter' in window)
    await page.setInputFiles('#file', glb('bare.glb', RIG))
    await page.waitForFunction(() => document.querySelector('#failure')!.textContent !== '')
    const time = () => page.evaluate(() => (window as { threeCharacter?: Shown }).threeCharacter!.mixer.time)
    const before = await time()
    // Frames are drawn meanwhile, and say how many balls there are.
    await page.waitForFunction(
      (earlier) => (window as { threeCharacter?: Shown }).threeCharacter!.mixer.time > earlier,
      before,
    )
    expect(await page.textContent('#failure')).toMatch(/carries none; put one in with 'pliant export/)
    expect(await page.textContent('#status')).toMatch(/400 balls/)
    await expectNoOverflow(page)

    await page.setInputFiles('#file', glb('mine.glb', embedCollider(RIG, collider)))
    await page.waitForFunction(() => document.querySelector('#failure')!.textContent === '')
  })
})

function glb(name: string, bytes: Uint8Array) {
  return { name, mimeType: 'model/gltf-binary', buffer: Buffer.from(bytes) }
}

async function expectOutside(shown: Moment & { radius: number }): Promise<void> {
  const distances = await exactDistances(shown)
  // Touching balls lie on the learned surface, whose error is less than half of their radius (1.2% of the height); a few
  // may be caught between two limbs, or foot and floor, and have nowhere to go.
  const inside = distances.filter((distance) => distance < 0.5 * shown.radius)
  expect(inside.length).toBeLessThan(0.02 * distances.length)
  expect(Math.min(...distances)).toBeGreaterThan(-2 * shown.radius)
}
