/** The API reference: what its generator makes of doc comments, and what it finds missing. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

interface Api {
  entries: { name: string; names: { name: string }[] }[]
  gaps: string[]
}
const script = (name: string) => new URL(`../../../../scripts/${name}.mjs`, import.meta.url).href
const { readApi } = (await import(script('api-surface'))) as { readApi: (root: string, packages?: string[]) => Api }
const { renderApi, stalePages } = (await import(script('api-reference'))) as {
  renderApi: (entries: Api['entries']) => Map<string, string>
  stalePages: (folder: string, pages: Map<string, string>) => string[]
}

const folder = mkdtempSync(join(tmpdir(), 'pliant-api-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let houses = 0

/** A package of one entry that exports these sources, and another that is not stable. */
function read(source: string): Api {
  const root = join(folder, `house-${houses++}`)
  const files = {
    'box/package.json': JSON.stringify({
      name: 'box',
      exports: { '.': { default: './dist/index.js' }, './unstable': { default: './dist/unstable.js' } },
    }),
    'box/src/index.ts': `/** Boxes, and what is in them. More of that. */\nexport * from './a.js'\n`,
    'box/src/unstable.ts': 'export function undocumented(): void {}\n',
    'box/src/a.ts': source,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return readApi(root, ['box'])
}

describe('the reference of this repository', () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url))
  const { entries, gaps } = readApi(root)

  it('has a doc comment for every public name, with units, and mentions no name that is not public', () => {
    expect(gaps).toEqual([])
  })

  it('is what the sources say (if not: npm run docs)', () => {
    expect(stalePages(join(root, 'docs', 'api'), renderApi(entries))).toEqual([])
  })

  it('tells nothing of entries that are not stable', () => {
    expect(entries.map(({ name }) => name).filter((name) => /unstable/.test(name))).toEqual([])
    expect(entries.length).toBeGreaterThan(5)
  })
})

describe('a page of the reference', () => {
  it('has signature, sentence, parameters and what is thrown', () => {
    const { entries, gaps } = read(`
      /** How to open. */
      export interface OpenOptions {
        /** How wide [m]; 1 if left out. */
        width?: number
      }
      /**
       * Opens a box, see \`OpenOptions\`.
       * @param box  which one
       * @returns how far it is open [m]
       * @throws RangeError if there is no such box
       */
      export function open(box: string, options: OpenOptions = {}): number { return options.width ?? box.length }
      /** A box. */
      export class Crate {
        #secret = 1
        /** What is in it. */
        readonly content: string[] = []
        /** @internal */
        hidden = 2
        /** @param side  which side is up */
        constructor(side: 'a' | 'b') {}
        /** Shuts it. */
        shut(): void {}
        private never(): void {}
      }`)
    expect(gaps).toEqual([])
    const pages = renderApi(entries)
    expect([...pages.keys()]).toEqual(['index.md', 'box.md'])
    expect(pages.get('index.md')).toContain('| [`box`](box.md) | 3 | Boxes, and what is in them. |')
    const page = pages.get('box.md')!
    expect(page).toContain(`## function open

Opens a box, see [\`OpenOptions\`](#interface-openoptions).

\`\`\`ts
function open(box: string, options?: OpenOptions): number
\`\`\`

- \`box\`: which one
- returns how far it is open [m]
- throws RangeError if there is no such box
`)
    expect(page).toContain('- `width?: number`: How wide [m]; 1 if left out.')
    expect(page).toContain("```ts\nnew Crate(side: 'a' | 'b')\n```\n\n- `side`: which side is up")
    expect(page).toContain('- `readonly content: string[]`: What is in it.')
    expect(page).toContain('### Crate.shut\n\n```ts\nshut(): void\n```\n\nShuts it.')
    expect(page).not.toMatch(/secret|hidden|never|undocumented/)
  })

  it('is out of date once a file differs, is missing or is left over', () => {
    const pages = new Map([
      ['a.md', 'one'],
      ['b.md', 'two'],
      ['c.md', 'three'],
    ])
    const there = join(folder, 'pages')
    mkdirSync(there)
    for (const [name, text] of [
      ['a.md', 'one'],
      ['b.md', 'TWO'],
      ['d.md', 'four'],
    ]) {
      writeFileSync(join(there, name), text)
    }
    expect(stalePages(there, pages).sort()).toEqual(['b.md', 'c.md', 'd.md'])
  })
})

describe('a gap', () => {
  it('is a name or a member without a sentence', () => {
    const { gaps } = read(`
      export const a = 1
      /** @throws Error always */
      export function b(): void {}
      /** Known. */
      export interface C {
        d: string
        /** Told. */
        e: string
        f(): void
      }`)
    expect(gaps.map((gap) => gap.split(':', 2).join(':'))).toEqual(['box: C.d', 'box: C.f', 'box: a', 'box: b'])
    expect(gaps[2]).toBe('box: a: has no doc comment; say in a sentence what it is.')
  })

  it('is a name in a signature that no public entry exports, written or inferred', () => {
    const { gaps } = read(`
      /** Public. */
      export interface Lid {
        /** Which side is up. */
        side: Side
      }
      interface Side { a: 1 }
      type Kept = ReadonlyMap<string, Side>
      /** Opens. */
      export function open(lid: Lid, kept: readonly Kept[]): Promise<Lid> { throw new Error() }
      /** Its side. */
      export function sideOf(lid: Lid) { return { inner: [lid.side] } }
      /** A crate. */
      export class Crate<T extends Lid = Lid> {
        /** What is in it. */
        readonly inside = [] as Side[]
        /** @internal */
        readonly own: Kept | undefined
        /** Takes out. */
        take(of: T, when: Date, map: Map<string, T>): { kept?: Kept } { return {} }
      }`)
    const told = (place: string, name: string): string =>
      `box: ${place}: '${name}' in its signature is not public; export it from an entry, or write it out.`
    expect(gaps).toEqual([
      told('Crate.inside', 'Side'),
      told('Crate.take', 'Kept'),
      told('Lid.side', 'Side'),
      told('open', 'Kept'),
      told('sideOf', 'Side'),
    ])
  })

  it('is a quantity without a unit', () => {
    const { gaps } = read(`
      /** Moves it. */
      export function move(points: Float64Array, frameTime: number, count: number): void {}
      /** Moves it by points [m] over a time [s]. */
      export function moveTold(points: Float64Array, frameTime: number): void {}
      /** A ball. */
      export interface Ball {
        /** How large. */
        radius: number
        /** How heavy [kg]. */
        mass: number
        /** How many. */
        points: number
      }`)
    expect(gaps).toEqual([
      "box: Ball.radius: 'radius' is a quantity without a unit; say it, as in 'its length [m]'.",
      "box: move: 'frameTime' is a quantity without a unit; say it, as in 'its length [m]'.",
      "box: move: 'points' is a quantity without a unit; say it, as in 'its length [m]'.",
    ])
  })
})
