/**
 * A start outside the body: vertices and face centres are moved out along the field, and between rounds the edges are
 * evened out, so that a vertex that left by itself does not stay behind as a spike.
 */

import type { SignedField } from '../../field/signed-field.js'
import type { Floats } from '../../math/floats.js'
import { edgeTable } from '../../mesh/adjacency.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'

export interface PushOptions {
  /** Distance from the body to reach [m]. */
  clearance?: number
  /** Rounds at most. */
  rounds?: number
  /** How far each vertex goes towards the middle of its neighbours between rounds, in [0, 1). */
  smoothing?: number
}
export const PUSH_DEFAULTS = { clearance: 0.008, rounds: 30, smoothing: 0.3 } as const

/**
 * Moves the mesh's positions. Only vertices that had to move, and their neighbours, are evened out.
 * @returns the least distance of vertices and face centres afterwards [m]: below the clearance if rounds ran out
 */
export function pushOutside(mesh: TriangleMesh, field: SignedField, options: PushOptions = {}): number {
  const { clearance, rounds, smoothing } = { ...PUSH_DEFAULTS, ...options }
  const { positions, triangles } = mesh
  const vertexCount = positions.length / 3
  const edges = edgeTable(triangles, vertexCount).vertices
  const faces = triangles.length / 3
  const points = new Float64Array(3 * (vertexCount + faces))
  const distances = new Float64Array(vertexCount + faces)
  const normals = new Float64Array(points.length)
  const moved = new Uint8Array(vertexCount)
  let least = measure(mesh, field, points, distances, normals)
  // A hair of the clearance for the curvature that straight pushes leave.
  for (let round = 0; round < rounds && least < 0.999 * clearance; round++) {
    moved.fill(0)
    for (let k = 0; k < vertexCount + faces; k++) {
      const depth = clearance - distances[k]
      const length = Math.hypot(normals[3 * k], normals[3 * k + 1], normals[3 * k + 2])
      if (!(depth > 0 && depth < Infinity && length > 0 && length < Infinity)) continue
      for (let corner = 0; corner < (k < vertexCount ? 1 : 3); corner++) {
        const v = k < vertexCount ? k : triangles[3 * (k - vertexCount) + corner]
        // A face takes its corners along, unless they were moved on their own account this round.
        if (k >= vertexCount && moved[v] === 1) continue
        if (k < vertexCount) moved[v] = 1
        for (let axis = 0; axis < 3; axis++) positions[3 * v + axis] += (depth * normals[3 * k + axis]) / length
      }
    }
    // The last rounds only push, so that smoothing does not undo them.
    if (round < rounds / 2) smooth(positions, edges, moved, smoothing)
    least = measure(mesh, field, points, distances, normals)
  }
  return least
}

/** Distances at vertices, then at face centres. @returns the least */
function measure(
  { positions, triangles }: TriangleMesh,
  field: SignedField,
  points: Float64Array,
  distances: Float64Array,
  normals: Float64Array,
): number {
  points.set(positions)
  points.fill(0, positions.length)
  for (let corner = 0; corner < triangles.length; corner++) {
    const centre = positions.length + 3 * Math.trunc(corner / 3)
    for (let axis = 0; axis < 3; axis++) points[centre + axis] += positions[3 * triangles[corner] + axis] / 3
  }
  field.query(points, distances.length, distances, normals)
  let least = Infinity
  for (const distance of distances) least = Math.min(least, distance)
  return least
}

function smooth(positions: Floats, edges: Uint32Array, moved: Uint8Array, share: number): void {
  const sums = new Float64Array(positions.length)
  const counts = new Uint32Array(moved.length)
  const near = moved.slice()
  for (let k = 0; k < edges.length; k += 2) {
    const [a, b] = [edges[k], edges[k + 1]]
    if (moved[a] === 1 || moved[b] === 1) {
      near[a] = 1
      near[b] = 1
    }
    counts[a]++
    counts[b]++
    for (let axis = 0; axis < 3; axis++) {
      sums[3 * a + axis] += positions[3 * b + axis]
      sums[3 * b + axis] += positions[3 * a + axis]
    }
  }
  for (let v = 0; v < moved.length; v++) {
    if (near[v] === 0) continue
    for (let axis = 3 * v; axis < 3 * v + 3; axis++) {
      positions[axis] += share * (sums[axis] / counts[v] - positions[axis])
    }
  }
}
