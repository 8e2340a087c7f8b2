/** The built studio in Chromium, for the pages' tests: one browser a file, a fresh page a test, a console that stays clean. */
import { existsSync } from 'node:fs'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { buildStudio, serveStudio } from './studio-server.js'

const CHROMIUM = '/usr/bin/chromium'
const FLAGS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export const hasChromium = existsSync(CHROMIUM)

export interface StudioBrowser {
  readonly page: Page
  /** Address of the studio, without a page's name. */
  readonly url: string
  byId(id: string): Locator
}

/** Call it inside `describe`: it registers what is done before and after. */
export function studioBrowser(): StudioBrowser {
  let server: Awaited<ReturnType<typeof serveStudio>>
  let browser: Browser
  let page: Page
  let complaints: string[]

  beforeAll(async () => {
    buildStudio()
    server = await serveStudio('/some/where/')
    browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
  })

  afterAll(async () => {
    await browser?.close()
    server?.close()
  })

  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 1366, height: 768 } })
    // Drawing is by software here: on a busy machine a frame may take seconds.
    page.setDefaultTimeout(90_000)
    complaints = []
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(error.message))
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
    byId: (id) => page.getByTestId(id),
  }
}
