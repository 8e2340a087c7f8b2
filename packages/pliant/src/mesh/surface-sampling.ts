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
  const normal = new Float64Array(3)
  const areas = runningAreas(mesh)
  const total = areas[areas.length - 1]
  for (let i = 0; i < count; i++) {
    const t = firstAbove(areas, random.uniform() * total)
    // Square root of the first draw: equal areas at equal odds.
    const s = Math.sqrt(random.uniform())
    const r = random.uniform()
    const a = 3 * triangles[3 * t]
    const b = 3 * triangles[3 * t + 1]
    const c = 3 * triangles[3 * t + 2]
    for (let axis = 0; axis < 3; axis++) {
      out.points[3 * i + axis] = (1 - s) * p[a + axis] + s * (1 - r) * p[b + axis] + s * r * p[c + axis]
    }
    if (out.normals) {
      faceNormal(mesh, t, normal)
      out.normals.set(normal, 3 * i)
    }
    if (out.triangleIds) out.triangleIds[i] = t
  }
}

/**
 * Triangles at even steps of area through their list: the same for the same mesh, with nothing drawn.
 * @returns the corners of `count` triangles, three vertices each; large triangles come several times
 * @throws RangeError if the surface has no area
 */
export function spreadTriangles(mesh: TriangleMesh, count: number): Uint32Array {
  const areas = runningAreas(mesh)
  const total = areas[areas.length - 1]
  const corners = new Uint32Array(3 * count)
  for (let i = 0; i < count; i++) {
    const t = firstAbove(areas, ((i + 0.5) / count) * total)
    corners.set(mesh.triangles.subarray(3 * t, 3 * t + 3), 3 * i)
  }
  return corners
}

/** Area [m^2] of each triangle and all before it. @throws RangeError if there is none */
function runningAreas(mesh: TriangleMesh): Float64Array {
  const faces = mesh.triangles.length / 3
  const normal = new Float64Array(3)
  const areas = new Float64Array(faces)
  let total = 0
  for (let t = 0; t < faces; t++) {
    total += faceNormal(mesh, t, normal)
    areas[t] = total
  }
  if (!(total > 0 && total < Infinity)) {
    throw new RangeError(`surface samples: the ${faces} triangles have area ${total}; pass a mesh with some area.`)
  }
  return areas
}

/** Writes the unit normal of a triangle, zero if it has no area, and returns the area [m^2]. */
function faceNormal({ positions: p, triangles }: TriangleMesh, t: number, out: Float64Array): number {
  const a = 3 * triangles[3 * t]
  const b = 3 * triangles[3 * t + 1]
  const c = 3 * triangles[3 * t + 2]
  const ux = p[b] - p[a]
  const uy = p[b + 1] - p[a + 1]
  const uz = p[b + 2] - p[a + 2]
  const vx = p[c] - p[a]
  const vy = p[c + 1] - p[a + 1]
  const vz = p[c + 2] - p[a + 2]
  const nx = uy * vz - uz * vy
  const ny = uz * vx - ux * vz
  const nz = ux * vy - uy * vx
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz)
  const scale = length > 0 ? 1 / length : 0
  out[0] = nx * scale
  out[1] = ny * scale
  out[2] = nz * scale
  return length / 2
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
