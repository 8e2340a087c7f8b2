import { readFileSync } from 'node:fs'
import { rigFromScene } from 'pliant/character'
import { readGltf } from 'pliant/files'
import { afterAll, expect, it } from 'vitest'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
afterAll(folder.remove)
const run = (...words: string[]) => runPliant(words, { cwd: folder.path })

it('writes a built-in character as a file that can be animated, and trained like any other', async () => {
  const { code, stdout, stderr } = await run('presets', '--glb', 'humanoid', '--json')
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout).file).toBe('humanoid.glb')
  const rig = rigFromScene(readGltf(readFileSync(folder.file('humanoid.glb'))))
  expect(rig.clips.map(({ name }) => name)).toContain('dance')
})

it.each([
  [['--glb', 'bar'], /'bar' is no built-in character/],
  [['--out', 'x.glb'], /--out is for --glb/],
] as const)('refuses %j in one line', async (words, message) => {
  const { code, stderr } = await run('presets', ...words)
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
  expect(isOneLine(stderr)).toBe(true)
})
