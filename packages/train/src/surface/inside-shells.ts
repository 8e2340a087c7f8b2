/**
 * Inside a body of several shells: where one of them winds round the point by more than half. Shell by shell, not by
 * the sum: an open shell has winding numbers below zero outside, which would eat into its neighbours, and two that leak
 * would add up to an inside where there is none. An open shell is closed by where its own number passes one half.
 */
import type { TriangleMesh } from 'pliant'
import { TriangleTree, WindingNumber } from 'pliant/unstable/exact'

/** Triangles per leaf of the trees. */
const LEAF_SIZE = 4

export class InsideShells {
  readonly #boxes: Float64Array
  readonly #windings: WindingNumber[] = []

  /** @param shells  vertex triples of each shell, counter-clockwise from outside */
  constructor(positions: Float64Array, shells: readonly Uint32Array[]) {
    this.#boxes = new Float64Array(6 * shells.length)
    shells.forEach((triangles, s) => {
      const tree = new TriangleTree(ownVertices(positions, triangles), LEAF_SIZE)
      this.#boxes.set(tree.bounds.subarray(0, 6), 6 * s)
      this.#windings.push(new WindingNumber(tree))
    })
  }

  at(x: number, y: number, z: number): boolean {
    const b = this.#boxes
    for (let s = 0; s < this.#windings.length; s++) {
      const o = 6 * s
      // From beyond a plane that all of a shell lies behind, it fills less than half of the view.
      if (x < b[o] || y < b[o + 1] || z < b[o + 2] || x > b[o + 3] || y > b[o + 4] || z > b[o + 5]) continue
      if (this.#windings[s].inside(x, y, z)) return true
    }
    return false
  }
}

/** The vertices that a shell uses, renumbered. */
function ownVertices(positions: Float64Array, triangles: Uint32Array): TriangleMesh {
  const numbers = new Map<number, number>()
  const own: number[] = []
  const renumbered = triangles.map((vertex) => {
    let number = numbers.get(vertex)
    if (number === undefined) {
      number = numbers.size
      numbers.set(vertex, number)
      own.push(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2])
    }
    return number
  })
  return { positions: Float64Array.from(own), triangles: renumbered }
}
