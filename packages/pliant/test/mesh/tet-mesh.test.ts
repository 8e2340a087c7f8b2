import { describe, expect, test } from 'vitest'
import { dropUnusedNodes, orientTets, surfaceOfTets, type TetMesh, tetVolume } from '../../src/mesh/tet-mesh.js'
import { meshVolume } from '../../src/mesh/triangle-mesh.js'
import { bodiesOfTets, validateTets } from '../../src/mesh/validate-tets.js'
import { boxOfTets } from './box-of-tets.js'

/** A block of n^3 cells. */
const block = (n: number): TetMesh => boxOfTets([n, n, n], [n, n, n])

function totalVolume(mesh: TetMesh): number {
  let sum = 0
  for (let tet = 0; tet < mesh.tetrahedra.length / 4; tet++) sum += tetVolume(mesh, tet)
  return sum
}

describe('the surface of a block', () => {
  const mesh = block(3)
  const surface = surfaceOfTets(mesh)

  test('is all of its outside, outward', () => {
    expect(totalVolume(mesh)).toBeCloseTo(27, 12)
    expect(surface.triangles.length / 3).toBe(6 * 9 * 2)
    expect(surface.positions.length / 3).toBe(64 - 8)
    expect(meshVolume(surface)).toBeCloseTo(27, 12)
  })

  test('knows its nodes and the tetrahedra behind it', () => {
    surface.nodeOfVertex.forEach((node, vertex) => {
      expect(surface.vertexOfNode[node]).toBe(vertex)
      expect(surface.positions.slice(3 * vertex, 3 * vertex + 3)).toEqual(mesh.positions.slice(3 * node, 3 * node + 3))
    })
    expect(surface.vertexOfNode.filter((vertex) => vertex < 0).length).toBe(8)
    surface.tetOfTriangle.forEach((tet, triangle) => {
      const nodes = [...surface.triangles.subarray(3 * triangle, 3 * triangle + 3)].map((v) => surface.nodeOfVertex[v])
      expect([...mesh.tetrahedra.subarray(4 * tet, 4 * tet + 4)]).toEqual(expect.arrayContaining(nodes))
    })
  })

  test('stays outward where tetrahedra are written the other way round', () => {
    const mixed = { ...mesh, tetrahedra: mesh.tetrahedra.slice() }
    for (let i = 0; i < mixed.tetrahedra.length; i += 12) mixed.tetrahedra.subarray(i, i + 2).reverse()
    expect(meshVolume(surfaceOfTets(mixed))).toBeCloseTo(27, 12)
  })
})

test('a body written wholly the other way round is turned, one that is right is left alone', () => {
  const mesh = block(1)
  const turned = { ...mesh, tetrahedra: mesh.tetrahedra.slice() }
  for (let i = 0; i < turned.tetrahedra.length; i += 4) turned.tetrahedra.subarray(i, i + 2).reverse()
  expect(totalVolume(turned)).toBeCloseTo(-1, 12)
  expect(totalVolume(orientTets(turned))).toBeCloseTo(1, 12)
  expect(orientTets(mesh)).toBe(mesh)
})

describe('what is wrong is found, with its place', () => {
  test('nothing is wrong with a block', () => {
    expect(validateTets(block(2))).toEqual([])
  })

  test.each<[string, (mesh: TetMesh) => void, object]>([
    [
      'inverted',
      (m) => m.tetrahedra.subarray(8, 10).reverse(),
      { kind: 'inverted', severity: 'error', count: 1, at: [2] },
    ],
    ['repeated-node', (m) => m.tetrahedra.copyWithin(5, 4, 5), { kind: 'repeated-node', count: 1, at: [1] }],
    ['index-out-of-range', (m) => m.tetrahedra.fill(27, 12, 13), { kind: 'index-out-of-range', count: 1, at: [3] }],
    [
      'position-not-finite',
      (m) => m.positions.fill(Number.NaN, 30, 31),
      { kind: 'position-not-finite', count: 1, at: [10] },
    ],
  ])('%s', (_, damage, issue) => {
    const mesh = block(2)
    damage(mesh)
    expect(validateTets(mesh)[0]).toMatchObject(issue)
  })

  test('flat tetrahedra', () => {
    const mesh = block(1)
    mesh.positions.set([0, 0, 1e-9], 3)
    const kinds = validateTets(mesh).map(({ kind }) => kind)
    expect(kinds).toContain('degenerate')
  })

  test('nodes of nobody, several bodies, and a face of three', () => {
    const positions = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 5, 5, 6, 5, 5, 5, 6, 5, 5, 5, 6, 9, 9, 9)
    const apart = { positions, tetrahedra: Uint32Array.of(0, 1, 2, 3, 4, 5, 6, 7) }
    expect(validateTets(apart)).toMatchObject([
      { kind: 'unreferenced-node', severity: 'warning', count: 1, at: [8] },
      { kind: 'several-bodies', severity: 'warning', count: 2, at: [0, 1] },
    ])
    expect(bodiesOfTets(apart).bodyOf).toEqual(Uint32Array.of(0, 1))
    const crowded = { positions, tetrahedra: Uint32Array.of(0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5) }
    expect(validateTets(crowded).map(({ kind }) => kind)).toContain('crowded-face')
  })

  test('nodes of nobody can be dropped', () => {
    const mesh = {
      positions: Float64Array.of(9, 9, 9, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
      tetrahedra: Uint32Array.of(1, 2, 3, 4),
    }
    const dropped = dropUnusedNodes(mesh)
    expect([...dropped.nodeOf]).toEqual([1, 2, 3, 4])
    expect([...dropped.mesh.tetrahedra]).toEqual([0, 1, 2, 3])
    expect(tetVolume(dropped.mesh, 0)).toBe(tetVolume(mesh, 0))
  })
})
