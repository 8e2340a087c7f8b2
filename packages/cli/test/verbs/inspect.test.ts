import { existsSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CUBE_OBJ, saveNpy } from '../npy.js'
import { isOneLine, runPliant, temporaryFolder } from '../run-pliant.js'

const folder = temporaryFolder()
const cwd = folder.path
const shared = fileURLToPath(new URL('../../../../../shared/data/', import.meta.url))
beforeAll(() => {
  writeFileSync(folder.file('cube.obj'), CUBE_OBJ)
  writeFileSync(folder.file('open.obj'), CUBE_OBJ.split('\n').slice(0, -3).join('\n'))
  saveNpy(folder.file('a.npy'), Float32Array.of(1, 2, Number.NaN, 4), [2, 2])
})
afterAll(folder.remove)

async function inspect(file: string): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await runPliant(['inspect', file, '--json'], { cwd })
  expect(stderr).toBe('')
  expect(code).toBe(0)
  return JSON.parse(stdout)
}

describe('inspect', () => {
  it('describes a closed mesh', async () => {
    const result = await inspect('cube.obj')
    expect(result).toMatchObject({ kind: 'mesh', format: 'obj', vertices: 8, triangles: 12, closed: true, issues: [] })
    expect(result['volume']).toBeCloseTo(1, 12)
    expect(result['area']).toBeCloseTo(6, 12)
    expect(result['diagonal']).toBeCloseTo(Math.sqrt(3), 12)
    expect(result['box']).toEqual({ lower: [0, 0, 0], upper: [1, 1, 1] })
  })

  it('says what is wrong with an open one and what to do', async () => {
    const result = await inspect('open.obj')
    expect(result).toMatchObject({ closed: false, volume: null })
    expect(result['issues']).toEqual([
      expect.objectContaining({ kind: 'open-boundary', severity: 'warning', count: 4 }),
    ])
    const { stdout } = await runPliant(['inspect', 'open.obj'], { cwd })
    expect(stdout).toMatch(/warning +4 edges with one triangle.*; close the holes/)
  })

  it('describes an array', async () => {
    expect(await inspect('a.npy')).toEqual({
      kind: 'array',
      file: 'a.npy',
      shape: [2, 2],
      dtype: 'float32',
      min: 1,
      max: 4,
      notFinite: 1,
    })
  })

  it('names a file that it does not know', async () => {
    writeFileSync(folder.file('note.txt'), 'just some words, no mesh\n')
    const { code, stderr } = await runPliant(['inspect', 'note.txt'], { cwd })
    expect(code).toBe(2)
    expect(isOneLine(stderr), stderr).toBe(true)
    expect(stderr).toContain('note.txt')
  })

  it.skipIf(!existsSync(shared))('describes tetrahedra and rigs of the shared data', async () => {
    const body = await inspect(`${shared}tet-bunny.msh`)
    expect(body).toMatchObject({ kind: 'tetrahedra', format: 'gmsh', surface: { closed: true } })
    expect(body['volume']).toBeGreaterThan(0)
    const rig = await inspect(`${shared}rig-fox.glb`)
    expect(rig).toMatchObject({ kind: 'rig', format: 'gltf' })
    expect(rig['joints']).toBeGreaterThan(0)
    const clips = rig['clips'] as { name: string; seconds: number }[]
    expect(clips.length).toBeGreaterThan(0)
    for (const clip of clips) expect(clip.seconds).toBeGreaterThan(0)
  })

  it('reads a file of two parts, and asks for the missing one', async () => {
    writeFileSync(folder.file('t.node'), '4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n')
    const { code, stderr } = await runPliant(['inspect', 't.node'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/t\.ele: there is no such file/)
    writeFileSync(folder.file('t.ele'), '1 4 0\n0 0 1 2 3\n')
    const result = await inspect('t.node')
    expect(result).toMatchObject({ kind: 'tetrahedra', nodes: 4, tetrahedra: 1 })
    expect(result['volume']).toBeCloseTo(1 / 6, 12)
  })

  it('says what is wrong with tetrahedra', async () => {
    writeFileSync(folder.file('loose.node'), '5 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n4 9 9 9\n')
    writeFileSync(folder.file('loose.ele'), '1 4 0\n0 0 1 2 3\n')
    const { issues } = await inspect('loose.ele')
    expect(issues).toEqual([
      expect.objectContaining({ kind: 'unreferenced-node', severity: 'warning', count: 1, at: [4] }),
    ])
  })
})
