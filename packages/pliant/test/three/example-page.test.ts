/** examples/three-character, built by Vite without configuration and opened in Chromium: its balls must stay outside. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ExactMeshField } from '../../src/exact/mesh-distance.js'
import { readGltf } from '../../src/files/gltf.js'
import { embedCollider } from '../../src/files/gltf-collider.js'
import { loadWithThree, poseThree, skinnedVertices } from '../model/three-reference.js'

const CHROMIUM = '/usr/bin/chromium'
const FLAGS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
]
const root = fileURLToPath(new URL('../../../../examples/three-character', import.meta.url))
const artifacts = new URL('../../../../apps/studio/public/artifacts/', import.meta.url)
const rigFile = new URL('humanoid.glb', artifacts)
const colliderFile = new URL('humanoid.safetensors', artifacts)

/** What the page leaves on its window. */
interface Shown {
  particles: { bounces: number; radius: number; positions: Float32Array }
  mixer: { time: number }
  clip: { name: string }
}

describe.skipIf(!existsSync(CHROMIUM) || !existsSync(colliderFile))('the page of a three.js character', () => {
  const outDir = mkdtempSync(join(tmpdir(), 'pliant-example-'))
  let server: PreviewServer
  let browser: Browser

  beforeAll(async () => {
    await build({ configFile: false, root, logLevel: 'error', build: { outDir, emptyOutDir: true } })
    server = await preview({ configFile: false, root, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  })

  afterAll(async () => {
    await browser?.close()
    await server?.close()
    rmSync(outDir, { recursive: true, force: true })
  })

  it('bounces balls off the character without complaint, and off one that carries its collider', async () => {
    const page = await browser.newPage({ viewport: { width: 320, height: 240 } })
    const complaints: string[] = []
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(server.resolvedUrls!.local[0])
    const bounced = async () => {
      await page.waitForFunction(() => (window as { threeCharacter?: Shown }).threeCharacter!.particles.bounces > 30)
      return page.evaluate(() => {
        const { particles, mixer, clip } = (window as { threeCharacter?: Shown }).threeCharacter!
        const { radius, positions } = particles
        return { radius, positions: [...positions], clip: clip.name, time: mixer.time }
      })
    }
    await page.waitForFunction(() => 'threeCharacter' in window)
    const rig = new Uint8Array(readFileSync(rigFile))
    await expectOutside(rig, await bounced())

    await page.evaluate(() => Reflect.deleteProperty(window, 'threeCharacter'))
    const carrying = embedCollider(rig, new Uint8Array(readFileSync(colliderFile)))
    await page.setInputFiles('#file', {
      name: 'mine.glb',
      mimeType: 'model/gltf-binary',
      buffer: Buffer.from(carrying),
    })
    await page.waitForFunction(() => 'threeCharacter' in window)
    await expectOutside(rig, await bounced())
    expect(complaints).toEqual([])
  })
})

/** Against the triangles that three.js draws at that time. */
async function expectOutside(
  rig: Uint8Array,
  shown: { radius: number; positions: number[]; clip: string; time: number },
): Promise<void> {
  const gltf = await loadWithThree(rig)
  poseThree(gltf, shown.clip, shown.time)
  const { triangles } = readGltf(rig).meshes[0]
  const exact = new ExactMeshField({ positions: Float64Array.from(skinnedVertices(gltf.scene)), triangles })
  const count = shown.positions.length / 3
  const distances = new Float64Array(count)
  exact.query(Float64Array.from(shown.positions), count, distances)
  // Touching balls lie on the learned surface, whose error is less than half of their radius (1.2% of the height); a few
  // may be caught between two limbs, or foot and floor, and have nowhere to go.
  const inside = distances.filter((distance) => distance < 0.5 * shown.radius)
  expect(inside.length).toBeLessThan(0.02 * count)
  expect(Math.min(...distances)).toBeGreaterThan(-2 * shown.radius)
}
