import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { buildPrograms } from '../../../src/suites/native/programs.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-test-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

/** A compiler that says its calls to a file, lacks Embree's headers, and makes all else. */
function fakeCompiler(): { path: string; calls: () => number } {
  const path = mkdtempSync(join(folder, 'bin-'))
  const log = join(path, 'calls')
  writeFileSync(
    join(path, 'g++'),
    `#!${process.execPath}
const fs = require('node:fs')
const words = process.argv.slice(2)
if (words[0] === '--version') { console.log('g++ of the test'); process.exit(0) }
fs.appendFileSync(${JSON.stringify(log)}, 'x')
if (words.some((word) => word.endsWith('embree.cpp'))) {
  console.error('/some/where/embree.cpp:8:10: fatal error: embree3/rtcore.h: No such file or directory\\ncompilation terminated.')
  process.exit(1)
}
fs.writeFileSync(words[words.indexOf('-o') + 1], 'made')
`,
  )
  chmodSync(join(path, 'g++'), 0o755)
  return { path, calls: () => (existsSync(log) ? readFileSync(log, 'utf8').length : 0) }
}

it('without g++ each program is left out with a line that says what to install', async () => {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  vi.stubEnv('PATH', empty)
  const { paths, skipped } = await buildPrograms({ folder: join(folder, 'none') })
  expect(paths).toEqual({})
  expect(skipped.map(({ reason }) => reason)).toEqual([
    'embree is left out: there is no g++; apt-get install g++ libembree-dev',
    'igl is left out: there is no g++; apt-get install g++ libigl-dev libeigen3-dev',
    'fcl is left out: there is no g++; apt-get install g++ libfcl-dev libccd-dev libeigen3-dev',
    'cgal is left out: there is no g++; apt-get install g++ libcgal-dev libgmp-dev libmpfr-dev',
  ])
})

it('without its package a program is left out alone, and the others are built once', async () => {
  const compiler = fakeCompiler()
  vi.stubEnv('PATH', compiler.path)
  const built = join(folder, 'built')
  const { paths, skipped } = await buildPrograms({ folder: built })
  expect(Object.keys(paths).sort()).toEqual(['cgal', 'fcl', 'igl'])
  expect(readFileSync(paths.fcl!, 'utf8')).toBe('made')
  expect(skipped).toEqual([
    {
      program: 'embree',
      reason:
        'embree is left out: fatal error: embree3/rtcore.h: No such file or directory; apt-get install g++ libembree-dev',
    },
  ])
  expect(compiler.calls()).toBe(4)
  expect((await buildPrograms({ folder: built })).paths).toEqual(paths)
  expect(compiler.calls()).toBe(5)
})
