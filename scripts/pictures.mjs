/** `npm run pictures`: takes the README's pictures of the built studio anew, in Chromium with software rendering. */
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { serveFolder } from '../packages/cli/dist/static-server.js'
import { root } from './run.mjs'

const FLAGS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
]
const PICTURES = [
  {
    file: 'studio-field.png',
    route: '#/field?code=0.7,-0.5,0.6&axis=z&at=0.01',
    shown: () => window.pliantStudio !== undefined,
    pointAt: [0.46, 0.81],
  },
  {
    file: 'studio-cloth.png',
    route: '#/cloth?clip=dance&wind=1',
    shown: () => window.pliantCloth?.time > 3.4,
    pointAt: [0.6, 0.95],
  },
  {
    file: 'studio-haptics.png',
    route: '#/haptics?path=press',
    shown: () => window.pliantHaptics?.time > 2.2,
    // The hand would be gone before anything else has settled.
    atOnce: true,
  },
]
const [width, height] = [1366, 768]

const server = await serveFolder(join(root, 'packages', 'cli', 'studio'), 8900, false)
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
for (const { file, route, shown, pointAt, atOnce } of PICTURES) {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.goto(`${server.url}${route}`)
  await page.waitForFunction(shown, undefined, { timeout: 120_000 })
  if (!atOnce) {
    // The timing lines and the refined slices settle within a few seconds.
    await page.waitForTimeout(8000)
    await page.mouse.move(pointAt[0] * width, pointAt[1] * height)
    await page.waitForTimeout(1000)
  }
  await page.screenshot({ path: join(root, 'docs', 'images', file) })
  await page.close()
}
await browser.close()
await server.close()
