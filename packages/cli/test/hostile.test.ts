/**
 * Hostile files as a user meets them, each in a process of its own that has 1 GB and tells how much it took: a file
 * that gets through ends that process and not the test run.
 */
import { execFileSync, spawn } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blankBvh, hostileFiles } from '../../pliant/test/files/hostile-files.js'
import { bin, type Outcome, runPliant, temporaryFolder } from './run-pliant.js'

const folder = temporaryFolder()
const cwd = folder.path
afterAll(folder.remove)

const GIGABYTE = 1_000_000_000
/** Writes the largest memory it had [kB] behind everything else. */
const MEASURE = "process.on('exit', () => process.stderr.write('\\nRSS ' + process.resourceUsage().maxRSS))"
const LIMITS = ['--max-old-space-size=900', '--import', `data:text/javascript,${encodeURIComponent(MEASURE)}`]

function runMeasured(words: readonly string[]): Promise<Outcome & { memory: number }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...LIMITS, bin, ...words], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      const [said, measured] = stderr.split('\nRSS ')
      resolve({ code, stdout, stderr: said, memory: 1024 * Number(measured) })
    })
  })
}

/** Progress may stand before it where the machine is slow. */
const ONE_LINE = /^( *\d+% .*\n)*pliant: [\x20-\x7e]+\n?$/

describe.each(hostileFiles())('$name', ({ name, bytes, refused }) => {
  it('is inspected or refused in one line, within 1 GB', async () => {
    writeFileSync(folder.file(name), bytes)
    const { code, stderr, memory } = await runMeasured(['inspect', name])
    expect(memory).toBeLessThan(GIGABYTE)
    // What the reader takes may still be refused as a rig.
    if (refused || code !== 0) {
      expect(code, stderr).toBe(2)
      expect(stderr).toMatch(ONE_LINE)
    }
  })
})

it('20,000 triangles that all cross end with a million pairs, within 1 GB', async () => {
  const lines: string[] = []
  for (let i = 0; i < 20_000; i++) {
    const [x, y] = [Math.cos((Math.PI * i) / 20_000), Math.sin((Math.PI * i) / 20_000)]
    lines.push(`v ${x} ${y} ${-1 - 1e-6 * i}`, `v ${-x} ${-y} ${-1 + 1e-6 * i}`, `v ${0.1 * x + 1e-7 * i} ${0.1 * y} 1`)
  }
  for (let i = 0; i < 20_000; i++) lines.push(`f ${3 * i + 1} ${3 * i + 2} ${3 * i + 3}`)
  writeFileSync(folder.file('cross.obj'), lines.join('\n'))
  const { code, stdout, memory } = await runMeasured(['self-collide', 'cross.obj', '--json'])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ colliding: true, pairs: 1_000_000, truncated: true })
  expect(memory).toBeLessThan(GIGABYTE)
})

it('a motion with a line of blanks is read, within 1 GB', async () => {
  writeFileSync(folder.file('blank.bvh'), blankBvh())
  const { code, stderr, memory } = await runMeasured(['inspect', 'blank.bvh', '--json'])
  expect(code, stderr).toBe(0)
  expect(memory).toBeLessThan(GIGABYTE)
})

describe('a .gltf that names what is not beside it', () => {
  beforeAll(() => {
    if (process.platform !== 'win32') execFileSync('mkfifo', [folder.file('pipe.bin')])
    symlinkSync('/etc', folder.file('etc'))
  })

  it.each([
    '../secret.bin',
    '%2e%2e%2fsecret.bin',
    '/etc/passwd',
    'etc/passwd',
    'file:///etc/passwd',
    'pipe.bin',
    'none.bin',
  ])('%s is refused in one line', async (uri) => {
    const json = { asset: { version: '2.0' }, buffers: [{ uri, byteLength: 12 }] }
    writeFileSync(folder.file('naming.gltf'), JSON.stringify(json))
    const { code, stdout, stderr } = await runPliant(['inspect', 'naming.gltf'], { cwd })
    expect(code, stderr).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(ONE_LINE)
  })
})

it('names that would command a terminal do not reach it, in text, in JSON and in errors', async () => {
  const esc = String.fromCharCode(27)
  const name = `arm${esc}[2J${String.fromCharCode(0x9b)}2J\nforged line${String.fromCharCode(0x202e)}`
  const positions = Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer)
  const json = {
    asset: { version: '2.0' },
    buffers: [{ uri: `data:;base64,${positions.toString('base64')}`, byteLength: 36 }],
    bufferViews: [{ buffer: 0, byteLength: 36 }],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3' }],
    meshes: [{ name, primitives: [{ attributes: { POSITION: 0 } }] }],
    nodes: [{ mesh: 0, name }],
  }
  writeFileSync(folder.file('named.gltf'), JSON.stringify(json))
  const text = await runPliant(['inspect', 'named.gltf'], { cwd })
  expect(text.code, text.stderr).toBe(0)
  expect(text.stdout).toContain('arm?[2J?2J?forged line?')
  expect(text.stdout).toMatch(/^[\x20-\x7e\n]*$/)
  const { stdout } = await runPliant(['inspect', 'named.gltf', '--json'], { cwd })
  expect(stdout).toMatch(/^[\x20-\x7e]*\n$/)
  expect(JSON.parse(stdout).meshes[0].name).toBe(name)
  const error = await runPliant(['inspect', `none${esc}[2J.obj`], { cwd })
  expect(error.stderr).toMatch(ONE_LINE)
})
