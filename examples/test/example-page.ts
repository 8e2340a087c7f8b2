/** An example, built by Vite without configuration and opened in Chromium; its console must stay clean. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { keepComplaints, launchChromium } from '../../apps/studio/test/chromium.js'

export { hasChromium } from '../../apps/studio/test/chromium.js'

/** The widths of a phone, a tablet and a desk. */
export const SIZES = [
  [390, 844],
  [768, 1024],
  [1440, 900],
] as const

/** What ships, trained, with the repository. */
export const ARTIFACTS = new URL('../../apps/studio/public/artifacts/', import.meta.url)

export interface ExamplePage {
  /** A fresh one for each test, opened. */
  readonly page: Page
}

/** Call it inside `describe`: it registers what is done before and after. @param name of a folder in examples/ */
export function examplePage(name: string): ExamplePage {
  const root = fileURLToPath(new URL(`../${name}`, import.meta.url))
  const outDir = mkdtempSync(join(tmpdir(), 'pliant-example-'))
  let server: PreviewServer
  let browser: Browser
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    await build({ configFile: false, root, logLevel: 'error', build: { outDir, emptyOutDir: true } })
    server = await preview({ configFile: false, root, build: { outDir }, preview: { port: 0, host: '127.0.0.1' } })
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser?.close()
    await server?.close()
    rmSync(outDir, { recursive: true, force: true })
  })

  beforeEach(async () => {
    complaints = []
    // Small: drawing is by software here.
    page = await browser.newPage({ viewport: { width: 320, height: 240 } })
    page.setDefaultTimeout(90_000)
    keepComplaints(page, complaints)
    await page.goto(server.resolvedUrls!.local[0])
  })

  afterEach(async () => {
    await page.close()
    expect(complaints, 'the console stays clean').toEqual([])
  })

  return {
    get page() {
      return page
    },
  }
}

/** Nothing may stick out to the side at any size, nor may controls. */
export async function expectNoOverflow(page: Page): Promise<void> {
  for (const [width, height] of SIZES) {
    await page.setViewportSize({ width, height })
    const outside = await page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('form *, body > *')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5 || one.scrollWidth > innerWidth + 0.5)
        .map((one) => `${one.tagName} ${one.id}`),
    )
    expect(outside, `at ${width} x ${height}`).toEqual([])
  }
}
