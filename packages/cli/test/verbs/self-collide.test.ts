import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CUBE_OBJ, loadNpy } from '../npy.js'
import { runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
const cwd = folder.path
/** Two triangles that cross at right angles; the tip of the second lies 0.25 behind the first. */
const CROSSING_OBJ = `v 0 0 0
v 4 0 0
v 0 4 0
v 1 1 -0.25
v 1 1 1
v 2 1 1
f 1 2 3
f 4 5 6
`
beforeAll(() => {
  writeFileSync(folder.file('cube.obj'), CUBE_OBJ)
  writeFileSync(folder.file('crossing.obj'), CROSSING_OBJ)
})
afterAll(folder.remove)

const KEYS = ['colliding', 'pairs', 'truncated', 'depth', 'maxDepth', 'triangles', 'seconds']

describe('self-collide', () => {
  it('clears a mesh that does not meet itself', async () => {
    const { code, stdout } = await runPliant(['self-collide', 'cube.obj', '--json'], { cwd })
    expect(code).toBe(0)
    const result = JSON.parse(stdout)
    expect(Object.keys(result)).toEqual(KEYS)
    expect(result).toMatchObject({ colliding: false, pairs: 0, depth: null, maxDepth: null, triangles: 12 })
  })

  it('names the pairs and their depth', async () => {
    const words = ['self-collide', 'crossing.obj', '--depth', '--pairs', 'pairs.npy', '--json']
    const { code, stdout } = await runPliant(words, { cwd })
    expect(code).toBe(0)
    const result = JSON.parse(stdout)
    expect(Object.keys(result)).toEqual(KEYS)
    expect(result).toMatchObject({ colliding: true, pairs: 1, triangles: 2 })
    expect(result.depth).toBe(result.maxDepth)
    expect(result.depth).toBeGreaterThan(0)
    expect(result.depth).toBeLessThanOrEqual(0.25)
    const pairs = loadNpy(folder.file('pairs.npy'))
    expect(pairs).toMatchObject({ shape: [1, 2], dtype: 'u4' })
    expect([...pairs.data]).toEqual([0, 1])
  })

  it('says the same to a person', async () => {
    const { stdout } = await runPliant(['self-collide', 'crossing.obj', '--depth'], { cwd })
    expect(stdout).toMatch(/colliding +yes, 1 pairs of 2 triangles/)
    expect(stdout).toMatch(/depth +\S+ m in all/)
  })
})
