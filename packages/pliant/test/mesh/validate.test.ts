import { describe, expect, test } from 'vitest'
import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.js'
import { type MeshIssueKind, requireValidMesh, validateMesh } from '../../src/mesh/validate.js'
import { ball, box, bumpyTorus, inverted, joined, unwelded } from '../exact/shapes.js'

const cube = box([0, 0, 0], [1, 1, 1])
const withTriangles = (...triangles: number[]): TriangleMesh => ({ ...cube, triangles: Uint32Array.from(triangles) })
const found = (mesh: TriangleMesh, kind: MeshIssueKind) => validateMesh(mesh).find((issue) => issue.kind === kind)

test('a sound closed body has nothing to report', () => {
  for (const mesh of [cube, bumpyTorus(20, 10), ball(6, 9, () => 1)]) expect(validateMesh(mesh)).toEqual([])
})

describe('errors', () => {
  test('an index beyond the last vertex is named by its triangle', () => {
    const mesh = withTriangles(...cube.triangles, 0, 8, 1, 2, 3, 4_000_000_000)
    expect(validateMesh(mesh)).toMatchObject([
      { kind: 'index-out-of-range', severity: 'error', count: 2, at: [12, 13] },
    ])
    expect(() => requireValidMesh(mesh)).toThrow(
      /^mesh: 2 indices beyond the last vertex 7 \(triangles 12, 13\); repair the mesh.*\.$/,
    )
  })

  test('NaN and infinite coordinates are named by their vertex', () => {
    const positions = cube.positions.slice()
    positions[4] = Number.NaN
    positions[21] = -Infinity
    expect(found({ ...cube, positions }, 'position-not-finite')).toMatchObject({
      severity: 'error',
      count: 2,
      at: [1, 7],
    })
    expect(() => requireValidMesh({ ...cube, positions }, 'part.obj')).toThrow(/^part\.obj: 2 vertices with NaN/)
  })

  test('no triangles, and triples cut short', () => {
    expect(() => requireValidMesh(withTriangles())).toThrow(/no triangles/)
    expect(() => requireValidMesh(withTriangles(0, 1))).toThrow(/not whole triples/)
    expect(() => createTriangleMesh([0, 1], [])).toThrow(/not whole xyz triples/)
    expect(() => createTriangleMesh([0, 1, 2], [0, 0, -1])).toThrow(/index 2 is -1/)
  })
})

describe('warnings', () => {
  test('degenerate faces: a repeated corner, corners on a line, corners at one place', () => {
    const mesh = createTriangleMesh([0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0], [0, 1, 1, 0, 1, 2, 0, 1, 3, 0, 1, 4])
    expect(found(mesh, 'degenerate-face')).toMatchObject({ severity: 'warning', count: 3, at: [0, 1, 3] })
  })

  test('an open boundary is counted and its edges named', () => {
    const issue = found(withTriangles(...cube.triangles.slice(3)), 'open-boundary')
    expect(issue).toMatchObject({ severity: 'warning', count: 3 })
    expect(issue?.message).toBe('3 edges with one triangle: the surface is open (edges 0-3, 2-3, 0-2)')
  })

  test('a seam of equal positions is no boundary', () => {
    const issues = validateMesh(unwelded(cube))
    expect(issues.map((issue) => issue.kind)).toEqual(['unwelded-vertex'])
    expect(issues[0].severity).toBe('information')
  })

  test('an edge with three triangles', () => {
    const mesh = createTriangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1], [0, 1, 2, 1, 0, 3, 0, 1, 4])
    expect(found(mesh, 'non-manifold-edge')).toMatchObject({ count: 1, at: [0, 1] })
  })

  test('one triangle turned round', () => {
    const triangles = cube.triangles.slice()
    triangles.subarray(0, 3).reverse()
    expect(found({ ...cube, triangles }, 'inconsistent-winding')).toMatchObject({ severity: 'warning', count: 3 })
    expect(found({ ...cube, triangles }, 'open-boundary')).toBeUndefined()
  })

  test('the same triangle twice, and vertices of no triangle', () => {
    expect(found(withTriangles(...cube.triangles, 3, 0, 2), 'duplicate-face')).toMatchObject({ count: 1, at: [12] })
    expect(found(withTriangles(0, 1, 2), 'unreferenced-vertex')).toMatchObject({ count: 5, at: [3, 4, 5, 6, 7] })
  })

  test('a closed body that faces inward', () => {
    expect(found(inverted(cube), 'inward-orientation')).toMatchObject({ severity: 'warning' })
    expect(() => requireValidMesh(inverted(cube))).not.toThrow()
  })

  test('several pieces are only said', () => {
    const two = joined(cube, box([3, 0, 0], [4, 1, 1]))
    expect(validateMesh(two)).toMatchObject([{ kind: 'several-pieces', severity: 'information', count: 2 }])
  })
})

test('a message names at most eight places however many there are', () => {
  const open = bumpyTorus(60, 30)
  const issue = found(
    { ...open, triangles: open.triangles.filter((_, i) => Math.trunc(i / 3) % 5 !== 0) },
    'open-boundary',
  )
  expect(issue?.count).toBeGreaterThan(1000)
  expect(issue?.at.length).toBe(16)
  expect(issue?.message).toMatch(/, \.\.\.\)$/)
})
