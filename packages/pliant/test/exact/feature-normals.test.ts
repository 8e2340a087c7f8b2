import { describe, expect, it } from 'vitest'
import { FeatureNormals } from '../../src/exact/feature-normals.js'
import { FEATURE_CORNER, FEATURE_FACE, FEATURE_SIDE } from '../../src/exact/point-triangle.js'
import { Pseudonormals } from '../../src/exact/pseudonormals.js'
import { TriangleTree } from '../../src/exact/triangle-tree.js'
import { edgeTable } from '../../src/mesh/adjacency.js'
import { firstAtSamePlace } from '../../src/mesh/weld.js'
import { bumpyTorus, unwelded } from './shapes.js'

describe('normals of features', () => {
  it('are those that are worked out for all features at once', () => {
    for (const mesh of [bumpyTorus(14, 9), unwelded(bumpyTorus(14, 9))]) {
      const weld = firstAtSamePlace(mesh.positions)
      const tree = new TriangleTree(mesh, 4)
      const all = new Pseudonormals(tree, edgeTable(mesh.triangles, weld.length, weld), weld)
      const normals = new FeatureNormals(mesh)
      const [expected, found] = [new Float64Array(3), new Float64Array(3)]
      for (let slot = 0; slot < tree.triangleOfSlot.length; slot += 7) {
        for (const feature of [FEATURE_FACE, ...[0, 1, 2].flatMap((k) => [FEATURE_SIDE + k, FEATURE_CORNER + k])]) {
          all.of(slot, feature, expected)
          normals.write(mesh.positions, tree.triangleOfSlot[slot], feature, found)
          const length = Math.hypot(...found)
          for (let axis = 0; axis < 3; axis++) expect(found[axis] / length).toBeCloseTo(expected[axis], 12)
        }
      }
    }
  })

  it('know the triangles of a feature', () => {
    const mesh = bumpyTorus(14, 9)
    const normals = new FeatureNormals(mesh)
    expect(normals.trianglesAt(5, FEATURE_FACE)).toEqual([5])
    for (let k = 0; k < 3; k++) {
      expect(normals.trianglesAt(5, FEATURE_SIDE + k)).toHaveLength(2)
      expect(normals.trianglesAt(5, FEATURE_CORNER + k)).toHaveLength(6)
    }
  })
})
