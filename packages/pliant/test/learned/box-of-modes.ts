/** A box of triangles that slides along x by its first code and is stretched along y by its second, made in code. */
import { LinearModes } from '../../src/model/linear-modes.js'

/** Half a side [m]. */
export const HALF = 0.5
const CELLS = 6

/** Vertices of each face are its own: corners come three times. */
export function boxOfModes(): LinearModes {
  const rest: number[] = []
  const triangles: number[] = []
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const first = rest.length / 3
      for (let i = 0; i <= CELLS; i++) {
        for (let j = 0; j <= CELLS; j++) {
          const place = [0, 0, 0]
          place[axis] = side * HALF
          place[(axis + 1) % 3] = HALF * ((2 * i) / CELLS - 1)
          place[(axis + 2) % 3] = HALF * ((2 * j) / CELLS - 1)
          rest.push(...place)
        }
      }
      for (let i = 0; i < CELLS; i++) {
        for (let j = 0; j < CELLS; j++) {
          const a = first + i * (CELLS + 1) + j
          const [b, c, d] = [a + CELLS + 1, a + CELLS + 2, a + 1]
          triangles.push(...(side > 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]))
        }
      }
    }
  }
  const slide = rest.map((_, i) => (i % 3 === 0 ? 1 : 0))
  const stretch = rest.map((value, i) => (i % 3 === 1 ? value : 0))
  return new LinearModes({
    rest: Float64Array.from(rest),
    modes: Float64Array.from([...slide, ...stretch]),
    triangles: Uint32Array.from(triangles),
    bounds: { lower: Float64Array.of(-1, -1), upper: Float64Array.of(1, 1) },
  })
}
