import { readdirSync, writeFileSync } from 'node:fs'
import type { TetMesh } from 'pliant'
import { writeMedit } from 'pliant/files'
import { afterAll, expect, it } from 'vitest'
import { boxOfTets } from '../../pliant/test/mesh/box-of-tets.js'
import { isOneLine, runPliant, temporaryFolder } from './run-pliant.js'

const folder = temporaryFolder()
afterAll(folder.remove)

const box = boxOfTets([2, 1, 1], [0.4, 0.2, 0.2])
const tets = (change: (mesh: TetMesh) => TetMesh): Uint8Array | string =>
  writeMedit(change({ positions: box.positions.slice(), tetrahedra: box.tetrahedra.slice() }))

/** Two corners of the first tetrahedron swapped. */
const inverted = tets(({ positions, tetrahedra }) => {
  tetrahedra.set([tetrahedra[1], tetrahedra[0]])
  return { positions, tetrahedra }
})
/** One more, flat on three corners of the first. */
const flat = tets(({ positions, tetrahedra }) => {
  const [a, b, c] = [0, 1, 2].map((corner) => 3 * tetrahedra[corner])
  const middle = [0, 1, 2].map((axis) => (positions[a + axis] + positions[b + axis] + positions[c + axis]) / 3)
  const more = [tetrahedra[0], tetrahedra[1], tetrahedra[2], positions.length / 3]
  return {
    positions: Float64Array.of(...positions, ...middle),
    tetrahedra: Uint32Array.of(...tetrahedra, ...more),
  }
})
const separate = tets(({ positions, tetrahedra }) => ({
  positions: Float64Array.of(...positions, ...positions.map((x, i) => (i % 3 === 0 ? x + 1 : x))),
  tetrahedra: Uint32Array.of(...tetrahedra, ...tetrahedra.map((node) => node + positions.length / 3)),
}))
/** A tetrahedron's surface without one of its triangles. */
const open = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n'

it.each([
  ['inverted.mesh', inverted, /inverted\.mesh: .*1 are inverted: 0; reorder the corners/],
  ['flat.mesh', flat, /flat\.mesh: .*1 have no volume: 12; mesh it again/],
  ['separate.mesh', separate, /separate\.mesh: .*2 separate bodies.*: 0, 12; pass one body/],
  ['open.obj', open, /3 edges with one triangle: the surface is open.*; close it/],
])(
  'refuses the body %s in one line that says where and what to do, and writes nothing',
  async (name, bytes, message) => {
    writeFileSync(folder.file(name), bytes)
    writeFileSync(folder.file(`${name}.json`), JSON.stringify({ model: { body: name } }))
    const { code, stdout, stderr } = await runPliant(['train', `${name}.json`, '--out', 'out.safetensors'], {
      cwd: folder.path,
    })
    expect(stderr).toMatch(message)
    expect(isOneLine(stderr), stderr).toBe(true)
    expect(stdout).toBe('')
    expect(code).toBe(2)
    expect(readdirSync(folder.path).filter((file) => file.startsWith('out'))).toEqual([])
  },
)

it('refuses a tetrahedral file by itself as it refuses a spec of it', async () => {
  writeFileSync(folder.file('alone.mesh'), flat)
  const { code, stderr } = await runPliant(['train', 'alone.mesh', '--out', 'out.safetensors'], { cwd: folder.path })
  expect(stderr).toMatch(/alone\.mesh: .*have no volume/)
  expect(isOneLine(stderr), stderr).toBe(true)
  expect(code).toBe(2)
})

it('drops nodes that no tetrahedron uses, and says so', async () => {
  const loose = { positions: Float64Array.of(...box.positions, 9, 9, 9), tetrahedra: box.tetrahedra }
  writeFileSync(folder.file('loose.mesh'), writeMedit(loose))
  const spec = {
    model: { body: 'loose.mesh', modes: 4 },
    method: 'paper',
    network: { hidden: [8] },
    steps: 1,
    poses: 2,
    pointsPerPose: 20,
    posesPerBatch: 1,
    pointsPerBatchPose: 16,
    evaluation: { poses: 1, points: 20 },
  }
  writeFileSync(folder.file('loose.json'), JSON.stringify(spec))
  const { code, stdout, stderr } = await runPliant(['train', 'loose.json', '--out', 'loose.safetensors', '--json'], {
    cwd: folder.path,
  })
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout).warnings).toContain('1 nodes that no tetrahedron uses are left out')
})
