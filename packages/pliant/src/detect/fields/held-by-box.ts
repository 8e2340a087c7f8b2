/** Whether a box holds a body, as it promises: by the field's values on the box's faces. */
import type { SignedField } from '../../field/signed-field.js'
import type { Box } from '../../math/box.js'

/** Inside by more than this share of the size a face cuts the body: learned fields are off by nearly as much, here and there. */
const CUT = 0.03

/**
 * Looks at the faces once; a limb that is thinner than a cell and comes out between two points is not seen.
 * @param cells  along the longest side
 * @param band   how far from its surface the field tells distances [m]
 * @throws RangeError if the body goes on beyond a face
 */
export function requireHeld(field: SignedField, box: Box, size: number, cells: number, band: number): void {
  const points = facePoints(box, cells)
  const count = points.length / 3
  const values = new Float64Array(count)
  field.query(points, count, values)
  const deepest = values.reduce((least, value, i) => (value < values[least] ? i : least), 0)
  if (!(values[deepest] < -Math.min(CUT * size, band / 2))) return
  const [x, y, z] = points.subarray(3 * deepest, 3 * deepest + 3).map((value) => Number(value.toPrecision(3)))
  throw new RangeError(
    `solid: the body goes on beyond its box, at ${x}, ${y}, ${z}; give a box that holds it, or one without an end.`,
  )
}

function facePoints({ lower, upper }: Box, cells: number): Float64Array {
  const sides = lower.map((low, k) => upper[k] - low)
  const spacing = Math.max(...sides) / cells
  const points: number[] = []
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3]
    const [across, along] = [u, v].map((k) => Math.max(1, Math.ceil(sides[k] / spacing)))
    for (let i = 0; i <= across; i++) {
      for (let j = 0; j <= along; j++) {
        for (const face of [lower[axis], upper[axis]]) {
          const point = [0, 0, 0]
          point[axis] = face
          point[u] = lower[u] + (i / across) * sides[u]
          point[v] = lower[v] + (j / along) * sides[v]
          points.push(...point)
        }
      }
    }
  }
  return Float64Array.from(points)
}
