/** A model's own triangles must follow whatever moves the model, and answer as a mesh made at that place does. */
import { describe, expect, it } from 'vitest'
import { ExactMeshField } from '../../src/exact/index.js'
import { fieldBox } from '../../src/index.js'
import { gatherVertices } from '../../src/mesh/gather-vertices.js'
import { rigidNodesField, skinnedMeshField } from '../../src/model/mesh-fields.js'
import { compareMoved } from '../learned/compare-moved.js'
import { body, mesh, moved } from '../learned/swelling-box.js'
import { exactOf } from '../respond/scenes.js'

describe('fields of a body by its nodes', () => {
  it('are the triangles where the nodes are (seed 3)', () => {
    const nodes = moved(1.3)
    const { triangles, nodeOfVertex } = body.surface
    const positions = new Float64Array(3 * nodeOfVertex.length)
    gatherVertices(nodes, nodeOfVertex, positions)
    const there = Object.assign(new ExactMeshField({ positions, triangles }), { update: () => {} })
    compareMoved(exactOf(body), there, nodes, 3)
  })

  it('are a shape that is carried rigidly (seed 2)', () => {
    const box = fieldBox([0.1, 0.05, 0.05], [0.1, 0.05, 0.05])
    compareMoved(rigidNodesField(box, mesh.positions, body.masses), exactOf(body), moved(1), 2)
  })

  it('refuse nodes of another number or not finite, and stay where they were', () => {
    const box = fieldBox([0.1, 0.05, 0.05], [0.1, 0.05, 0.05])
    for (const field of [exactOf(body), rigidNodesField(box, mesh.positions, body.masses)]) {
      field.update({ nodes: moved(1) })
      const before = new Float64Array(1)
      field.query(moved(0), 1, before)
      const broken = moved(1)
      broken[5] = Number.NaN
      expect(() => field.update({ nodes: broken })).toThrow('update: node 1 is NaN; ')
      expect(() => field.update({ nodes: broken.subarray(3) })).toThrow(/^update: \d+ values for \d+ nodes; /)
      const after = new Float64Array(1)
      field.query(moved(0), 1, after)
      expect(after[0]).toBe(before[0])
      expect(after[0]).toBeCloseTo(-0.05, 9)
    }
  })
})

it('of a character are the triangles of its pose', () => {
  const { triangles, positions: rest } = body.surface
  /** A character that its first joint's translation carries as a whole. */
  const character = {
    vertexCount: rest.length / 3,
    positionsOfPose: ({ translations }: { translations: Float64Array }, out: Float64Array | Float32Array) => {
      for (let i = 0; i < rest.length; i++) out[i] = rest[i] + translations[i % 3]
    },
  }
  const field = skinnedMeshField(character as never, new ExactMeshField({ positions: rest, triangles }))
  const joints = { translations: Float64Array.of(1, 2, 3), rotations: new Float64Array(4), scales: new Float64Array(3) }
  field.update({ joints })
  const [distances, gradients] = [new Float64Array(2), new Float64Array(6)]
  field.query(Float64Array.of(1.1, 2.3, 3.05, 1.1, 2.05, 3.04), 2, distances, gradients)
  expect(distances[0]).toBeCloseTo(0.2, 9)
  expect(distances[1]).toBeCloseTo(-0.04, 9)
  expect([...gradients].map((value) => Math.round(1e6 * value) / 1e6 + 0)).toEqual([0, 1, 0, 0, 0, -1])
})
