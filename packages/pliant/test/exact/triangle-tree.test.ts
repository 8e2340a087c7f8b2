import { expect, test } from 'vitest'
import { TriangleTree } from '../../src/exact/triangle-tree.js'
import { randomStream } from '../../src/math/random.js'
import { createTriangleMesh, type TriangleMesh } from '../../src/mesh/triangle-mesh.js'
import { bumpyTorus, moved } from './shapes.js'

/** Every node's box is exactly that of the triangles below it, and every triangle is below the root once. */
function expectSound(tree: TriangleTree, mesh: TriangleMesh): void {
  expect(Array.from(tree.triangleOfSlot).sort((a, b) => a - b)).toEqual(
    Array.from({ length: mesh.triangles.length / 3 }, (_, t) => t),
  )
  expect([tree.first[0], tree.end[0]]).toEqual([0, mesh.triangles.length / 3])
  for (let node = 0; node < tree.nodeCount; node++) {
    const right = tree.right[node]
    if (right !== 0) {
      expect(tree.first[node + 1]).toBe(tree.first[node])
      expect(tree.end[node + 1]).toBe(tree.first[right])
      expect(tree.end[right]).toBe(tree.end[node])
    }
    for (let axis = 0; axis < 3; axis++) {
      let [low, high] = [Infinity, -Infinity]
      for (let slot = tree.first[node]; slot < tree.end[node]; slot++) {
        for (let k = 0; k < 3; k++) {
          const value = mesh.positions[3 * mesh.triangles[3 * tree.triangleOfSlot[slot] + k] + axis]
          low = Math.min(low, value)
          high = Math.max(high, value)
        }
      }
      expect([tree.bounds[6 * node + axis], tree.bounds[6 * node + 3 + axis]]).toEqual([low, high])
    }
  }
}

test('boxes are exact in double precision when built and after a refit, also far from the origin (seed 1)', () => {
  const mesh = moved(bumpyTorus(20, 10), [1e7, -1e7, 3e6])
  const tree = new TriangleTree(mesh, 4)
  expectSound(tree, mesh)
  const random = randomStream(1)
  const positions = mesh.positions.map((value) => value + random.normal())
  tree.refit(positions)
  expectSound(tree, { ...mesh, positions })
})

test('300 triangles at one place make a tree all the same', () => {
  const mesh = createTriangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], Array(300).fill([0, 1, 2]).flat())
  expectSound(new TriangleTree(mesh, 2), mesh)
})

test('a single triangle is a tree of one leaf', () => {
  const mesh = createTriangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2])
  const tree = new TriangleTree(mesh, 4)
  expect(tree.nodeCount).toBe(1)
  expectSound(tree, mesh)
})
