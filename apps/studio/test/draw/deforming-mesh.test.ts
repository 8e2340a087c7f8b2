import { describe, expect, it } from 'vitest'
import { averageNormals } from '../../src/draw/deforming-mesh.js'

describe('averaged normals', () => {
  it('stay as they are on a plane', () => {
    const normals = Float32Array.from([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1])
    averageNormals(Uint32Array.from([0, 1, 2, 2, 1, 3]), normals)
    expect([...normals]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1])
  })

  it('have length one and lean towards their neighbours across a fold', () => {
    // Two triangles share the edge 1-2; one faces x, the other y.
    const normals = Float32Array.from([1, 0, 0, Math.SQRT1_2, Math.SQRT1_2, 0, Math.SQRT1_2, Math.SQRT1_2, 0, 0, 1, 0])
    averageNormals(Uint32Array.from([0, 1, 2, 2, 1, 3]), normals)
    for (let i = 0; i < 12; i += 3) {
      expect(Math.hypot(normals[i], normals[i + 1], normals[i + 2])).toBeCloseTo(1, 6)
    }
    expect(normals[1]).toBeGreaterThan(0.3)
    expect(normals[1]).toBeLessThan(Math.SQRT1_2)
    expect(normals[9]).toBeCloseTo(normals[1], 6)
  })

  it('leave vertices without triangles alone', () => {
    const normals = Float32Array.from([0, 0, 0])
    averageNormals(new Uint32Array(0), normals)
    expect([...normals]).toEqual([0, 0, 0])
  })
})
