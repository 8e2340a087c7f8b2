import type { TetMesh } from 'pliant'
import { meshVolume } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { cleanTetBody } from '../../src/tets/clean-body.js'

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
