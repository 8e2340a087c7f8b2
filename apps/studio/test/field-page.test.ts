/** The built studio in Chromium, used as a person would: sliders moved, files opened, and what changed read back. */

import { existsSync, readFileSync } from 'node:fs'
import { decode, load } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import { boxCentre } from 'pliant/unstable'
import * as THREE from 'three'
import { describe, expect, it } from 'vitest'
import { distanceToSee, FIELD_OF_VIEW, VIEW_FROM } from '../src/pages/field/camera-fit.js'
import { FINE_POINTS } from '../src/pages/field/field-protocol.js'
import { type SlicePlane, sliceGrid, slicePoints } from '../src/pages/field/slice-plane.js'
import type { StudioState } from '../src/pages/field/studio-state.js'
import { hasChromium, studioBrowser } from './studio-browser.js'

const artifactPath = new URL('../public/artifacts/bar.safetensors', import.meta.url)

describe.skipIf(!hasChromium || !existsSync(artifactPath))('the studio in Chromium', async () => {
  const bytes = new Uint8Array(readFileSync(artifactPath))
  const { manifest, model } = await decode(bytes, 'linear-modes')
  const { domain } = manifest.networks.distance
  const studio = studioBrowser()
  const { byId } = studio
  const picture = (id: string): Promise<string> =>
    byId(id).evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL())

  async function settled(): Promise<StudioState> {
    await studio.page.waitForFunction(() => window.pliantStudio?.settled)
    return studio.page.evaluate(() => window.pliantStudio as StudioState)
  }

  async function open(hash = '#/field'): Promise<StudioState> {
    await studio.page.goto(studio.url + hash)
    return settled()
  }

  /** What the vertices of a code should be. */
  function verticesAt(code: readonly number[]): Float64Array {
    const positions = new Float64Array(model.rest.length)
    model.positions(code, positions)
    return positions
  }

  /** Exact distances of a fine slice, computed here rather than in the studio.page. */
  function exactSlice(code: readonly number[], plane: SlicePlane): Float64Array {
    const grid = sliceGrid(domain, plane, FINE_POINTS)
    const count = grid.width * grid.height
    const points = new Float32Array(3 * count)
    slicePoints(grid, 0, grid.height, points)
    const distances = new Float64Array(count)
    new ExactMeshField({ positions: verticesAt(code), triangles: model.triangles }).query(points, count, distances)
    return distances
  }

  const meanOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length

  it('opens the bar at rest, served from any path', async () => {
    const state = await open()
    expect(state).toMatchObject({ code: [0, 0, 0], ownError: { trusted: true }, slice: { axis: 'z' } })
    expect(state.vertices).toEqual([...verticesAt([0, 0, 0])])
    await expect(studio.page.title()).resolves.toContain('Field')
    await expect(byId('backend').textContent()).resolves.toBe(state.backend)
    // Chromium has SIMD; falling back to scalar code would go unseen but for its slowness.
    expect(state.backend).toMatch(/^simd/)
    await expect(studio.page.locator('nav a[aria-current=page]').allTextContents()).resolves.toEqual(['Field'])
  })

  it('a slider that is dragged changes the code, the surface and both slices', async () => {
    const before = await open()
    const pictures = ['slice-learned', 'slice-exact', 'slice-error']
    const old = await Promise.all(pictures.map(picture))
    const oldScene = await byId('scene').screenshot()

    const box = await byId('code-bend').boundingBox()
    if (!box) throw new Error('the slider is not on screen')
    await studio.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await studio.page.mouse.down()
    await studio.page.mouse.move(box.x + 0.7 * box.width, box.y + box.height / 2, { steps: 5 })
    await studio.page.mouse.up()
    const after = await settled()

    expect(after.code[0]).toBeGreaterThan(0.4)
    expect(after.code.slice(1)).toEqual(before.code.slice(1))
    expect(await byId('code-bend-value').textContent()).toBe(after.code[0].toFixed(2))
    expect(after.vertices).toEqual([...verticesAt(after.code)])
    const renewed = await Promise.all(pictures.map(picture))
    for (const [i, name] of pictures.entries()) expect(renewed[i] === old[i], `${name} is drawn anew`).toBe(false)
    expect(oldScene.equals(await byId('scene').screenshot()), 'the scene is drawn anew').toBe(false)
    expect(after.slice.exactMean).not.toBeCloseTo(before.slice.exactMean, 4)
    expect(after.slice.learnedMean).not.toBeCloseTo(before.slice.learnedMean, 4)
  })

  it('shows the true fields, whatever the pose and the slice', async () => {
    const views = [
      { code: [0, 0, 0], axis: 'z', at: 0 },
      { code: [0.8, -0.5, 0.3], axis: 'z', at: 0.02 },
      { code: [-0.6, 0.7, -0.9], axis: 'x', at: 0.4 },
      { code: [0.2, -0.9, 0.6], axis: 'y', at: -0.01 },
    ] as const
    // The artifact's own quality is a mean over many poses; one slice of one pose may be a few times worse.
    const promised = manifest.quality?.bandError.mean ?? 0
    await open()
    for (const { code, axis, at } of views) {
      await studio.page.evaluate((hash) => {
        location.hash = hash
      }, `#/field?code=${code}&axis=${axis}&at=${at}`)
      await studio.page.waitForFunction((wanted) => `${window.pliantStudio?.code}` === wanted, `${code}`)
      const { slice } = await settled()
      expect(slice).toMatchObject({ axis, at })
      const exact = exactSlice(code, { axis: axis === 'x' ? 0 : axis === 'y' ? 1 : 2, at })
      expect(slice.exactMean).toBeCloseTo(meanOf(exact), 6)
      expect(slice.error.points).toBe(exact.filter((d) => Math.abs(d) <= manifest.truncation).length)
      expect(slice.error.mean, `error at code ${code}`).toBeLessThan(4 * promised)
      expect(slice.error.mean).toBeGreaterThan(0)
      expect(slice.error.max).toBeGreaterThanOrEqual(slice.error.mean)
    }
  })

  it('the slice slider and the axis move the plane and leave the surface alone', async () => {
    const before = await open('#/field?code=0.5,0,0')
    const old = await Promise.all(['slice-learned', 'slice-exact'].map(picture))
    await byId('slice-at').focus()
    await studio.page.keyboard.press('Shift+ArrowRight')
    const after = await settled()
    expect(after.slice.at).toBeGreaterThan(before.slice.at)
    expect(after.vertices).toEqual(before.vertices)
    const renewed = await Promise.all(['slice-learned', 'slice-exact'].map(picture))
    expect(renewed[0] === old[0] || renewed[1] === old[1]).toBe(false)
    await byId('axis-x').check({ force: true })
    expect((await settled()).slice.axis).toBe('x')
    expect(await byId('slice-at-value').textContent()).toContain('x =')
  })

  it('the handle in the scene drags the slice along its axis', async () => {
    const before = await open('#/field?axis=x&at=-0.2')
    const box = await byId('scene').boundingBox()
    if (!box) throw new Error('the scene is not on screen')
    // Where the handle is drawn: the upper corner of the domain on the slice, through the camera as it first stands.
    const camera = new THREE.PerspectiveCamera(FIELD_OF_VIEW, box.width / box.height, 0.01, 100)
    const centre = new THREE.Vector3(...boxCentre(domain))
    const distance = distanceToSee(domain, VIEW_FROM, FIELD_OF_VIEW, camera.aspect)
    camera.position.copy(centre).addScaledVector(new THREE.Vector3(...VIEW_FROM), distance)
    camera.lookAt(centre)
    camera.updateMatrixWorld()
    const screen = (x: number): [number, number] => {
      const at = new THREE.Vector3(x, domain.upper[1], domain.upper[2]).project(camera)
      return [box.x + ((at.x + 1) / 2) * box.width, box.y + ((1 - at.y) / 2) * box.height]
    }
    await studio.page.mouse.move(...screen(-0.2))
    await studio.page.mouse.down()
    await studio.page.mouse.move(...screen(0.1), { steps: 4 })
    await studio.page.mouse.up()
    const after = await settled()
    expect(after.slice.axis).toBe('x')
    expect(Math.abs(after.slice.at - 0.1)).toBeLessThan(0.02)
    expect(after.code).toEqual(before.code)
  })

  it('says so where the field is far off, and double-click resets the code', async () => {
    await open()
    expect(await byId('own-error').textContent()).toMatch(/^error 0\.0\d+%$/)
    await byId('code-twist').focus()
    await studio.page.keyboard.press('End')
    expect(await settled()).toMatchObject({ ownError: { trusted: false } })
    expect(await byId('own-error').textContent()).toMatch(/^untrusted: \d[\d.]*%$/)
    await byId('code-twist').dblclick()
    expect(await settled()).toMatchObject({ ownError: { trusted: true }, code: [0, 0, 0] })
  })

  it('reads both fields under the cursor', async () => {
    await open('#/field?code=0.4,0.3,-0.2&axis=x&at=0.1')
    await byId('slice-exact').hover()
    const point = ((await byId('read-point').textContent()) ?? '').replaceAll('\u2212', '-').split(',').map(Number)
    expect(point[0]).toBeCloseTo(0.1, 6)
    const millimetres = async (id: string): Promise<number> =>
      Number.parseFloat(((await byId(id).textContent()) ?? '').replace('\u2212', '-'))
    const distance = new Float64Array(1)
    const positions = verticesAt([0.4, 0.3, -0.2])
    new ExactMeshField({ positions, triangles: model.triangles }).query(Float64Array.from(point), 1, distance)
    // The point is written with three decimals, so half a millimetre either way along each axis.
    expect(Math.abs((await millimetres('read-exact')) - 1000 * distance[0])).toBeLessThan(1)
    const field = await load(bytes)
    field.update({ code: [0.4, 0.3, -0.2] })
    field.query(Float64Array.from(point), 1, distance)
    expect(Math.abs((await millimetres('read-learned')) - 1000 * distance[0])).toBeLessThan(2)
  })

  it('a file that is no artifact gives one line and leaves the object; a true one opens', async () => {
    const before = await open()
    await byId('open-file').setInputFiles({
      name: 'notes.safetensors',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('these are my notes, not an artifact'),
    })
    await byId('error').waitFor()
    const line = (await byId('error').textContent()) ?? ''
    expect(line).toMatch(/^notes\.safetensors cannot be opened\. /)
    expect(line).not.toContain('\n')
    expect((await settled()).vertices).toEqual(before.vertices)

    await byId('open-file').setInputFiles({
      name: 'mine.safetensors',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from(bytes),
    })
    await byId('error').waitFor({ state: 'hidden' })
    expect(await settled()).toMatchObject({ object: 'mine.safetensors' })
  })

  it('keeps the view in the address, so that it can be shared', async () => {
    await open('#/field?axis=y&at=0.05')
    await byId('random').click()
    const { code } = await settled()
    await studio.page.waitForFunction((wanted) => location.hash.includes(wanted), Number(code[0].toFixed(4)).toString())
    const shared = await open(new URL(studio.page.url()).hash)
    shared.code.forEach((value, k) => {
      expect(value).toBeCloseTo(code[k], 3)
    })
    expect(shared.slice).toMatchObject({ axis: 'y', at: 0.05 })
    await studio.page.evaluate(() => {
      location.hash = '#/field?code=0.1,0.2,0.3&axis=z&at=0'
    })
    await studio.page.waitForFunction(() => window.pliantStudio?.code[1] === 0.2)
  })

  it('animates, times both sides while it does, and stops', async () => {
    await open()
    await byId('animate').click()
    await studio.page.waitForFunction(() => window.pliantStudio?.code.every((value) => Math.abs(value) > 0.05))
    await byId('animate').click()
    const stopped = await settled()
    expect(stopped.timings.rounds).toBeGreaterThan(0)
    expect(stopped.timings.learnedMs).toBeGreaterThan(0)
    expect(stopped.timings.exactMs).toBeGreaterThan(0)
    expect(stopped.vertices).toEqual([...verticesAt(stopped.code)])
    expect((await settled()).code).toEqual(stopped.code)
  })

  it('fits laptop screens and larger ones without scrolling sideways', async () => {
    await open()
    for (const [width, height] of [
      [1024, 768],
      [1366, 768],
      [1920, 1080],
    ]) {
      await studio.page.setViewportSize({ width, height })
      const size = await studio.page.evaluate(() => {
        const side = document.querySelector('.side') as HTMLElement
        const { scrollWidth, scrollHeight } = document.documentElement
        return { scrollWidth, scrollHeight, sideOverflow: side.scrollWidth - side.clientWidth }
      })
      expect(size).toEqual({ scrollWidth: width, scrollHeight: height, sideOverflow: 0 })
      for (const id of ['scene', 'slice-learned', 'slice-exact', 'slice-error']) {
        const box = await byId(id).boundingBox()
        expect(box && box.width >= 240 && box.height >= 120, `${id} at ${width} x ${height} can be seen`).toBe(true)
      }
    }
  })
})
