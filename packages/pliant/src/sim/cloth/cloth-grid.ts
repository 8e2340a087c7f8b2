/** A flat rectangular sheet of cloth: flags, curtains, the square that benchmarks drop on a body. */
import type { Vec3 } from '../../math/box.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'

/** A flat rectangular sheet of cloth: flags, curtains. */
export interface ClothGridOptions {
  /** Size along the rows' direction u and the columns' direction v [m]; 1 by 1. */
  size?: readonly [number, number]
  /** The sheet's middle [m]; the origin. */
  centre?: Vec3
  /** Direction in which a row runs, unit length; +x. */
  u?: Vec3
  /** Direction in which rows follow each other, unit length; +z. */
  v?: Vec3
}

/**
 * A flat rectangular sheet of cloth. Vertex `row * columns + column`. Diagonals alternate, so that the sheet is as
 * stiff one way as the other.
 * @param rows     vertices along v, at least 2
 * @param columns  vertices along u, at least 2
 * @throws RangeError if there are fewer
 */
export function clothGrid(rows: number, columns: number, options: ClothGridOptions = {}): TriangleMesh {
  const { size = [1, 1], centre = [0, 0, 0], u = [1, 0, 0], v = [0, 0, 1] } = options
  for (const [name, count] of Object.entries({ rows, columns })) {
    if (!(Number.isInteger(count) && count >= 2)) {
      throw new RangeError(`cloth grid: ${count} ${name}; give a whole number of at least 2.`)
    }
  }
  const positions = new Float64Array(3 * rows * columns)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const s = size[0] * (column / (columns - 1) - 0.5)
      const t = size[1] * (row / (rows - 1) - 0.5)
      for (let axis = 0; axis < 3; axis++) {
        positions[3 * (row * columns + column) + axis] = centre[axis] + s * u[axis] + t * v[axis]
      }
    }
  }
  return { positions, triangles: gridTriangles(rows, columns, false) }
}

/**
 * Triangles of a grid of vertices, seen counter-clockwise from v x u.
 * @param closed  whether the last column is joined to the first
 */
export function gridTriangles(rows: number, columns: number, closed: boolean): Uint32Array {
  const across = closed ? columns : columns - 1
  const triangles = new Uint32Array(6 * (rows - 1) * across)
  let k = 0
  for (let row = 0; row + 1 < rows; row++) {
    for (let column = 0; column < across; column++) {
      const next = (column + 1) % columns
      const a = row * columns + column
      const b = row * columns + next
      const c = (row + 1) * columns + column
      const d = (row + 1) * columns + next
      triangles.set((row + column) % 2 === 0 ? [a, c, d, a, d, b] : [a, c, b, b, c, d], k)
      k += 6
    }
  }
  return triangles
}
