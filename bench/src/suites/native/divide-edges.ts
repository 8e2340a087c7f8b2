/** A surface divided finer where it is flat: every triangle becomes four by the middles of its edges. */
import type { TriangleMesh } from 'pliant'

export interface DividedMesh {
  triangles: Uint32Array
  /** The two vertices that each new vertex lies between; new ones follow those that there were. */
  midpoints: Uint32Array
}

export function divideEdges({ positions, triangles }: TriangleMesh): DividedMesh {
  const count = positions.length / 3
  const midpoints: number[] = []
  const between = new Map<number, number>()
  const middle = (a: number, b: number): number => {
    const edge = Math.min(a, b) * count + Math.max(a, b)
    const known = between.get(edge)
    if (known !== undefined) return known
    const vertex = count + midpoints.length / 2
    midpoints.push(a, b)
    between.set(edge, vertex)
    return vertex
  }
  const divided = new Uint32Array(4 * triangles.length)
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = triangles.subarray(i, i + 3)
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)]
    divided.set([a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca], 4 * i)
  }
  return { triangles: divided, midpoints: Uint32Array.from(midpoints) }
}
