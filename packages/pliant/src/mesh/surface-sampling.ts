/** Points spread evenly over a surface: triangles by area, then uniform inside the triangle. */
import type { Floats } from '../math/floats.js'
import type { Random } from '../math/random.js'
import type { TriangleMesh } from './triangle-mesh.js'

export interface SurfaceSamples {
  /** Receives xyz triples [m], at least 3 * count long. */
  points: Floats
  /** Receives unit face normals, xyz triples. */
  normals?: Floats
  /** Receives the triangle of each sample. */
  triangleIds?: Uint32Array
}

/**
 * @param mesh    a mesh of finite positions with some area
 * @param count   how many samples to draw
 * @param random  three draws per sample, in order, so that a seed gives the same samples everywhere
 * @param out     receives the samples
 * @throws RangeError if the surface has no area
 */
export function sampleSurface(mesh: TriangleMesh, count: number, random: Random, out: SurfaceSamples): void {
  const { positions: p, triangles } = mesh
  const faces = triangles.length / 3
  const normals = new Float64Array(3 * faces)
  const areas = new Float64Array(faces)
  let total = 0
  for (let t = 0; t < faces; t++) {
    const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]]
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]
    const twice = Math.sqrt(nx * nx + ny * ny + nz * nz)
    if (twice > 0) normals.set([nx / twice, ny / twice, nz / twice], 3 * t)
    total += twice
    areas[t] = total
  }
  if (!(total > 0 && total < Infinity)) {
    throw new RangeError(`surface samples: the ${faces} triangles have area ${total / 2}; pass a mesh with some area.`)
  }
  for (let i = 0; i < count; i++) {
    const t = firstAbove(areas, random.uniform() * total)
    // Square root of the first draw: equal areas at equal odds.
    const s = Math.sqrt(random.uniform())
    const r = random.uniform()
    for (let axis = 0; axis < 3; axis++) {
      const [a, b, c] = [0, 1, 2].map((k) => p[3 * triangles[3 * t + k] + axis])
      out.points[3 * i + axis] = (1 - s) * a + s * (1 - r) * b + s * r * c
      if (out.normals) out.normals[3 * i + axis] = normals[3 * t + axis]
    }
    if (out.triangleIds) out.triangleIds[i] = t
  }
}

/** Index of the first running sum above `value`: never a triangle of zero area. */
function firstAbove(sums: Float64Array, value: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sums[middle] > value) high = middle
    else low = middle + 1
  }
  return low
}
