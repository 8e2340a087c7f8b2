/** A traced surface drawn onto the original where the two are the same side of the same part. */
import { ExactMeshField } from 'pliant/exact'
import type { NetsMesh } from './surface-nets.js'
import { placesOf, type SurfacePlaces } from './transfer-weights.js'

/** Triangles counter-clockwise from outside. */
export interface SolidMesh {
  positions: Float64Array
  triangles: Uint32Array
}

/** A vertex goes this share of the way to the original: all the way, several might meet in a point and flatten faces. */
const DRAW = 0.95
/** Cosine between the traced surface and the original from which they are the same side of the same part. */
const SAME_SIDE = 0.3

/** Moves vertices towards the original, within their cells, where it is the same side of the same visible part. */
export function drawOntoOriginal(
  nets: NetsMesh,
  body: SolidMesh,
  inside: (x: number, y: number, z: number) => boolean,
  cell: number,
): void {
  const { positions: p, cells } = nets
  const count = p.length / 3
  const { points, triangles } = closestPoints(body, p)
  const normals = vertexNormals(nets)
  const n = new Float64Array(3)
  for (let v = 0; v < count; v++) {
    const at = 3 * v
    if (Math.hypot(points[at] - p[at], points[at + 1] - p[at + 1], points[at + 2] - p[at + 2]) > cell) continue
    faceNormal(body, triangles[v], n)
    if (n[0] * normals[at] + n[1] * normals[at + 1] + n[2] * normals[at + 2] < SAME_SIDE) continue
    const beyond = (axis: number): number => points[at + axis] + 0.2 * cell * n[axis]
    if (inside(beyond(0), beyond(1), beyond(2))) continue
    for (let k = at; k < at + 3; k++) {
      const target = p[k] + DRAW * (points[k] - p[k])
      p[k] = Math.min(Math.max(target, cells[k] + 0.02 * cell), cells[k] + 0.98 * cell)
    }
  }
}

function closestPoints(body: SolidMesh, from: Float64Array): { points: Float64Array; triangles: Uint32Array } {
  const count = from.length / 3
  const [points, triangles] = [new Float64Array(from.length), new Uint32Array(count)]
  const exact = new ExactMeshField(body, { sign: 'pseudonormal' })
  exact.query(from, count, { distances: new Float64Array(count), closestPoints: points, triangleIds: triangles })
  return { points, triangles }
}

/** The closest points of the original, between the corners of its triangles. */
export function closestPlaces(body: SolidMesh, from: Float64Array): SurfacePlaces {
  const { points, triangles } = closestPoints(body, from)
  const corners = new Uint32Array(points.length).map(
    (_, k) => body.triangles[3 * triangles[Math.trunc(k / 3)] + (k % 3)],
  )
  return placesOf(body.positions, corners, points)
}

/** Unit normals, mean over the triangles around by area. */
function vertexNormals({ positions, triangles }: NetsMesh): Float64Array {
  const normals = new Float64Array(positions.length)
  const n = new Float64Array(3)
  for (let t = 0; t < triangles.length / 3; t++) {
    const twice = faceNormal({ positions, triangles }, t, n)
    for (let k = 3 * t; k < 3 * t + 3; k++) {
      for (let axis = 0; axis < 3; axis++) normals[3 * triangles[k] + axis] += twice * n[axis]
    }
  }
  for (let v = 0; v < normals.length; v += 3) {
    const length = Math.hypot(normals[v], normals[v + 1], normals[v + 2])
    if (length > 0) for (let k = v; k < v + 3; k++) normals[k] /= length
  }
  return normals
}

/** Writes the unit normal; returns twice the area. */
function faceNormal({ positions: p, triangles }: SolidMesh, t: number, out: Float64Array): number {
  const [a, b, c] = [3 * triangles[3 * t], 3 * triangles[3 * t + 1], 3 * triangles[3 * t + 2]]
  const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]]
  const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]]
  out[0] = uy * vz - uz * vy
  out[1] = uz * vx - ux * vz
  out[2] = ux * vy - uy * vx
  const length = Math.hypot(out[0], out[1], out[2])
  if (length > 0) for (let axis = 0; axis < 3; axis++) out[axis] /= length
  return length
}
