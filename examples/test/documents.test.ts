/** What a stranger reads: links lead somewhere, nothing names a file of ours alone, and the studio shows every guide. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const documents = [
  'README.md',
  ...readdirSync(new URL('docs/', root), { recursive: true })
    .map((name) => `docs/${name}`)
    .filter((name) => name.endsWith('.md')),
]
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8')

it.each(documents)('%s links to what is there', (document) => {
  for (const [, target] of textOf(document).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)) {
    if (/^https?:/.test(target)) continue
    expect(existsSync(new URL(target, new URL(document, root))), target).toBe(true)
  }
})

it.each(documents)('%s names no file outside of the repository', (document) => {
  expect(textOf(document)).not.toMatch(/\.\.\/shared|\/tmp\/|\bDESIGN\.md|\balgorithms\.md|\bstyle\.md/)
})

it('the studio shows every guide', () => {
  const plugin = textOf('apps/studio/docs-plugin.ts')
  for (const name of readdirSync(new URL('docs/guides/', root))) expect(plugin).toContain(`'docs/guides/${name}'`)
})

it("the README's picture moves and is small", () => {
  const picture = new URL('docs/images/cloth.gif', root)
  expect(readdirSync(new URL('docs/images/', root))).toEqual(['cloth.gif'])
  expect(textOf('README.md')).toContain('(docs/images/cloth.gif)')
  expect(readFileSync(picture).subarray(0, 6).toString()).toBe('GIF89a')
  expect(statSync(picture).size).toBeLessThan(1_500_000)
})
