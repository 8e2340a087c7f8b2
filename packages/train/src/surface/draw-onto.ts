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
/** Cosine between neighbouring planes below which there is an edge between them. */
const SHARP = 0.9
/** Weight of staying against that of each plane: decides along an edge, where planes do not. */
const STAY = 0.05

/**
 * Moves vertices onto the original, within their cells, where it is the same side of the same visible part; those that
 * sharp edges and corners of the original pass by are moved there first, which else would be chamfered.
 */
export function drawOntoOriginal(
  nets: NetsMesh,
  body: SolidMesh,
  inside: (x: number, y: number, z: number) => boolean,
  cell: number,
): void {
  sharpen(nets, drawOnce(nets, body, inside, cell), cell)
  drawOnce(nets, body, inside, cell)
}

/** The plane of the original next to each vertex: a point and a unit normal, or NaN where there is none. */
interface Planes {
  points: Float64Array
  normals: Float64Array
}

function drawOnce(
  nets: NetsMesh,
  body: SolidMesh,
  inside: (x: number, y: number, z: number) => boolean,
  cell: number,
): Planes {
  const { positions: p } = nets
  const count = p.length / 3
  const { points, triangles } = closestPoints(body, p)
  const own = vertexNormals(nets)
  const normals = new Float64Array(p.length).fill(Number.NaN)
  const n = new Float64Array(3)
  for (let v = 0; v < count; v++) {
    const at = 3 * v
    if (Math.hypot(points[at] - p[at], points[at + 1] - p[at + 1], points[at + 2] - p[at + 2]) > cell) continue
    faceNormal(body, triangles[v], n)
    if (n[0] * own[at] + n[1] * own[at + 1] + n[2] * own[at + 2] < SAME_SIDE) continue
    const beyond = (axis: number): number => points[at + axis] + 0.2 * cell * n[axis]
    if (inside(beyond(0), beyond(1), beyond(2))) continue
    normals.set(n, at)
    for (let k = at; k < at + 3; k++) moveWithinCell(nets, cell, k, DRAW * (points[k] - p[k]))
  }
  return { points, normals }
}

/** Moves vertices whose neighbours lie on planes at an angle to theirs to where all those planes meet, or nearly do. */
function sharpen(nets: NetsMesh, { points, normals }: Planes, cell: number): void {
  const { positions: p, triangles } = nets
  const count = p.length / 3
  // Least squares per vertex: matrix xx, xy, xz, yy, yz, zz and right side.
  const systems = new Float64Array(9 * count)
  const sharp = new Uint8Array(count)
  const add = (vertex: number, other: number): void => {
    const [u, v] = [3 * vertex, 3 * other]
    const [x, y, z] = normals.subarray(v, v + 3)
    const reach = x * (points[v] - p[u]) + y * (points[v + 1] - p[u + 1]) + z * (points[v + 2] - p[u + 2])
    // Also false where there is no plane.
    if (!(Math.abs(reach) < cell)) return
    if (x * normals[u] + y * normals[u + 1] + z * normals[u + 2] < SHARP) sharp[vertex] = 1
    const row = [x * x, x * y, x * z, y * y, y * z, z * z, x * reach, y * reach, z * reach]
    for (let i = 0; i < 9; i++) systems[9 * vertex + i] += row[i]
  }
  for (let v = 0; v < count; v++) add(v, v)
  // The surface is closed: every neighbour comes after its vertex in one triangle.
  for (let k = 0; k < triangles.length; k++) add(triangles[k], triangles[k % 3 === 2 ? k - 2 : k + 1])
  for (let v = 0; v < count; v++) {
    if (sharp[v] === 0) continue
    const step = solveSymmetric(systems.subarray(9 * v, 9 * v + 9), STAY)
    for (let axis = 0; axis < 3; axis++) moveWithinCell(nets, cell, 3 * v + axis, step[axis])
  }
}

function moveWithinCell({ positions: p, cells }: NetsMesh, cell: number, k: number, step: number): void {
  p[k] = Math.min(Math.max(p[k] + step, cells[k] + 0.02 * cell), cells[k] + 0.98 * cell)
}

/** Solves (A + damping) x = b by cofactors; A is positive semidefinite. */
function solveSymmetric(s: Float64Array, damping: number): [number, number, number] {
  const [xx, xy, xz, yy, yz, zz] = [s[0] + damping, s[1], s[2], s[3] + damping, s[4], s[5] + damping]
  const c0 = yy * zz - yz * yz
  const c1 = xz * yz - xy * zz
  const c2 = xy * yz - xz * yy
  const det = xx * c0 + xy * c1 + xz * c2
  const [bx, by, bz] = [s[6], s[7], s[8]]
  return [
    (c0 * bx + c1 * by + c2 * bz) / det,
    (c1 * bx + (xx * zz - xz * xz) * by + (xy * xz - xx * yz) * bz) / det,
    (c2 * bx + (xy * xz - xx * yz) * by + (xx * yy - xy * xy) * bz) / det,
  ]
}

function closestPoints(body: SolidMesh, from: Float64Array): { points: Float64Array; triangles: Uint32Array } {
  const count = from.length / 3
  const [points, triangles] = [new Float64Array(from.length), new Uint32Array(count)]
  const exact = new ExactMeshField(body, { sign: 'pseudonormal' })
  exact.closest(from, count, { distances: new Float64Array(count), closestPoints: points, triangleIds: triangles })
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
