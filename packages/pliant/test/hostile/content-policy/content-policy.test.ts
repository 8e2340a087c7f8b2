/** Pages whose content security policy forbids WebAssembly, or blob workers, in Chromium: all loads, and says what it lacks. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright-core'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Outcome, runEverything } from './everything-wasm.js'

const CHROMIUM = '/usr/bin/chromium'
const root = fileURLToPath(new URL('.', import.meta.url))
const artifacts = fileURLToPath(new URL('../../../../../apps/studio/public/artifacts', import.meta.url))

/** As a careful host sends it: nothing but its own scripts. */
const STRICT = "default-src 'self'; script-src 'self'; img-src 'self' data:"
const WITH_WASM = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data:"
const WITH_THREADS = `${WITH_WASM}; worker-src 'self' blob:`

const ALL = ['bar', 'soft body', 'character', 'collider', 'dense', 'fem']
const FIX =
  "compiling WebAssembly is forbidden here; add 'wasm-unsafe-eval' to script-src of the page's content security policy"

describe.skipIf(!existsSync(CHROMIUM))('under a content security policy', () => {
  const outDir = mkdtempSync(join(tmpdir(), 'pliant-policy-'))
  let browser: Browser
  let scalar: Record<string, Outcome>

  beforeAll(async () => {
    await build({ configFile: false, root, publicDir: artifacts, logLevel: 'error', build: { outDir } })
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] })
    scalar = await runEverything(async (name) => new Uint8Array(readFileSync(join(artifacts, name))), {
      backend: 'scalar',
    })
  })

  afterAll(async () => {
    await browser?.close()
    rmSync(outDir, { recursive: true, force: true })
  })

  /** Opens the page served with a policy, isolated, so that threads are there if the policy lets them. */
  async function withPage(policy: string, work: (page: Page) => Promise<void>): Promise<void> {
    const headers = {
      'Content-Security-Policy': policy,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    }
    const server: PreviewServer = await preview({
      configFile: false,
      root,
      logLevel: 'error',
      build: { outDir },
      preview: { port: 0, host: '127.0.0.1', headers },
    })
    const page = await browser.newPage()
    try {
      await page.goto(server.resolvedUrls!.local[0])
      await page.waitForFunction(() => 'inWorker' in window)
      await work(page)
    } finally {
      await page.close()
      await server.close()
    }
  }

  function expectAnswersOfScalar(outcomes: Record<string, Outcome>): void {
    for (const name of ALL) {
      const wanted = scalar[name].values!
      const worst = Math.max(...outcomes[name].values!.map((value, i) => Math.abs(value - wanted[i])))
      expect(worst, name).toBeLessThan(1e-9)
    }
  }

  it("without 'wasm-unsafe-eval', 'auto' answers by plain code and says what to allow", async () => {
    await withPage(STRICT, async (page) => {
      for (const outcomes of [
        await page.evaluate(() => window.onPage({ backend: 'auto', threads: 2 })),
        await page.evaluate(() => window.inWorker({ backend: 'auto', threads: 2 })),
      ]) {
        for (const name of ALL.slice(0, -1)) {
          expect(outcomes[name], name).toMatchObject({
            backend: 'scalar',
            note: `plain JavaScript, because ${FIX}.`,
          })
        }
        expect(outcomes['fem'].backend).toBe('plain')
        expect(outcomes['fem'].note).toBe(`fem: steps run in plain JavaScript, which is slower, because ${FIX}.`)
        expectAnswersOfScalar(outcomes)
      }
      // The host is asked once, whatever is loaded.
      expect(await page.evaluate(() => window.violations)).toBe(1)
    })
  })

  it.each(['simd', 'simd-relaxed'] as const)("without it, '%s' is refused in one line", async (backend) => {
    await withPage(STRICT, async (page) => {
      const outcomes = await page.evaluate((backend) => window.onPage({ backend }), backend)
      for (const name of ALL.slice(0, -1)) {
        expect(outcomes[name].error, name).toBe(
          `Error: network: backend '${backend}' cannot run: ${FIX}, or use 'auto'.`,
        )
      }
      if (backend === 'simd') {
        expect(outcomes['fem'].error).toBe(`Error: fem: kernel 'simd' cannot run: ${FIX}, or use 'auto'.`)
      }
    })
  })

  it("with it, but without blob workers, kernels run on the caller's thread alone", async () => {
    await withPage(WITH_WASM, async (page) => {
      const outcomes = await page.evaluate(() => window.onPage({ backend: 'auto', threads: 2 }))
      for (const name of ALL) expect(outcomes[name], name).toMatchObject({ backend: expect.stringMatching(/^simd/) })
      for (const name of ALL.slice(0, -1)) expect(outcomes[name].note, name).toBeUndefined()
      expect(outcomes['bar'].threads).toBe(1)
    })
  })

  it('with both, threads share large batches', async () => {
    await withPage(WITH_THREADS, async (page) => {
      const outcomes = await page.evaluate(() => window.onPage({ backend: 'auto', threads: 2 }))
      expect(outcomes['bar']).toMatchObject({ backend: 'simd-relaxed', threads: 2 })
      expect(await page.evaluate(() => window.violations)).toBe(0)
    })
  })
})
