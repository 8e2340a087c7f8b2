/** A binary tree over the triangles of a surface whose leaves are single triangles, in depth-first order. */
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { TriangleTree } from '../triangle-tree.js'

export interface TriangleNodes {
  /** Right child of each node, 0 for a leaf. The left child is the next node. */
  right: Int32Array
  /** Triangles below each node. */
  size: Int32Array
  /** Number of the triangle of a leaf, -1 for other nodes. */
  triangle: Int32Array
  /** Nodes on the longest way from the root to a leaf. */
  depth: number
}

/** @param mesh  valid (`requireValidMesh`) */
export function triangleNodes(mesh: TriangleMesh): TriangleNodes {
  const tree = new TriangleTree(mesh, 1)
  const right: number[] = []
  const size: number[] = []
  const triangle: number[] = []
  let depth = 0
  const add = (count: number, level: number): number => {
    depth = Math.max(depth, level)
    size.push(count)
    triangle.push(-1)
    return right.push(0) - 1
  }
  // Triangles that no box tells apart share a leaf of the tree, however many they are.
  const halve = (from: number, to: number, level: number): void => {
    const node = add(to - from, level)
    if (to - from === 1) {
      triangle[node] = tree.triangleOfSlot[from]
      return
    }
    const middle = (from + to) >> 1
    halve(from, middle, level + 1)
    right[node] = right.length
    halve(middle, to, level + 1)
  }
  const copy = (from: number, level: number): void => {
    if (tree.right[from] === 0) {
      halve(tree.first[from], tree.end[from], level)
      return
    }
    const node = add(tree.end[from] - tree.first[from], level)
    copy(from + 1, level + 1)
    right[node] = right.length
    copy(tree.right[from], level + 1)
  }
  copy(0, 1)
  return { right: Int32Array.from(right), size: Int32Array.from(size), triangle: Int32Array.from(triangle), depth }
}
