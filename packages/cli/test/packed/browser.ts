/** Chromium, with a project's folder as its site. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'
import { type StaticServer, serveFolder } from '../../src/static-server.js'
import type { Project } from './project.js'

const CHROMIUM = '/usr/bin/chromium'
export const hasChromium = existsSync(CHROMIUM)

/** Numbers that a script left on its page. */
export interface Answers {
  distances: number[]
  /** Gradients or normals. */
  directions: number[]
}

export class Site {
  private constructor(
    private readonly browser: Browser,
    private readonly server: StaticServer,
    private readonly project: Project,
  ) {}

  static async open(project: Project): Promise<Site> {
    const args = ['--no-sandbox', '--disable-background-networking']
    const browser = await chromium.launch({ executablePath: CHROMIUM, args })
    return new Site(browser, await serveFolder(project.folder, 8930, false), project)
  }

  /**
   * Loads a bundle into a page that lies beside the reader's files.
   * @throws Error with what the page complained of
   */
  async run(bundle: string): Promise<Answers> {
    const name = `page-${bundle.replaceAll('/', '-')}.html`
    this.project.write(
      name,
      `<!doctype html><link rel="icon" href="data:,"><script type="module" src="${bundle}"></script>`,
    )
    const page = await this.browser.newPage()
    try {
      const failed = new Promise<never>((_, reject) => {
        page.on('pageerror', reject)
        page.on('console', (message) => message.type() === 'error' && reject(new Error(message.text())))
      })
      await page.goto(`${this.server.url}${name}`)
      const answered = page
        .waitForFunction(() => (globalThis as { answers?: unknown }).answers, undefined, { timeout: 60_000 })
        .then((handle) => handle.jsonValue() as Promise<Answers>)
      return await Promise.race([answered, failed])
    } finally {
      await page.close()
    }
  }

  async close(): Promise<void> {
    await this.browser.close()
    await this.server.close()
  }
}
