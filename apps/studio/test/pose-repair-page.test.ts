/** The Pose repair page in Chromium: posed by slider, mouse and finger, repaired by the button, kept repaired, a motion played. */
import { readFileSync } from 'node:fs'
import { readNpy } from 'pliant/files'
import { describe, expect, it } from 'vitest'
import type { PoseState } from '../src/pages/pose-repair/pose-state.js'
import { hasChromium, studioBrowser } from './studio-browser.js'

const fileOf = (name: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: readFileSync(new URL(`../public/artifacts/${name}`, import.meta.url)),
})

describe.skipIf(!hasChromium)('the Pose repair page', () => {
  const studio = studioBrowser()
  const { byId } = studio

  const state = (): Promise<PoseState> => studio.page.evaluate(() => window.pliantPoseRepair as PoseState)

  /** In a window just wide enough for controls and scene side by side: drawing is by software here. */
  async function open(parameters: string): Promise<PoseState> {
    await studio.page.setViewportSize({ width: 1110, height: 480 })
    await studio.page.goto(`${studio.url}#/pose-repair?${parameters}`)
    return after(1)
  }

  /** The state once so many more frames were shown. */
  async function after(frames: number): Promise<PoseState> {
    const from = await studio.page.evaluate(() => window.pliantPoseRepair?.frames ?? 0)
    await studio.page.waitForFunction((until) => (window.pliantPoseRepair?.frames ?? 0) >= until, from + frames)
    return state()
  }

  /** Turns an arm into the body by its slider. */
  async function armIn(): Promise<void> {
    await byId('group').selectOption('LeftUpperArm')
    await byId('code-turn z').fill(String(await byId('code-turn z').getAttribute('min')))
  }

  it('opens with a pose that meets itself, says so, and Repair frees it by the exact test', async () => {
    const first = await open('')
    expect(first).toMatchObject({ body: 'humanoid', keep: 'off' })
    expect(first.after.touching).toBe(true)
    expect(first.after.lit).toBeGreaterThan(2)
    expect(await byId('verdict').textContent()).toMatch(/^Touches itself: \d+ pairs of triangles meet$/)
    expect(await byId('exact-after').textContent()).toBe('yes')
    await byId('repair').click()
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.repair)
    const repaired = await after(2)
    expect(repaired.repair).toMatchObject({ free: true, wasFree: false })
    expect(repaired.before.touching).toBe(true)
    expect(repaired.after).toMatchObject({ touching: false, pairs: 0, lines: 0 })
    expect(await byId('verdict').textContent()).toBe('Free of self-contact, exactly')
    expect(await byId('exact-before').textContent()).toBe('yes')
    expect(await byId('exact-after').textContent()).toBe('no')
    expect(await byId('clearance-before').textContent()).toMatch(/^\u2212[\d.]+\u202fmm$/)
    expect(await byId('repaired').textContent()).toMatch(/^free, exactly; \d+ tests?, [\d.]+\u202fms$/)
    expect(Number(await byId('moved').textContent())).toBeGreaterThan(0)
    await byId('show-before').check({ force: true })
    await byId('verdict').getByText('Touches itself').waitFor()
  })

  it('a slider turns an arm into the body: the page marks what meets, and the address brings it back', async () => {
    const rest = await open('code=rest')
    expect(rest.after).toMatchObject({ touching: false, lines: 0 })
    await armIn()
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.after.touching)
    const { after: look } = await state()
    expect(look.distance).toBeLessThan(0)
    expect(look.pairs).toBeGreaterThan(20)
    expect(look.lines).toBe(look.pairs)
    expect(await byId('code-turn z-value').textContent()).toMatch(/^\u2212\d+\u00b0$/)
    await studio.page.waitForFunction(() => /code=,,.*-0\.35/.test(location.hash))
    const hash = await studio.page.evaluate(() => location.hash)
    await studio.page.goto('about:blank')
    await studio.page.goto(`${studio.url}${hash}`)
    expect((await after(1)).after.pairs).toBe(look.pairs)
  })

  it('kept repaired, a slider and a drag into the body leave it free', async () => {
    // From the front, so that a hand is pulled straight into the body.
    await open('code=rest&view=0,0,1.3')
    await byId('keep').click()
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.keep === 'on')
    await armIn()
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.before.touching && window.pliantPoseRepair.still)
    expect((await state()).after.touching).toBe(false)
    await byId('rest').click()
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.before.touching === false)
    const { grips } = await after(2)
    await studio.page.mouse.move(...place(grips, 'RightHand'))
    await studio.page.mouse.down()
    await studio.page.mouse.move(...place(grips, 'Spine'), { steps: 4 })
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.before.touching)
    await studio.page.mouse.up()
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.still)
    expect((await state()).after.touching).toBe(false)
    expect(await byId('keep-time').textContent()).toMatch(/^[\d.]+\u202fms$/)
  })

  it('a drag moves the grabbed vertex to the pointer and brings up its joint; elsewhere it turns the view', async () => {
    const { grips } = await open('code=rest')
    const [x, y] = place(grips, 'LeftHand')
    await studio.page.mouse.move(x, y)
    await studio.page.mouse.down()
    await studio.page.mouse.move(x - 30, y - 60, { steps: 4 })
    await studio.page.waitForFunction(() => {
      const pull = window.pliantPoseRepair?.pull ?? []
      return (
        pull.length === 6 && pull[4] > 0.1 && Math.hypot(pull[0] - pull[3], pull[1] - pull[4], pull[2] - pull[5]) < 0.02
      )
    })
    expect(await byId('group').inputValue()).toBe('LeftHand')
    await studio.page.mouse.up()
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.pull.length === 0)
    expect(await studio.page.evaluate(() => location.hash), 'a drag turns no view').not.toContain('view=')
    const { x: left, y: top } = (await byId('pose-scene').boundingBox())!
    await studio.page.mouse.move(left + 20, top + 60)
    await studio.page.mouse.down()
    await studio.page.mouse.move(left + 120, top + 60, { steps: 4 })
    await studio.page.mouse.up()
    await studio.page.waitForFunction(() => location.hash.includes('view='))
  })

  it('a finger poses the body, and the page stays where it is', async () => {
    await studio.resize(390, 844, true)
    await studio.page.goto(`${studio.url}#/pose-repair?code=rest`)
    const { grips } = await after(2)
    const [x, y] = place(grips, 'RightHand')
    const touch = await studio.page.context().newCDPSession(studio.page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints })
    await send('touchStart', [{ x, y }])
    for (const share of [0.3, 0.6, 1]) await send('touchMove', [{ x: x + 20 * share, y: y - 60 * share }])
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.codes.after.some((value) => value !== 0))
    expect(await studio.page.evaluate(() => document.querySelector('main')!.scrollTop)).toBe(0)
    await send('touchEnd', [])
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.pull.length === 0)
  })

  it('plays a motion until somebody poses the body, and saves the code of the pose', async () => {
    await open('code=rest')
    expect(await byId('play').isDisabled()).toBe(true)
    const names = await byId('motion').locator('option').allTextContents()
    expect(names.length).toBeGreaterThan(3)
    await byId('motion').selectOption({ index: 1 })
    await studio.page.waitForFunction(() => (window.pliantPoseRepair?.time ?? 0) > 0.1)
    expect(await byId('play').textContent()).toBe('Pause')
    await byId('rest').click()
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.play === 'off')
    expect(await byId('play').textContent()).toBe('Play')
    await byId('random').click()
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.still)
    const [download] = await Promise.all([studio.page.waitForEvent('download'), byId('save').click()])
    expect(download.suggestedFilename()).toBe('humanoid-pose.npy')
    const { data, shape } = readNpy(new Uint8Array(readFileSync(await download.path())))
    const { codes } = await state()
    expect(shape).toEqual([1, codes.after.length])
    expect([...data]).toEqual(codes.after)
  })

  it('opens bodies of modes, takes a motion for the one on show, and says what it cannot open', async () => {
    await open('body=bracelet.safetensors')
    expect(await state()).toMatchObject({ body: 'bracelet' })
    expect(await byId('group').isVisible()).toBe(false)
    expect(await byId('clearance-after').isVisible()).toBe(false)
    expect(await byId('motion').isVisible()).toBe(false)
    await byId('open-file').setInputFiles(fileOf('humanoid.glb'))
    await byId('error')
      .getByText('pose repair: humanoid.glb is a motion, bracelet has no joints; open a character.')
      .waitFor()
    expect(await byId('object').inputValue()).toBe('bracelet.safetensors')
    await byId('open-file').setInputFiles(fileOf('bar.safetensors'))
    await byId('error-action').getByText('Open it on Field').waitFor()
    expect(await byId('error').textContent()).toMatch(/^pose repair: bar\.safetensors does not tell self-contact; /)
    await byId('open-file').setInputFiles(fileOf('humanoid-contact.safetensors'))
    await studio.page.waitForFunction(() => window.pliantPoseRepair?.body === 'humanoid')
    const alone = await byId('motion').locator('option').count()
    await byId('open-file').setInputFiles(fileOf('humanoid.glb'))
    await expect.poll(() => byId('motion').locator('option').count(), { timeout: 60_000 }).toBeGreaterThan(alone)
  })
})

function place(grips: PoseState['grips'], group: string): [number, number] {
  const [x, y] = grips[group].at
  return [x, y]
}
