/** The built studio on the plainest host there is: a sub-path, no special headers, so neither isolation nor threads. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { hasChromium, PAGES, studioBrowser } from './studio-browser.js'

const built = fileURLToPath(new URL('../../../packages/cli/studio/', import.meta.url))

describe.skipIf(!hasChromium)('the built studio as static files', () => {
  const studio = studioBrowser({ isolated: false })

  it.each(PAGES)('%s opens, with a line on what is seen, its documentation and its code', async (name) => {
    const missing: string[] = []
    studio.page.on('response', (response) => {
      if (!response.ok()) missing.push(response.url())
    })
    await studio.resize(940, 560, false)
    await studio.page.goto(`${studio.url}#/${name}`)
    expect(await studio.page.evaluate(() => crossOriginIsolated)).toBe(false)
    await studio.shown(name)
    expect(((await studio.byId('about').textContent()) ?? '').length).toBeGreaterThan(60)
    expect(await studio.byId('code-link').isVisible()).toBe(true)
    const docs = new URL((await studio.byId('docs-link').getAttribute('href'))!, studio.url)
    expect((await studio.page.request.get(docs.href)).ok(), docs.href).toBe(true)
    expect(missing).toEqual([])
  })

  it('names no file by an address from the root of the host, and no other host', () => {
    const text = readFileSync(`${built}index.html`, 'utf8')
    expect(text).not.toMatch(/(src|href)="\//)
    for (const file of readdirSync(`${built}assets`).filter((name) => name.endsWith('.css'))) {
      expect(readFileSync(`${built}assets/${file}`, 'utf8'), file).not.toMatch(/url\(["']?(\/|https?:)/)
    }
  })

  it('has every page of the documentation that its own pages of documentation link to', () => {
    for (const file of readdirSync(`${built}docs`)) {
      const text = readFileSync(`${built}docs/${file}`, 'utf8')
      for (const [, target] of text.matchAll(/href="\.\/([\w-]+\.html)/g)) {
        expect(existsSync(`${built}docs/${target}`), `${file} links to ${target}`).toBe(true)
      }
    }
  })
})
