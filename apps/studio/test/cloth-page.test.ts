/** The Cloth page in Chromium: a clip that was never trained on plays, and the switch does what it says. */

import { existsSync, readFileSync } from 'node:fs'
import { decode } from 'pliant'
import { rigFromScene, sampleClip } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { embedCollider, readGltf } from 'pliant/files'
import { describe, expect, it } from 'vitest'
import type { ClothState } from '../src/pages/cloth/cloth-state.js'
import { hasChromium, studioBrowser } from './studio-browser.js'

const colliderPath = new URL('../public/artifacts/humanoid.safetensors', import.meta.url)
const rigPath = new URL('../public/artifacts/humanoid.glb', import.meta.url)

describe.skipIf(!hasChromium || !existsSync(colliderPath))('the Cloth page', async () => {
  const collider = new Uint8Array(readFileSync(colliderPath))
  const rig = new Uint8Array(readFileSync(rigPath))
  const { character, manifest } = await decode(collider, 'character')
  const { clips } = rigFromScene(readGltf(rig))
  const unseen = clips.find(({ name }) => !manifest.model.clips.some((clip) => clip.name === name))!
  const studio = studioBrowser()
  const { byId } = studio

  const state = (): Promise<ClothState> => studio.page.evaluate(() => window.pliantCloth as ClothState)

  async function open(parameters: string): Promise<ClothState> {
    await studio.page.goto(`${studio.url}#/cloth?${parameters}`)
    return after(1)
  }

  /** The state once so many more frames were shown. */
  async function after(frames: number): Promise<ClothState> {
    const from = await studio.page.evaluate(() => window.pliantCloth?.frames ?? 0)
    await studio.page.waitForFunction((until) => (window.pliantCloth?.frames ?? 0) >= until, from + frames)
    return state()
  }

  /** The state once a garment has been on for so many looks at the exact body. */
  async function looked(): Promise<ClothState> {
    await after(24)
    await studio.page.waitForFunction(() => window.pliantCloth?.worstPenetration)
    return state()
  }

  it('plays a clip that was never trained on, cloth outside the body, and tells what a frame costs', async () => {
    const first = await open(`clip=${unseen.name}`)
    expect(first).toMatchObject({ clip: unseen.name, collision: 'learned', playing: true })
    expect(first.backend).toMatch(/^simd/)
    expect(await byId('seen').textContent()).toBe('never trained on')
    const later = await looked()
    expect(later.time).not.toBe(first.time)
    expect(later.cloth).not.toEqual(first.cloth)
    expect(later.cloth.every(Number.isFinite)).toBe(true)
    expect(later.worstPenetration!.deepest, 'deepest vertex in body heights').toBeLessThan(0.01)
    const { total, parts, frames } = later.figures
    expect(frames).toBeGreaterThan(20)
    expect(total).toBeGreaterThan(0)
    expect(parts.queries).toBeGreaterThan(0)
    expect(await byId('frame-total').textContent()).toMatch(/^\d+\.\d\d\u202fms$/)
    expect(await byId('frame-worst').textContent()).toMatch(/^0\.\d\d\u202f%$/)
  })

  it('reads penetration as the exact mesh has it', async () => {
    await open(`clip=${unseen.name}&collision=none`)
    await after(40)
    await byId('play').click()
    await studio.page.waitForFunction(() => window.pliantCloth?.playing === false)
    const { time, cloth, rootFrame } = await state()
    const pose = character.skeleton.createPose()
    sampleClip(character.skeleton, unseen, time, pose)
    const positions = new Float64Array(3 * character.vertexCount)
    character.positionsOfPose(pose, positions)
    const exact = new ExactMeshField({ positions, triangles: character.triangles })
    const points = Float64Array.from(cloth, (_, i) => {
      const at = i - (i % 3)
      // The root frame turns and moves; its inverse is its transpose.
      const away = [0, 1, 2].map((axis) => cloth[at + axis] - rootFrame[12 + axis])
      return away.reduce((sum, value, axis) => sum + value * rootFrame[4 * (i % 3) + axis], 0)
    })
    const distances = new Float64Array(points.length / 3)
    exact.query(points, distances.length, distances)
    const deepest = Math.max(0, ...distances.map((d) => -d / character.height))
    // The page looks every few steps only, so what it last saw may be a little older.
    const { penetration } = await state()
    expect(Math.abs(penetration!.deepest - deepest)).toBeLessThan(0.02)
    expect(deepest, 'nothing holds the cloth outside').toBeGreaterThan(0.01)
  })

  it('the switch changes what the cloth meets', async () => {
    const learned = await open(`clip=${unseen.name}`)
    expect(learned.collision).toBe('learned')
    await byId('collision-none').check({ force: true })
    await studio.page.waitForFunction(() => window.pliantCloth?.collision === 'none')
    const none = await looked()
    expect(none.figures.parts.queries, 'nothing is asked').toBe(0)
    expect(none.worstPenetration!.deepest).toBeGreaterThan(0.01)
    await byId('collision-exact').check({ force: true })
    await studio.page.waitForFunction(() => window.pliantCloth?.collision === 'exact')
    const exact = await looked()
    expect(exact.worstPenetration!.deepest).toBeLessThan(0.01)
    expect(exact.figures.parts.queries).toBeGreaterThan(0)
    expect(await studio.page.evaluate(() => location.hash)).toContain('collision=exact')
  })

  it('speed, wind, garment and pause do what they say', async () => {
    const before = await open(`clip=${unseen.name}&speed=0`)
    const still = await after(10)
    expect(still.time).toBe(before.time)
    await byId('wind').fill('12')
    expect(await byId('wind-value').textContent()).toBe('12.0\u202fm/s')
    const blown = await after(30)
    const mean = (values: readonly number[], axis: number): number =>
      values.reduce((sum, value, i) => (i % 3 === axis ? sum + value : sum), 0) / (values.length / 3)
    // From the front, towards -z.
    expect(mean(blown.cloth, 2)).toBeLessThan(mean(still.cloth, 2) - 0.005)
    await byId('garment').selectOption('sleeves')
    await studio.page.waitForFunction((length) => window.pliantCloth?.cloth.length !== length, blown.cloth.length)
    await byId('play').click()
    await studio.page.waitForFunction(() => window.pliantCloth?.playing === false)
    await studio.page.waitForTimeout(300)
    const paused = await state()
    await studio.page.waitForTimeout(300)
    expect((await state()).cloth).toEqual(paused.cloth)
  })

  it('opens a GLB that carries its collider, and says in one line why another cannot be opened', async () => {
    await open('')
    const file = (name: string, bytes: Uint8Array) => ({
      name,
      mimeType: 'model/gltf-binary',
      buffer: Buffer.from(bytes),
    })
    await byId('open-file').setInputFiles(file('bare.glb', rig))
    await byId('error').waitFor()
    expect(await byId('error').textContent()).toMatch(/^cloth: bare\.glb carries no collider; /)
    expect((await after(2)).playing).toBe(true)
    await byId('open-file').setInputFiles(file('mine.glb', embedCollider(rig, collider)))
    await byId('error').waitFor({ state: 'hidden' })
    expect(await byId('object').inputValue()).toBe('')
    expect((await after(2)).character).toBe(manifest.name)
  })
})
