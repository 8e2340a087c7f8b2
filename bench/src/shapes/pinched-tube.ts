/** A closed ring of bumpy tube, 5,880 triangles, for what meets itself. */
import type { TriangleMesh } from 'pliant'

const ROWS = 84
const COLUMNS = 35

/** @param pinch  of its waist: above 0.35 opposite walls pass through each other */
export function pinchedTube(pinch: number): TriangleMesh & { positions: Float64Array } {
  const positions = new Float64Array(3 * ROWS * COLUMNS)
  const triangles = new Uint32Array(6 * ROWS * COLUMNS)
  for (let i = 0; i < ROWS; i++) {
    for (let j = 0; j < COLUMNS; j++) {
      const [u, v] = [(2 * Math.PI * i) / ROWS, (2 * Math.PI * j) / COLUMNS]
      const r = 1 + 0.35 * Math.cos(v) + 0.05 * Math.sin(7 * u + 3 * v)
      const a = i * COLUMNS + j
      const b = ((i + 1) % ROWS) * COLUMNS + j
      const c = ((i + 1) % ROWS) * COLUMNS + ((j + 1) % COLUMNS)
      const d = i * COLUMNS + ((j + 1) % COLUMNS)
      const [x, y] = [r * Math.cos(u), r * Math.sin(u)]
      const waist = 2 * pinch * Math.exp(-4 * x * x)
      positions.set([x, y - waist * Math.tanh(4 * y), 0.35 * Math.sin(v)], 3 * a)
      triangles.set([a, b, c, a, c, d], 6 * a)
    }
  }
  return { positions, triangles }
}
