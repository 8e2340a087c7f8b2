/**
 * `npm run picture`: records the README's moving picture, docs/images/cloth.gif, in Chromium with software rendering.
 * The scene is the studio's own, stepped by simulated time, so the picture does not depend on the machine's speed.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { createServer } from 'vite'
import { root } from './run.mjs'

const FLAGS = [
  '--no-sandbox',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-background-networking',
]
/** A README is read on phones, too [bytes]. */
const LIMIT = 1_500_000
const out = join(root, 'docs', 'images', 'cloth.gif')

const server = await createServer({
  configFile: false,
  root: join(root, 'scripts', 'readme-scene'),
  logLevel: 'warn',
  server: { port: 0, host: '127.0.0.1' },
})
await server.listen()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })
try {
  const page = await browser.newPage({ viewport: { width: 800, height: 480 } })
  page.on('pageerror', (error) => console.error(error.message))
  await page.goto(server.resolvedUrls.local[0])
  await page.waitForFunction(() => window.recorded !== undefined, undefined, { timeout: 900_000 })
  const { base64, frames, report } = await page.evaluate(() => window.recorded)
  const bytes = Buffer.from(base64, 'base64')
  mkdirSync(join(root, 'docs', 'images'), { recursive: true })
  writeFileSync(out, bytes)
  console.log(report)
  console.log(`${out}: ${frames} frames, ${(bytes.length / 1000).toFixed(0)} kB`)
  if (bytes.length >= LIMIT) {
    console.error(`picture: ${bytes.length} bytes, the limit is ${LIMIT}; record fewer or smaller frames.`)
    process.exitCode = 1
  }
} finally {
  await browser.close()
  await server.close()
}
