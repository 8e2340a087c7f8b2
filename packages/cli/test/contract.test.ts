import { readFileSync } from 'node:fs'
import { renderCliDocs, verbs } from '@pliant/cli'
import { describe, expect, it } from 'vitest'
import { isOneLine, runPliant } from './run-pliant.js'

describe('the command line is a contract', () => {
  it.each(verbs.map((verb) => verb.name))(
    '%s --help shows usage, an example and the JSON keys, and exits 0',
    async (name) => {
      const { code, stdout, stderr } = await runPliant([name, '--help'])
      expect(code).toBe(0)
      expect(stderr).toBe('')
      expect(stdout).toContain(`Usage:\n  pliant ${name}`)
      expect(stdout).toMatch(new RegExp(`Examples?:\\n  pliant ${name}`))
      expect(stdout).toContain('With --json:')
      expect(stdout).toContain('--quiet')
    },
  )

  it('--help lists every verb, and help VERB is VERB --help', async () => {
    const [general, asVerb, asFlag] = await Promise.all([
      runPliant(['--help']),
      runPliant(['help', 'distance']),
      runPliant(['distance', '--help']),
    ])
    for (const { name } of verbs) expect(general.stdout).toMatch(new RegExp(`^  ${name}  `, 'm'))
    expect(asVerb).toEqual(asFlag)
  })

  it.each([
    [[], 'verb'],
    [['distnace'], "did you mean 'distance'"],
    [['zzz'], '--help'],
    [['--json'], 'put it after'],
    [['distance', 'a.obj', '--pionts', 'P.npy'], 'did you mean --points'],
    [['distance', 'a.obj', '--points', '--out', 'D.npy'], '--points has no value'],
    [['distance', 'a.obj', '--points', 'P.npy'], '--out'],
    [['distance', 'a.obj', 'b.obj', '--points', 'P.npy', '--out', 'D.npy'], "'b.obj'"],
    [['distance', '--points', 'P.npy', '--out', 'D.npy'], 'MESH is missing'],
    [['distance', 'a.obj', '--points', 'P.npy', '--out', 'D.npy', '--sign', 'maybe'], 'auto, pseudonormal, winding'],
    [['distance', 'a.obj', '--points', 'P', '--points', 'P', '--out', 'D'], 'given twice'],
    [['presets', '--json=yes'], 'takes no value'],
    [['train', 'bar', '--out', 'x', '--seed', '1.5'], '--seed is 1.5'],
    [['train', 'bar', '--out', 'x', '--seed', 'one'], "--seed is 'one'"],
    [['studio', '--port', '70000'], '--port is 70000'],
    [['bench', 'everything'], "'everything'"],
    [['bench', 'toString'], "'toString'"],
  ])('a wrong call %j exits 2 with one line that names the value', async (words, expected) => {
    const { code, stdout, stderr } = await runPliant(words)
    expect(stderr).toContain(expected)
    expect(isOneLine(stderr), stderr).toBe(true)
    expect(code).toBe(2)
    if (!words.includes('--json')) expect(stdout).toBe('')
  })

  it('with --json a failed call leaves one object on stdout', async () => {
    const { code, stdout } = await runPliant(['inspect', 'no-such-file.obj', '--json'])
    const result = JSON.parse(stdout)
    expect(code).toBe(2)
    expect(Object.keys(result)).toEqual(['error', 'exitCode'])
    expect(result).toMatchObject({ exitCode: 2, error: expect.stringContaining('no-such-file.obj') })
  })

  it('--verbose adds the stack, which is otherwise kept away', async () => {
    const [plain, verbose] = await Promise.all([
      runPliant(['inspect', 'no-such-file.obj']),
      runPliant(['inspect', 'no-such-file.obj', '--verbose']),
    ])
    expect(plain.stderr).not.toContain('    at ')
    expect(verbose.stderr).toContain('    at ')
  })

  it('presets --json has the keys that its help promises', async () => {
    const { code, stdout } = await runPliant(['presets', '--json'])
    expect(code).toBe(0)
    const { presets } = JSON.parse(stdout)
    expect(presets.length).toBeGreaterThan(0)
    for (const preset of presets)
      expect(Object.keys(preset).sort()).toEqual(['codeSize', 'name', 'summary', 'trainsIn'])
  })

  it('docs/cli.md is what the verbs declare (if not: node scripts/cli-docs.mjs)', () => {
    const page = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
    expect(page).toBe(renderCliDocs())
  })
})
