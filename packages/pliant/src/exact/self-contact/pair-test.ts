/**
 * Whether two triangles of x0 + U q meet at a code, exactly. Only their six corners are moved, one axis at a time, as most
 * pairs are apart along the first; each sum is taken in the order of the modes, so the corners are, to the last bit, those
 * of moving all vertices.
 */
import { trianglesMeet } from '../triangle-triangle.js'
import type { LinearShape } from './linear-shape.js'

export class PairTest {
  /** Of each vertex and axis: the rest position, then the displacement by each mode. */
  private readonly table: Float64Array
  private readonly width: number
  private readonly corners = new Float64Array(18)

  constructor(private readonly shape: LinearShape) {
    const { rest, modes, bounds } = shape
    this.width = bounds.lower.length + 1
    this.table = new Float64Array(this.width * rest.length)
    for (let i = 0; i < rest.length; i++) {
      this.table[i * this.width] = rest[i]
      for (let k = 1; k < this.width; k++) this.table[i * this.width + k] = modes[(k - 1) * rest.length + i]
    }
  }

  /**
   * @param codes  the code's values, from `at`
   * @param a      number of a triangle
   */
  meet(codes: Float64Array, at: number, a: number, b: number): boolean {
    const { corners } = this
    for (let axis = 0; axis < 3; axis++) {
      this.writeAxis(codes, at, a, b, axis, corners)
      if (areApart(corners, axis)) return false
    }
    return trianglesMeet(corners, 0, corners, 9)
  }

  /** @param out  receives the corners of both triangles, xyz triples [m] */
  writeCorners(codes: Float64Array, at: number, a: number, b: number, out: Float64Array): void {
    for (let axis = 0; axis < 3; axis++) this.writeAxis(codes, at, a, b, axis, out)
  }

  private writeAxis(codes: Float64Array, at: number, a: number, b: number, axis: number, out: Float64Array): void {
    const { table, width } = this
    const { triangles } = this.shape
    for (let corner = 0; corner < 6; corner++) {
      const vertex = triangles[corner < 3 ? 3 * a + corner : 3 * b + corner - 3]
      const o = (3 * vertex + axis) * width
      let value = table[o]
      for (let k = 1; k < width; k++) value += codes[at + k - 1] * table[o + k]
      out[3 * corner + axis] = value
    }
  }
}

function areApart(c: Float64Array, axis: number): boolean {
  const x = c[axis]
  const y = c[axis + 3]
  const z = c[axis + 6]
  const u = c[axis + 9]
  const v = c[axis + 12]
  const w = c[axis + 15]
  // Compared one by one, most pairs end after a few.
  if (x < u) return x < v && x < w && y < u && y < v && y < w && z < u && z < v && z < w
  return x > u && x > v && x > w && y > u && y > v && y > w && z > u && z > v && z > w
}
