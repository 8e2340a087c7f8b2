import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { meshVolume, type TetMesh } from 'pliant'
import { writeMedit, writeObj } from 'pliant/files'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanTetBody, loadTetBody } from '../../src/tets/load-body.js'
import { sphere } from './solid-shapes.js'

/** Two tetrahedra that share the face 0, 1, 2. */
const pair = (): TetMesh => ({
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1),
  tetrahedra: Uint32Array.of(0, 1, 2, 3, 0, 2, 1, 4),
})

/** The same with one tetrahedron's corners, or both, the other way round. */
function turned(...which: number[]): TetMesh {
  const mesh = pair()
  for (const tet of which) mesh.tetrahedra.subarray(4 * tet + 2, 4 * tet + 4).reverse()
  return mesh
}

describe('rules for bodies', () => {
  it('leaves a good body as it is; its surface faces outward', () => {
    const body = cleanTetBody(pair())
    expect(body).toMatchObject({ mesh: pair(), turned: false, droppedNodes: 0 })
    expect(body.surface.triangles).toHaveLength(18)
    expect(meshVolume(body.surface)).toBeCloseTo(1 / 3, 12)
  })

  it('reorders corners when all are the other way round', () => {
    const body = cleanTetBody(turned(0, 1))
    expect(body.turned).toBe(true)
    expect(body.mesh).toEqual(pair())
    expect(meshVolume(body.surface)).toBeCloseTo(1 / 3, 12)
  })

  it('drops nodes that nothing uses, and says how many and which stayed', () => {
    const { positions, tetrahedra } = pair()
    const mesh = {
      positions: Float64Array.of(9, 9, 9, ...positions, 8, 8, 8),
      tetrahedra: tetrahedra.map((node) => node + 1),
    }
    const body = cleanTetBody(mesh)
    expect(body.mesh).toEqual(pair())
    expect(body.droppedNodes).toBe(2)
    expect([...body.nodeOf]).toEqual([1, 2, 3, 4, 5])
  })

  const apart = (): TetMesh => ({
    positions: Float64Array.of(...pair().positions, ...pair().positions.map((x) => x + 5)),
    tetrahedra: Uint32Array.of(...pair().tetrahedra, ...pair().tetrahedra.map((node) => node + 5)),
  })
  const flat = (): TetMesh => ({ ...pair(), positions: pair().positions.with(11, 0) })
  it.each([
    ['some inverted', turned(1), /^body: b\.msh: tetrahedra: 1 are inverted: 1; reorder the corners of these, or /],
    ['degenerate', flat(), /^body: b\.msh: tetrahedra: 1 have no volume: 0; mesh it again with a bound on quality\.$/],
    [
      'several bodies',
      apart(),
      /^body: b\.msh: tetrahedra: 2 separate bodies, which begin at tetrahedra: 0, 2; pass one body, or join nodes/,
    ],
    [
      'three on a face',
      {
        positions: Float64Array.of(...pair().positions, 0, 0, 2),
        tetrahedra: Uint32Array.of(...pair().tetrahedra, 0, 1, 2, 5),
      },
      /^body: b\.msh: tetrahedra: 3 share a face with two or more others: 0, 1, 2; take out/,
    ],
    [
      'node twice',
      { ...pair(), tetrahedra: pair().tetrahedra.with(3, 2) },
      /^body: b\.msh: tetrahedra: 1 use one node /,
    ],
    ['no such node', { ...pair(), tetrahedra: pair().tetrahedra.with(3, 9) }, /1 refer to nodes that are not there/],
    ['not finite', { ...pair(), positions: pair().positions.with(4, Number.NaN) }, /1 nodes have positions that are/],
    ['nothing', { ...pair(), tetrahedra: new Uint32Array(0) }, /^body: b\.msh has no tetrahedra; /],
  ])('refuses a body with %s', (_, mesh, message) => {
    expect(() => cleanTetBody(mesh, 'b.msh')).toThrow(message)
  })
})

describe('files', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pliant-body-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('of Medit, and of TetGen in two parts by either name', async () => {
    await writeFile(join(folder, 'b.mesh'), writeMedit(turned(0, 1)))
    expect(await loadTetBody(join(folder, 'b.mesh'))).toMatchObject({ mesh: pair() })
    const { positions, tetrahedra } = pair()
    const rows = (values: ArrayLike<number>, width: number): string =>
      Array.from({ length: values.length / width }, (_, i) =>
        [i, ...Array.from({ length: width }, (_, k) => values[width * i + k])].join(' '),
      ).join('\n')
    await writeFile(join(folder, 't.node'), `5 3 0 0\n${rows(positions, 3)}\n`)
    await writeFile(join(folder, 't.ele'), `2 4 0\n${rows(tetrahedra, 4)}\n`)
    for (const name of ['t.node', 't.ele']) {
      expect((await loadTetBody(join(folder, name))).mesh).toEqual(pair())
    }
  })

  it('of surfaces are sent to tetrahedralise', async () => {
    await writeFile(join(folder, 's.obj'), writeObj(sphere(1)))
    await expect(loadTetBody(join(folder, 's.obj'))).rejects.toThrow(
      /^body: s\.obj is a surface without tetrahedra; fill it with 'tetrahedralise' first\.$/,
    )
  })

  const shared = new URL('../../../../../shared/data/tet-bunny.msh', import.meta.url)
  it.skipIf(!existsSync(shared))('of Gmsh: the bunny of other people', async () => {
    const body = await loadTetBody(fileURLToPath(shared))
    expect(body.mesh.tetrahedra.length / 4).toBe(19379)
    expect(body.surface.triangles.length % 3).toBe(0)
    expect(meshVolume(body.surface)).toBeGreaterThan(0)
  })
})
