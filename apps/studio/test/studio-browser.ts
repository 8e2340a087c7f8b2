/** The built studio in Chromium, for the pages' tests: one browser a file, a fresh page a test, a console that stays clean. */
import { readFileSync } from 'node:fs'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { keepComplaints, launchChromium } from './chromium.js'
import { buildStudio, serveStudio } from './studio-server.js'

export { hasChromium } from './chromium.js'

/** Names of the pages that main.ts registers, so that tests visit a new one, too. */
export const PAGES = [
  ...readFileSync(new URL('../src/main.ts', import.meta.url), 'utf8').matchAll(/^\s+name: '([\w-]+)'/gm),
].map(([, name]) => name)

export interface StudioBrowser {
  readonly page: Page
  /** A fresh page of another size, used by touch or by mouse. */
  resize(width: number, height: number, touch: boolean): Promise<void>
  /** Address of the studio, without a page's name. */
  readonly url: string
  byId(id: string): Locator
  /** Waits until the page of that name, which was gone to, shows something. */
  shown(name: string): Promise<void>
}

/** Call it inside `describe`: it registers what is done before and after. @param isolated served with the headers that threads need */
export function studioBrowser({ isolated = true } = {}): StudioBrowser {
  let server: Awaited<ReturnType<typeof serveStudio>>
  let browser: Browser
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    buildStudio()
    server = await serveStudio('/some/where/', isolated)
    browser = await launchChromium()
  })

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  async function openPage(width: number, height: number, touch: boolean): Promise<void> {
    page = await browser.newPage({ viewport: { width, height }, hasTouch: touch, isMobile: touch })
    // Drawing is by software here: on a busy machine a frame may take seconds.
    page.setDefaultTimeout(90_000)
    // Nor does a condition wait for a frame, which is Playwright's way: without a GPU frames sometimes stop for minutes.
    const wait = page.waitForFunction.bind(page) as (...words: unknown[]) => unknown
    page.waitForFunction = ((condition: unknown, argument: unknown, options?: object) =>
      wait(condition, argument, { polling: 100, ...options })) as Page['waitForFunction']
    keepComplaints(page, complaints)
  }

  beforeEach(async () => {
    complaints = []
    await openPage(1366, 768, false)
  })

  afterEach(async () => {
    await page.close()
    expect(complaints, 'the console stays clean').toEqual([])
  })

  return {
    get page() {
      return page
    },
    get url() {
      return server.url
    },
    resize: async (width, height, touch) => {
      await page.close()
      await openPage(width, height, touch)
    },
    byId: (id) => page.getByTestId(id),
    shown: async (name) => {
      const placeholder = page.locator(`.${name}-page .placeholder`)
      // A page that is still being fetched has none yet.
      await placeholder.waitFor({ state: 'attached' })
      await placeholder.waitFor({ state: 'hidden' })
    },
  }
}
