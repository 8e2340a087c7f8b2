import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../run-pliant.js'

const script = new URL('../../../../scripts/check-imports.mjs', import.meta.url)
const { checkImports, unneededExceptions } = (await import(script.href)) as {
  checkImports: (root: string) => string[]
  unneededExceptions: (root: string, exceptions?: { from: string; target: string }[]) => string[]
}
const folder = temporaryFolder()
afterAll(folder.remove)
let trees = 0

/** Lays out a small house and gives its root. */
function house(files: Record<string, string>): string {
  const tree = `tree-${trees++}`
  const all = {
    'packages/pliant/package.json':
      '{ "name": "pliant", "exports": { ".": { "default": "./dist/index.js" }, "./sim": { "default": "./dist/sim/index.js" } } }',
    'packages/train/package.json': '{ "name": "@pliant/train", "exports": { ".": { "default": "./dist/index.js" } } }',
    'packages/train/src/index.ts': 'export {}',
    'packages/pliant/src/index.ts': "export * from './math/a.js'",
    'packages/pliant/src/math/a.ts': 'export const a = 1',
    ...files,
  }
  for (const [name, text] of Object.entries(all)) {
    const path = folder.file(`${tree}/${name}`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return folder.file(tree)
}

const BENCH = {
  'bench/package.json': '{ "name": "@pliant/bench", "exports": { ".": { "default": "./dist/index.js" } } }',
  'bench/src/suites/index.ts': "export { a } from './a/index.js'",
}

describe('check-imports', () => {
  it('finds packages that every call of the command would load', () => {
    const cli = {
      'packages/cli/package.json': '{ "name": "@pliant/cli", "exports": { ".": { "default": "./dist/index.js" } } }',
      'packages/cli/src/main.ts': "import './verb.js'\nimport 'node:fs'",
    }
    const late = { ...cli, 'packages/cli/src/verb.ts': "export const run = () => import('three')" }
    expect(checkImports(house(late))).toEqual([])
    const early = { ...cli, 'packages/cli/src/verb.ts': "import { a } from 'pliant'\nimport 'three'\na" }
    expect(checkImports(house(early))).toEqual([
      "packages/cli/src/verb.ts:2: every call of pliant loads 'three'; import it when it is used.",
    ])
  })

  it('passes a house in order, exceptions included', () => {
    const root = house({
      'packages/pliant/src/field/signed-field.ts': "import { a } from '../math/a.js'\nexport type F = typeof a",
      'packages/pliant/src/exact/mesh.ts':
        "import type { F } from '../field/signed-field.js'\nimport 'three'\nexport const f: F = 1",
      'packages/pliant/src/blocks/touch/b.ts':
        "import { s } from '../../sim/index.js'\nimport '../../index.js'\nexport { s }",
      'packages/pliant/src/sim/index.ts': 'export const s = 1',
      'packages/pliant/src/math/b.ts': "import { c } from './c.js'\nexport type B = typeof c",
      'packages/pliant/src/math/c.ts': "import type { B } from './b.js'\nexport const c: B | 1 = 1",
      'packages/pliant/src/net/threads.ts': "export const threads = () => import('node:worker_threads')",
      'packages/pliant/src/index.ts':
        "export * from './net/threads.js'\nexport type { F } from './field/signed-field.js'",
      'packages/train/src/index.ts': "import 'pliant'\nimport 'node:fs'",
      ...BENCH,
      'bench/src/suites/a/index.ts': "import type { T } from './run.js'\nexport const a = () => import('./run.js')",
      'bench/src/suites/a/run.ts': "import 'three'\nimport '../../timing/t.js'\nexport type T = 1",
      'bench/src/timing/t.ts': '',
    })
    expect(checkImports(root)).toEqual([])
  })

  it('ends with exit code 1 and one line per broken rule', () => {
    const root = house({ 'packages/pliant/src/misc/m.ts': '', 'packages/pliant/src/math/a.ts': "import 'three'" })
    const { status, stderr } = spawnSync(process.execPath, [fileURLToPath(script), root], { encoding: 'utf8' })
    expect(status).toBe(1)
    expect(stderr.trimEnd().split('\n')).toEqual(checkImports(root))
    expect(checkImports(root)).toHaveLength(2)
  })

  it.each([
    [
      'a room that imports a later one',
      { 'packages/pliant/src/math/b.ts': "import '../net/n.js'", 'packages/pliant/src/net/n.ts': '' },
      'math imports net',
    ],
    [
      'a type from a room behind',
      {
        'packages/pliant/src/field/f.ts': "import type { E } from '../exact/e.js'",
        'packages/pliant/src/exact/e.ts': 'export type E = 1',
      },
      'field imports exact',
    ],
    [
      'file formats that reach past meshes',
      { 'packages/pliant/src/files/f.ts': "import '../model/m.js'", 'packages/pliant/src/model/m.ts': '' },
      'files imports model',
    ],
    [
      'blocks that reach past an entry',
      {
        'packages/pliant/src/blocks/b.ts': "import '../sim/cloth/c.js'",
        'packages/pliant/src/sim/cloth/c.ts': '',
      },
      'packages/pliant/src/blocks/b.ts:1: blocks imports packages/pliant/src/sim/cloth/c.ts, past its entry',
    ],
    [
      'a room that imports blocks',
      { 'packages/pliant/src/respond/r.ts': "import '../blocks/b.js'", 'packages/pliant/src/blocks/b.ts': '' },
      'respond imports blocks',
    ],
    ['a room without a place', { 'packages/pliant/src/misc/m.ts': '' }, "room 'misc' has no place"],
    [
      'a runtime entry that reaches a package, however far down',
      {
        'packages/pliant/src/index.ts': "export * from './mesh/m.js'",
        'packages/pliant/src/mesh/m.ts': "export { x } from '../math/b.js'",
        'packages/pliant/src/math/b.ts': "import { x } from 'three'\nexport { x }",
      },
      "reaches 'three' by index.ts > mesh/m.ts > math/b.ts",
    ],
    [
      'a runtime entry that loads a package later on',
      { 'packages/pliant/src/math/a.ts': "export const ort = () => import('onnxruntime-node')" },
      "reaches 'onnxruntime-node'",
    ],
    [
      'threads loaded outright, which a browser cannot do',
      {
        'packages/pliant/src/index.ts': "export * from './net/t.js'",
        'packages/pliant/src/net/t.ts': "export * from 'node:worker_threads'",
      },
      "reaches 'node:worker_threads'",
    ],
    [
      'a runtime that imports the trainer',
      { 'packages/pliant/src/exact/e.ts': "import '@pliant/train'" },
      'packages/pliant imports packages/train',
    ],
    [
      'a trainer that imports the command line',
      {
        'packages/cli/package.json': '{ "name": "@pliant/cli", "exports": { ".": { "default": "./dist/index.js" } } }',
        'packages/cli/src/index.ts': '',
        'packages/train/src/index.ts': "import '@pliant/cli'",
      },
      'packages/train imports packages/cli',
    ],
    [
      'a stage of training that imports a later one, if only its types',
      {
        'packages/train/src/poses/p.ts': "import type { L } from '../learn/rounds/l.js'\nexport type P = L",
        'packages/train/src/learn/rounds/l.ts': "import '../../poses/q.js'\nexport type L = 1",
        'packages/train/src/poses/q.ts': '',
      },
      "packages/train/src/poses/p.ts:1: poses imports learn (packages/train/src/learn/rounds/l.ts), against the trainer's",
    ],
    [
      'a room of the trainer without a place',
      { 'packages/train/src/utils/u.ts': '' },
      "room 'utils' has no place in the",
    ],
    [
      'a path that leaves its package',
      { 'packages/train/src/index.ts': "import '../../pliant/src/math/a.js'" },
      'leaves its package',
    ],
    [
      'a suite that imports another',
      {
        ...BENCH,
        'bench/src/suites/a/index.ts': "import '../b/run.js'",
        'bench/src/suites/b/run.ts': '',
      },
      'imports suite b',
    ],
    [
      'a shared part of the bench that knows a suite',
      {
        ...BENCH,
        'bench/src/suites/a/run.ts': '',
        'bench/src/timing/t.ts': "import type { A } from '../suites/a/run.js'",
      },
      'imports suite a',
    ],
    [
      'a suite that loads what measures before it runs',
      {
        ...BENCH,
        'bench/src/suites/a/index.ts': "import './table.js'\nexport const run = () => import('./run.js')",
        'bench/src/suites/a/table.ts': "import { x } from 'three'\nexport { x }",
        'bench/src/suites/a/run.ts': "import 'onnxruntime-node'",
      },
      "table.ts:1: the list of suites loads 'three'",
    ],
    [
      'a cycle',
      {
        'packages/pliant/src/math/b.ts': "import './c.js'",
        'packages/pliant/src/math/c.ts': "import './d.js'",
        'packages/pliant/src/math/d.ts': "import { b } from './b.js'\nexport const d = b",
      },
      'import cycle',
    ],
  ])('finds %s', (_name, files, expected) => {
    expect(checkImports(house(files as Record<string, string>)).join('\n')).toContain(expected)
  })

  it('finds exceptions that nobody needs any more, and there are none', () => {
    const from = 'packages/train/src/poses/p.ts'
    const target = 'packages/train/src/learn/l.ts'
    const files = { [from]: "import '../learn/l.js'", [target]: '' }
    expect(unneededExceptions(house(files), [{ from, target }])).toEqual([])
    const stale = [`${from}: no longer imports ${target}; take it out of TRAIN_EXCEPTIONS.`]
    expect(unneededExceptions(house({ ...files, [from]: '' }), [{ from, target }])).toEqual(stale)
    expect(unneededExceptions(house({}), [{ from, target }])).toEqual(stale)
    expect(unneededExceptions(fileURLToPath(new URL('../../../../', import.meta.url)))).toEqual([])
  })
})
