/** Meshes that features are tried on, and ways to bend them. */
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js'

/** A closed square bar along x, `along` cells long and `across` wide, in the middle of space; sizes of cells in [m]. */
export function bar(along: number, across: number, length = 0.1, width = length): TriangleMesh {
  const positions: number[] = []
  const numbers = new Map<string, number>()
  const triangles: number[] = []
  const half = [along / 2, across / 2, across / 2]
  const vertex = (place: number[]): number => {
    const key = place.join()
    if (!numbers.has(key)) {
      numbers.set(key, numbers.size)
      positions.push(...place.map((value, k) => (k === 0 ? length : width) * (value - half[k])))
    }
    return numbers.get(key)!
  }
  const counts = [along, across, across]
  for (let axis = 0; axis < 3; axis++) {
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3]
    for (const side of [0, counts[axis]]) {
      for (let i = 0; i < counts[u]; i++) {
        for (let j = 0; j < counts[v]; j++) {
          const at = (du: number, dv: number): number => {
            const place = [0, 0, 0]
            place[axis] = side
            place[u] = i + du
            place[v] = j + dv
            return vertex(place)
          }
          const [a, b, c, d] = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)]
          triangles.push(...(side > 0 ? [a, b, c, a, c, d] : [a, c, b, a, d, c]))
        }
      }
    }
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) }
}

/** A flat square of n x n cells in the plane of x and y. */
export function sheet(n: number): TriangleMesh {
  const positions = Float64Array.from({ length: 3 * (n + 1) ** 2 }, (_, i) => {
    const v = Math.trunc(i / 3)
    return [(v % (n + 1)) / n, Math.trunc(v / (n + 1)) / n, 0][i % 3]
  })
  const triangles = Array.from({ length: n * n }, (_, cell) => {
    const a = (cell % n) + Math.trunc(cell / n) * (n + 1)
    return [a, a + 1, a + n + 2, a, a + n + 2, a + n + 1]
  })
  return { positions, triangles: Uint32Array.from(triangles.flat()) }
}

export function mapped(positions: ArrayLike<number>, map: (x: number, y: number, z: number) => number[]): Float64Array {
  const out = new Float64Array(positions.length)
  for (let at = 0; at < out.length; at += 3) out.set(map(positions[at], positions[at + 1], positions[at + 2]), at)
  return out
}

/** Turns about x, by `rate` [rad/m] times x. */
export const twist =
  (rate: number) =>
  (x: number, y: number, z: number): number[] => {
    const [c, s] = [Math.cos(rate * x), Math.sin(rate * x)]
    return [x, c * y - s * z, s * y + c * z]
  }

/** Rolls the x axis up to a circle of `curvature` [1/m] in the plane of x and y. */
export const bend =
  (curvature: number) =>
  (x: number, y: number, z: number): number[] => {
    const radius = 1 / curvature - y
    return [radius * Math.sin(curvature * x), 1 / curvature - radius * Math.cos(curvature * x), z]
  }

/** Two meshes as one, the second's vertices behind the first's. */
export function together(a: TriangleMesh, b: TriangleMesh): TriangleMesh {
  const first = a.positions.length / 3
  return {
    positions: Float64Array.of(...a.positions, ...b.positions),
    triangles: Uint32Array.of(...a.triangles, ...b.triangles.map((corner) => corner + first)),
  }
}

/** Places as a column-major 4x4 carries them. */
export function carried(m: Float64Array, points: Float64Array): Float64Array {
  return mapped(points, (x, y, z) => [0, 1, 2].map((k) => m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k]))
}

/** Root of the mean squared way between vertices. */
export function rmsDistance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2
  return Math.sqrt((3 * sum) / a.length)
}
