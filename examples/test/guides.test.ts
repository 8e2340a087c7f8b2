/** The code of docs/guides and docs/contact.md is the code of the examples, which other tests run: neither may change alone. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const guides = [...readdirSync(new URL('docs/guides/', root)).map((name) => `docs/guides/${name}`), 'docs/contact.md']

/** Languages whose blocks must come from an example; others are commands and what they print. */
const CODE = new Set(['js', 'ts', 'mjs', 'python'])

describe.each(guides)('%s', (guide) => {
  const blocks = blocksOf(textOf(guide))

  it('has the code of its example', () => {
    const code = blocks.filter(({ language }) => CODE.has(language))
    expect(code.length).toBeGreaterThan(0)
    for (const { from, body } of code) {
      expect(from, `a block of code names no example:\n${body}`).toBeDefined()
      expect(body).toBe(regionOf(from!))
    }
  })

  it('has a command that runs its example', () => {
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ body }) => body)
    const paths = commands.join('\n').match(/examples\/[\w./-]+/g) ?? []
    expect(paths.length).toBeGreaterThan(0)
    for (const path of paths) expect(existsSync(new URL(path, root)), path).toBe(true)
  })
})

interface Block {
  language: string
  body: string
  /** `path#region` of the comment above it. */
  from: string | undefined
}

function blocksOf(markdown: string): Block[] {
  const pattern = /(?:<!-- from: (\S+) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm
  return [...markdown.matchAll(pattern)].map(([, from, language, body]) => ({ from, language, body }))
}

/** The lines between `#region name` and `#endregion` of an example, moved to the left. */
function regionOf(from: string): string {
  const [path, name] = from.split('#')
  const lines = textOf(path).split('\n')
  const start = lines.findIndex((line) => new RegExp(`^\\s*(//|#) ?#?region ${name}$`).test(line))
  const end = lines.findIndex((line, i) => i > start && /^\s*(\/\/|#) ?#?endregion$/.test(line))
  if (start < 0 || end < 0) throw new Error(`${path} has no region '${name}'; mark it with '#region ${name}'.`)
  const region = lines.slice(start + 1, end)
  const indent = Math.min(...region.filter((line) => line.trim()).map((line) => line.search(/\S/)))
  return `${region.map((line) => line.slice(indent)).join('\n')}\n`
}
