import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadSubject, readSpec } from '@pliant/train'
// The built package: surfaces are filled by a thread that is a file of it.
import type { LoadedObject } from '@pliant/train/unstable'
import { writeMedit, writeNpy } from 'pliant/files'
import { meshVolume } from 'pliant/unstable'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const CORNERS = [
  [0, 0, 0],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
]

/** A tetrahedron of this size, moved along x. */
function tetrahedron(size: number, offset: number): string {
  const vertices = CORNERS.map(([x, y, z]) => `v ${size * x + offset} ${size * y} ${size * z}`)
  return [...vertices, 'f 1 3 2', 'f 1 2 4', 'f 1 4 3', 'f 2 3 4'].join('\n')
}

describe('the object of a spec', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'pliant-object-'))
    await writeFile(join(folder, 'unit.obj'), tetrahedron(1, 0))
    await writeFile(join(folder, 'mode.npy'), writeNpy(new Float64Array(12).fill(0.1), [1, 4, 3]))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const load = (model: unknown) => loadSubject(readSpec(JSON.stringify({ model })), folder) as Promise<LoadedObject>

  it.each([
    ['a millimetre wide', 1e-3, 0],
    ['a thousand kilometres wide', 1e6, 0],
    ['100 sizes from the origin', 1, 100],
  ])('may be %s', async (_, size, offset) => {
    await writeFile(join(folder, 'moved.obj'), tetrahedron(size, offset))
    expect((await load('moved.obj')).surface.positions.length).toBe(12)
  })

  it('may be in any unit, with its modes', async () => {
    const { surface, prepare } = await load({ mesh: 'unit.obj', scale: 0.001, modes: 'mode.npy' })
    expect(surface.positions).toEqual(Float64Array.from(CORNERS.flat(), (value) => Math.fround(0.001 * value)))
    const { model } = await prepare({})
    expect(model.modes[0]).toBeCloseTo(0.0001, 9)
    expect((await load('unit.obj')).specHash).not.toBe((await load({ mesh: 'unit.obj', scale: 0.001 })).specHash)
  })

  it('may be a body in any unit', async () => {
    await writeFile(
      join(folder, 'body.mesh'),
      writeMedit({ positions: Float64Array.from(CORNERS.flat()), tetrahedra: Uint32Array.of(0, 1, 2, 3) }),
    )
    expect(meshVolume((await load({ body: 'body.mesh', scale: 0.01 })).surface)).toBeCloseTo(1e-6 / 6, 12)
  })

  it.each([0, -1])('may not be of scale %s', async (scale) => {
    await expect(async () => load({ mesh: 'unit.obj', scale })).rejects.toThrow(/^spec: model/)
  })

  it('may be two files, of which the spec names one', async () => {
    const nodes = CORNERS.map((corner, i) => `${i + 1} ${corner.join(' ')}`)
    await writeFile(join(folder, 'pair.node'), ['4 3 0 0', ...nodes].join('\n'))
    await writeFile(join(folder, 'pair.ele'), '1 4 0\n1 1 2 3 4')
    expect((await load({ mesh: 'pair.node' })).surface.triangles.length).toBe(12)
  })

  it('is an elastic body if it is made of tetrahedra, and a static one if it is called a mesh', async () => {
    const body = await load('pair.node')
    expect(body.how).toMatch(/positions of all nodes/)
    const { sizes } = await (await load({ mesh: 'pair.node' })).prepare({})
    expect(sizes.kind).toBe('linear-modes')
  })

  it("is the same body from Medit and from either of TetGen's two files, whichever way round, and tells what it left out", async () => {
    const positions = Float64Array.from([9, 9, 9, ...CORNERS.flat()])
    const tetrahedra = Uint32Array.of(1, 2, 4, 3)
    await writeFile(join(folder, 'turned.mesh'), writeMedit({ positions, tetrahedra }))
    const medit = await load('turned.mesh')
    expect(medit.surface.positions).toEqual(Float64Array.from(CORNERS.flat()))
    expect(meshVolume(medit.surface)).toBeCloseTo(1 / 6, 12)
    expect(medit.warnings).toEqual(['1 nodes that no tetrahedron uses are left out'])
    for (const name of ['pair.node', 'pair.ele']) {
      const tetgen = await load(name)
      expect(tetgen.surface.positions).toEqual(medit.surface.positions)
      expect(meshVolume(tetgen.surface)).toBeCloseTo(1 / 6, 12)
      expect(tetgen.warnings).toEqual([])
    }
  })

  const shared = new URL('../../../../../shared/data/tet-bunny.msh', import.meta.url)
  it.skipIf(!existsSync(shared))('may be a file of Gmsh: the bunny of other people', async () => {
    const { surface } = await load(fileURLToPath(shared))
    expect(meshVolume(surface)).toBeGreaterThan(0)
  })

  it.each([
    // Spacing of single precision at 1000 is 6e-5, so that its corners moved by up to 3% of its size.
    ['a millimetre wide, a kilometre from the origin', 1e-3, 1000.00002, 'single precision'],
    ['beyond the largest single', 1e39, 0, 'single precision'],
    ['a point', 0, 3, 'without area'],
  ])('is refused if it is %s: another shape would be learned', async (_, size, offset, fragment) => {
    await writeFile(join(folder, 'moved.obj'), tetrahedron(size, offset))
    await expect(load('moved.obj')).rejects.toThrow(fragment)
  })

  it.each([
    [{ modes: 'mode.npy', names: ['curl', 'spread'] }, 'model.names has 2 names for 1 modes'],
    [{ modes: 'mode.npy', lower: [0, 0] }, 'model.lower has 2 values for 1 modes'],
    [{ lower: [-2] }, 'model.lower has 1 values for 0 modes'],
    [{ names: ['curl'] }, 'model.names has 1 names for 0 modes'],
  ])('has one name and range per mode: %j is refused', async (fields, fragment) => {
    await expect(load({ mesh: 'unit.obj', ...fields })).rejects.toThrow(fragment)
  })
})
