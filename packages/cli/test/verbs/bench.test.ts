import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, expect, it } from 'vitest'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
afterAll(folder.remove)

const run = (...words: string[]) => runPliant(['bench', ...words], { cwd: folder.path })
const results = folder.file('bench/results/contact.json')

it('saves a run of some parts into the file that is there', async () => {
  mkdirSync(folder.file('bench/results'), { recursive: true })
  const before = { date: '2026-01-02T00:00:00Z', machine: { cpu: 'old' }, commit: null, quick: false }
  const figures = { pairs: { poses: 9 }, curves: { places: 9 } }
  writeFileSync(results, JSON.stringify({ suite: 'contact', ...before, result: figures }))
  const { code, stdout, stderr } = await run('contact', '--parts', 'curves', '--quick', '--save', '--json')
  expect(code, stderr).toBe(0)
  const told = JSON.parse(stdout)
  expect(Object.keys(told.result)).toEqual(['machine', 'curves'])
  expect(told).not.toHaveProperty('origins')
  const { date, machine, commit, quick } = told
  const saved = JSON.parse(readFileSync(results, 'utf8'))
  expect(saved).toEqual({
    ...told,
    origins: { pairs: before, curves: { date, machine, commit, quick } },
    result: { ...told.result, pairs: figures.pairs },
  })
})

it('does not begin, and writes nothing, where the file is something else', async () => {
  for (const text of ['{"result": [', '[]', 'null']) {
    writeFileSync(results, text)
    const { code, stderr } = await run('contact', '--parts', 'curves', '--quick', '--save')
    expect(code).toBe(2)
    expect(isOneLine(stderr), stderr).toBe(true)
    expect(stderr).toContain('contact.json holds no result of a suite')
    expect(readFileSync(results, 'utf8')).toBe(text)
  }
})
