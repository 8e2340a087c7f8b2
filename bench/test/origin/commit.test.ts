import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { describeCommit } from '../../src/origin/commit.js'

const folder = mkdtempSync(join(tmpdir(), 'pliant-commit-'))
afterAll(() => rmSync(folder, { recursive: true }))
const git = (...words: string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: folder, encoding: 'utf8' }).trim()

test('a figure names the commit that it is of, and says if files differ from it', () => {
  expect(describeCommit(folder)).toBeNull()
  git('init', '-q')
  mkdirSync(join(folder, 'bench', 'results'), { recursive: true })
  writeFileSync(join(folder, 'code.ts'), '1')
  writeFileSync(join(folder, 'bench', 'results', 'bar.json'), '1')
  git('add', '.')
  git('commit', '-q', '-m', 'first')
  const id = git('rev-parse', 'HEAD')
  expect(describeCommit(folder)).toBe(id)
  // What one suite saves makes the next one's code no other.
  writeFileSync(join(folder, 'bench', 'results', 'bar.json'), '2')
  writeFileSync(join(folder, 'bench', 'results', 'cloth.json'), '2')
  expect(describeCommit(join(folder, 'bench'))).toBe(id)
  writeFileSync(join(folder, 'code.ts'), '2')
  expect(describeCommit(join(folder, 'bench'))).toBe(`${id} dirty`)
  // Where Pliant is installed, the repository around it is somebody else's.
  const installed = join(folder, 'node_modules', '@pliant', 'bench')
  mkdirSync(installed, { recursive: true })
  expect(describeCommit(installed)).toBeNull()
})
