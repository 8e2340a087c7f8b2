/**
 * What people install: the packages are packed, installed into an empty folder and used there as README.md and
 * docs/three.md tell, every code block as written. Nothing here sees the repository's own build but through the tarballs.
 */
import { spawn } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readNpy, writeNpy } from 'pliant/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from '../advice.js'
import { type Answers, hasChromium, Site } from './browser.js'
import { BUNDLERS, bundleByEsbuild } from './bundlers.js'
import { type CodeBlock, codeBlocks } from './code-blocks.js'
import { LISTED, type LineTreatment, type ShellTreatment } from './listed-blocks.js'
import { installInto, megabytes, type Packed, Project, packAll } from './project.js'
import { GIVEN_PAGE, GIVEN_TYPES, writeReadersFiles } from './readers-own.js'
import { shippedPath } from './shipped-files.js'
import { typeCheck } from './type-check.js'

const NAMES = ['pliant', '@pliant/train', '@pliant/cli', '@pliant/bench'] as const
const blocks = ['README.md', 'docs/three.md'].flatMap(codeBlocks)
const scripts = blocks.filter(({ name }) => ['chromium', 'compiler'].includes(LISTED[name]?.by))
const [first] = scripts

const project = new Project()
let packed: Record<string, Packed>
let site: Site | undefined

beforeAll(async () => {
  packed = await packAll(project.tarballs)
  await writeReadersFiles(project.folder)
  if (hasChromium) site = await Site.open(project)
}, 300_000)

afterAll(async () => {
  await site?.close()
  project.remove()
})

/** Installs as the README tells; the registry knows our packages only once they are published. */
async function install(name: string): Promise<void> {
  const lines = blocks.filter((block) => LISTED[block.name]?.by === 'install').flatMap(({ text }) => text.split('\n'))
  const line = lines.find((one) => one.split('#')[0].split(/\s+/).includes(name))
  expect(line, `the README says how to install ${name}`).toBeDefined()
  const words = line!
    .split('#')[0]
    .split(/\s+/)
    .flatMap((word) => (word === '@pliant/cli' ? ['@pliant/train', word] : [word]))
    .map((word) => packed[word]?.tarball ?? word)
  const { code, stderr } = await project.shell(words.join(' '), { registry: true })
  expect(code, stderr).toBe(0)
}

/** @param name  of a file in the project */
const read = (name: string): string => readFileSync(project.path(name), 'utf8')

/** What an installed package says of itself. */
const manifestOf = (name: string) => JSON.parse(read(`node_modules/${name}/package.json`))

describe('documents', () => {
  it('have no code block of which the list does not say how it is run, and the list no block that is gone', () => {
    expect(blocks.map(({ name }) => name)).toEqual(Object.keys(LISTED))
  })

  it("show the same first example in the runtime's own README", () => {
    expect(readFileSync(join(ROOT, 'packages/pliant/README.md'), 'utf8')).toContain(first.text)
  })
})

describe('the runtime alone', () => {
  it('installs from its tarball', async () => {
    await install('pliant')
    console.log(`An empty project with pliant installs ${megabytes(project.installedBytes())}.`)
  }, 300_000)

  it('serves the first example: type-checked under both resolutions', async () => {
    // Answers are handed to the page; the rest is as written.
    const report = 'Object.assign(globalThis, { answers: { distances: [...distances], directions: [...gradients] } })\n'
    project.write('first.ts', first.text + report)
    expect(await typeCheck(project, ['first.ts'])).toBe('')
  }, 300_000)

  it.skipIf(!hasChromium).each(Object.keys(BUNDLERS))(
    'serves the first example, bundled by %s, in a page',
    async (bundler) => {
      await BUNDLERS[bundler](project, 'built/first.js', `bundled/${bundler}`)
      const { distances } = await site!.run(`bundled/${bundler}/main.js`)
      const promised = /\/\/ ([-\d.]+) and ([-\d.]+): negative inside/.exec(first.text)!
      expect(distances[0]).toBeCloseTo(Number(promised[1]), 2)
      expect(distances[1]).toBeCloseTo(Number(promised[2]), 2)
    },
    120_000,
  )
})

describe('the command line', () => {
  it('installs from its tarball', async () => {
    await install('@pliant/cli')
    console.log(`With @pliant/cli it installs ${megabytes(project.installedBytes())}.`)
  }, 300_000)

  it.each(['bench exact', 'reproduce cloth'])('%s asks for the package that it needs, in one line', async (call) => {
    const { code, stderr } = await project.shell(`node_modules/.bin/pliant ${call}`)
    expect(stderr).toMatch(
      /^pliant: \w+: its package @pliant\/bench is not installed; run 'npm install @pliant\/bench'\.\n$/,
    )
    expect(code).toBe(2)
  })

  it('answers queries', async () => {
    writeArray('code.npy', [0.5, -0.2, 0.8], [3])
    writeArray('points.npy', [0.1, 0.06, 0, 0.3, 0.05, 0.02], [2, 3])
    const call = 'npx pliant query bar.safetensors --code code.npy --points points.npy --out distances.npy'
    const { code, stderr } = await project.shell(call)
    expect(code, stderr).toBe(0)
    const { data } = readNpy(readFileSync(project.path('distances.npy')))
    expect(data[0]).toBeGreaterThan(0)
    expect(data[1]).toBeLessThan(0)
  })

  it('serves the studio, its trained files and its documentation', async () => {
    const words = ['studio', '--port', '0', '--no-open', '--json']
    const child = spawn(project.path('node_modules/.bin/pliant'), words, { cwd: project.folder })
    try {
      const line = await new Promise<string>((resolve, reject) => {
        child.stdout.once('data', (chunk) => resolve(String(chunk)))
        child.once('close', (code) => reject(new Error(`studio ended with code ${code}`)))
      })
      const { url } = JSON.parse(line)
      const page = await (await fetch(url)).text()
      const script = /src="\.\/([^"]+\.js)"/.exec(page)![1]
      for (const name of [script, 'artifacts/bar.safetensors', 'docs/index.html']) {
        expect((await fetch(new URL(name, url))).status, name).toBe(200)
      }
    } finally {
      child.kill('SIGINT')
    }
  })

  it('measures and reproduces once the package for that is there', async () => {
    await installInto(project.folder, [packed['@pliant/bench'].tarball])
    console.log(`With @pliant/bench it installs ${megabytes(project.installedBytes())}.`)
    const measured = await project.shell('npx pliant bench exact --quick --json')
    expect(measured.code, measured.stderr).toBe(0)
    expect(JSON.parse(measured.stdout)).toMatchObject({ suite: 'exact', commit: null })
    // Goes on for a minute; that it finds what it measures is seen at once.
    expectProgress(await project.shell('npx pliant reproduce haptics --quick', { stopAt: PROGRESS }))
  }, 300_000)
})

describe.each(NAMES)('the package %s', (name) => {
  it('says what it is, and has what that names', () => {
    const manifest = manifestOf(name)
    for (const key of ['description', 'license', 'types', 'keywords', 'engines', 'repository', 'files']) {
      expect(manifest, key).toHaveProperty(key)
    }
    const { types, bin = {}, exports } = manifest
    const entries = Object.values(exports as Record<string, Record<string, string>>).flatMap(Object.values)
    for (const path of [types, ...Object.values(bin), ...entries, './README.md', './LICENSE']) {
      expect(packed[name].files).toContain(path.replace('./', ''))
    }
  })

  it('holds no tests, no leftovers of the build and nothing without a source', () => {
    const { files } = packed[name]
    expect(files.filter((path) => /tsbuildinfo|(^|\/)tests?\/|\.test\./.test(path))).toEqual([])
    const folder = name === '@pliant/bench' ? 'bench' : `packages/${name.replace('@pliant/', '')}`
    const sources = files.flatMap((path) => /^dist\/(.*)\.js$/.exec(path)?.[1] ?? [])
    for (const source of sources) expect(() => readFileSync(join(ROOT, folder, 'src', `${source}.ts`))).not.toThrow()
  })

  it('has source maps that carry their sources', () => {
    const maps = packed[name].files.filter((path) => path.endsWith('.map'))
    expect(maps.length).toBeGreaterThan(10)
    for (const path of maps) {
      const { sources, sourcesContent } = JSON.parse(read(`node_modules/${name}/${path}`))
      expect(sourcesContent, path).toHaveLength(sources.length)
    }
  })

  it('depends on every package that it imports', () => {
    const { dependencies = {}, peerDependencies = {} } = manifestOf(name)
    const declared = [name, ...Object.keys(dependencies), ...Object.keys(peerDependencies)]
    const missing = packed[name].files
      .filter((path) => /^dist\/.*\.js$/.test(path))
      .flatMap((path) => importedBy(read(`node_modules/${name}/${path}`)).map((target) => `${path}: ${target}`))
      .filter((line) => !declared.includes(line.split(': ')[1]))
    expect(missing).toEqual([])
  })
})

describe('every code block, as written', () => {
  it('type-checks, if it is a script', async () => {
    project.write('given.d.ts', GIVEN_TYPES)
    scripts.forEach(({ text }, i) => {
      project.write(scriptName(i, 'ts'), text)
    })
    expect(await typeCheck(project, ['given.d.ts', ...scripts.map((_, i) => scriptName(i, 'ts'))])).toBe('')
  }, 300_000)

  it('begins, if it takes minutes', async () => {
    const long = blocks.flatMap((block) => {
      const listed = LISTED[block.name]
      return listed?.by === 'shell' ? linesOf(block, listed).filter((one) => one.listed?.stopped) : []
    })
    expect(long.length).toBeGreaterThan(0)
    for (const { listed } of long) leave(listed)
    // All at once, as each is silent for its first five seconds; a line that two documents show is run once.
    const lines = new Set(long.map(({ line }) => line))
    await Promise.all([...lines].map(async (line) => expectProgress(await project.shell(line, { stopAt: PROGRESS }))))
  }, 300_000)

  for (const block of blocks) {
    const listed = LISTED[block.name]
    if (listed?.by === 'shell') it(block.name, () => runShellBlock(block, listed), 300_000)
    if (listed?.by === 'chromium' && block !== first) {
      it.skipIf(!hasChromium)(block.name, () => runInPage(scripts.indexOf(block)))
    }
  }
})

const scriptName = (i: number, ending: string): string => `block-${i}.${ending}`

/** A line of progress. */
const PROGRESS = /^ *\d+%/m

function expectProgress({ stderr }: { stderr: string }): void {
  expect(stderr).toMatch(PROGRESS)
  // Being stopped is all that it may complain of.
  expect(stderr.match(/^pliant: (?!.*(interrupted|aborted|warning)).*/gm)).toBeNull()
}

/** The lines of a block, and what the list says of them. */
function linesOf({ text }: CodeBlock, { lines = {} }: ShellTreatment): { line: string; listed?: LineTreatment }[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ line, listed: Object.entries(lines).find(([start]) => line.startsWith(start))?.[1] }))
}

async function runShellBlock(block: CodeBlock, treatment: ShellTreatment): Promise<void> {
  for (const { line, listed } of linesOf(block, treatment)) {
    if (!listed?.stopped) {
      // Before the comment, if there is one.
      const short = listed?.added ? line.replace(/ *(#.*)?$/, ` ${listed.added}`) : line
      const { code, stderr } = await project.shell(short)
      expect(code, `${short}: ${stderr}`).toBe(0)
    }
    leave(listed)
  }
}

function leave({ leaves = {} }: LineTreatment = { why: '' }): void {
  for (const [name, made] of Object.entries(leaves)) copyFileSync(shippedPath(made), project.path(name))
}

async function runInPage(i: number): Promise<void> {
  project.write('given-page.js', GIVEN_PAGE)
  const report = 'globalThis.answers = { distances: [...distances], directions: [...normals] }'
  project.write(`page-${i}.js`, `import './given-page.js'\nimport './built/${scriptName(i, 'js')}'\n${report}\n`)
  await bundleByEsbuild(project, `page-${i}.js`, `bundled/page-${i}`)
  expectInsideThenOutside(await site!.run(`bundled/page-${i}/main.js`))
}

/** The reader's two points. */
function expectInsideThenOutside({ distances, directions }: Answers): void {
  expect(distances[0]).toBeLessThan(0)
  expect(distances[1]).toBeGreaterThan(0)
  // Unit normals, or a learned gradient, which is nearly that.
  const lengths = [0, 1].map((i) => Math.hypot(...directions.slice(3 * i, 3 * i + 3)))
  for (const length of lengths) expect(Math.abs(length - 1)).toBeLessThan(0.5)
}

function writeArray(name: string, values: readonly number[], shape: number[]): void {
  writeFileSync(project.path(name), writeNpy(Float64Array.from(values), shape))
}

/** Names of packages that a built script imports. */
function importedBy(text: string): string[] {
  const imports = text.matchAll(/^\s*(?:import|export) [^'"]*?from ['"]([^'"]+)['"]|\bimport\(['"]([^'"]+)['"]\)/gm)
  const targets = [...imports].map(([, still, later]) => still ?? later)
  const packages = targets.filter((target) => !/^(\.|node:)/.test(target))
  return packages.map((target) =>
    target
      .split('/')
      .slice(0, target.startsWith('@') ? 2 : 1)
      .join('/'),
  )
}
