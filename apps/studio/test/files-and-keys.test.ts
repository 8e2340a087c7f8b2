/** What every page does alike, tried in Chromium: files of the wrong kind, keys, camera in the address, lost graphics. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasChromium, studioBrowser } from './studio-browser.js'

/** Degrees about the vertical and above the ground of Field's camera at first. */
const VIEW_OF_FIELD = [27.8, 36.7] as const

const served = (name: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: readFileSync(new URL(`../public/artifacts/${name}`, import.meta.url)),
})

describe.skipIf(!hasChromium)('what pages share', () => {
  const studio = studioBrowser()
  const { byId } = studio

  /** In a small window: drawing is by software here. */
  async function open(hash: string): Promise<void> {
    await studio.resize(940, 520, false)
    await studio.page.goto(`${studio.url}#/${hash}`)
    await studio.shown(hash.split('?')[0])
  }

  it('controls are disabled, and a line says what is waited for, until there is something to control', async () => {
    await studio.resize(940, 520, false)
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await studio.page.route('**/humanoid.glb', async (route) => {
      await held
      await route.continue()
    })
    await studio.page.goto(`${studio.url}#/cloth`)
    await byId('progress').getByText('Fetching').waitFor()
    expect(await byId('play').isDisabled()).toBe(true)
    expect(await byId('clip').isDisabled()).toBe(true)
    release()
    await studio.shown('cloth')
    expect(await byId('play').isDisabled()).toBe(false)
  })

  it('a soft body dropped on Cloth is opened on Haptics by a button, and the picker never names it on Cloth', async () => {
    await open('cloth')
    await byId('open-file').setInputFiles(served('bunny.safetensors'))
    await byId('error-action').getByText('Open it on Haptics').waitFor()
    expect(await byId('object').inputValue()).toBe('humanoid.glb')
    expect(await studio.page.locator('#object option').allTextContents()).toEqual(['Humanoid'])
    await byId('error-action').click()
    await studio.page.waitForFunction(() => (window.pliantHaptics?.frames ?? 0) > 0)
    expect(await studio.page.locator('#object option:checked').textContent()).toBe('bunny.safetensors')
  })

  it('a file that only the worker refuses is never named by the picker', async () => {
    await open('haptics')
    await byId('open-file').setInputFiles(served('bar.safetensors'))
    await byId('error-action').getByText('Open it on Field').waitFor()
    expect(await studio.page.locator('#object option:checked').textContent()).toBe('Stanford bunny')
  })

  it('a plain GLB is looked into, and the command that trains it is told', async () => {
    await open('cloth')
    await byId('open-file').setInputFiles(served('humanoid.glb'))
    await byId('error-details').waitFor()
    expect(await byId('error-details').textContent()).toMatch(
      /^\d+ joints, [\d,]+ triangles, \d+ clips .*npx pliant train humanoid\.glb --out humanoid\.safetensors$/,
    )
  })

  it('arrow keys turn the view, plus and minus zoom, and the address brings the same view back', async () => {
    await open('field')
    await byId('scene').focus()
    await studio.page.keyboard.press('ArrowRight')
    await studio.page.keyboard.press('ArrowUp')
    await studio.page.keyboard.press('+')
    const placeNow = (): Promise<number[]> =>
      studio.page.evaluate(() =>
        (new URLSearchParams(location.hash.split('?')[1]).get('view') ?? '').split(',').map(Number),
      )
    const [azimuth, elevation] = VIEW_OF_FIELD
    await expect.poll(async () => (await placeNow())[0], { timeout: 30_000 }).toBeCloseTo(azimuth + 6, 0)
    await expect.poll(async () => (await placeNow())[1], { timeout: 30_000 }).toBeCloseTo(elevation + 6, 0)
    const [hash, place] = [await studio.page.evaluate(() => location.hash), await placeNow()]
    // What is opened by that address stands where it says: turned there and back, it is written again.
    await open(hash.slice(2))
    await byId('scene').focus()
    await studio.page.keyboard.press('ArrowLeft')
    await expect.poll(async () => (await placeNow())[0], { timeout: 30_000 }).toBeCloseTo(place[0] - 6, 0)
    const again = await placeNow()
    expect(again[1]).toBeCloseTo(place[1], 0)
    expect(again[2]).toBeCloseTo(place[2], 1)
  })

  it('a simulation that stops says so, and begins again', async () => {
    await open('cloth')
    await studio.page.workers()[0].evaluate(() => {
      postMessage({ kind: 'failed', message: 'cloth: torn.', opening: false })
    })
    await byId('error').getByText('cloth: torn. The simulation has stopped.').waitFor()
    await byId('error-action').getByText('Start again').click()
    await byId('error').waitFor({ state: 'hidden' })
    await studio.page.waitForFunction(() => (window.pliantCloth?.frames ?? 0) > 1)
  })

  it('graphics that the browser takes away are waited for, and drawn again', async () => {
    await open('cloth')
    const lose = (back: boolean): Promise<void> =>
      byId('cloth-scene').evaluate((canvas, restore) => {
        const context = (canvas as HTMLCanvasElement).getContext('webgl2')!
        const global = window as unknown as { lost?: WEBGL_lose_context }
        global.lost ??= context.getExtension('WEBGL_lose_context')!
        if (restore) global.lost.restoreContext()
        else global.lost.loseContext()
      }, back)
    await lose(false)
    await byId('graphics-lost').waitFor()
    await lose(true)
    await byId('graphics-lost').waitFor({ state: 'hidden' })
    const frames = await studio.page.evaluate(() => window.pliantCloth!.frames)
    await studio.page.waitForFunction((from) => window.pliantCloth!.frames > from + 2, frames)
  })
})
