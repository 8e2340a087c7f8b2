/** A closed ring of bumpy tube, 5,880 triangles or as many as are asked for: what exact geometry is measured on. */
import type { TriangleMesh } from 'pliant'

const ROWS = 84
const COLUMNS = 35

/** @param pinch  of its waist: above 0.35 opposite walls pass through each other */
export function pinchedTube(pinch: number, rows = ROWS, columns = COLUMNS): TriangleMesh & { positions: Float64Array } {
  const positions = new Float64Array(3 * rows * columns)
  const triangles = new Uint32Array(6 * rows * columns)
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const [u, v] = [(2 * Math.PI * i) / rows, (2 * Math.PI * j) / columns]
      const r = 1 + 0.35 * Math.cos(v) + 0.05 * Math.sin(7 * u + 3 * v)
      const a = i * columns + j
      const b = ((i + 1) % rows) * columns + j
      const c = ((i + 1) % rows) * columns + ((j + 1) % columns)
      const d = i * columns + ((j + 1) % columns)
      const [x, y] = [r * Math.cos(u), r * Math.sin(u)]
      const waist = 2 * pinch * Math.exp(-4 * x * x)
      positions.set([x, y - waist * Math.tanh(4 * y), 0.35 * Math.sin(v)], 3 * a)
      triangles.set([a, b, c, a, c, d], 6 * a)
    }
  }
  return { positions, triangles }
}
