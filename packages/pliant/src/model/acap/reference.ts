/**
 * What features and their inverse know of the mesh that all shapes are compared with: its edges, with their weights, and
 * the share of each vertex in its area, by which shapes are aligned and centred.
 */
import { requireMeshArrays } from '../../math/require.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import { requireValidMesh } from '../../mesh/validate.js'
import { writeNormals } from './normals.js'
import { pieceBridges } from './piece-bridges.js'
import { ringEdges, type WeightedEdges } from './ring-edges.js'

export interface AcapReference {
  vertexCount: number
  positions: Float64Array
  triangles: Uint32Array
  /** Sides of triangles, along which rings are fitted. */
  ring: WeightedEdges
  /** The same, and behind them those that tie pieces together. */
  edges: WeightedEdges
  /** Unit normal of each vertex, by area; zero where its triangles have none or cancel. */
  normals: Float64Array
  /** A third of the area [m^2] of the triangles around each vertex. */
  areas: Float64Array
}

/** @throws RangeError if the mesh is broken, has no area, or a vertex without a triangle */
export function acapReference(mesh: TriangleMesh): AcapReference {
  requireMeshArrays('acap', mesh.positions, mesh.triangles)
  requireValidMesh(mesh, 'acap')
  const positions = Float64Array.from(mesh.positions)
  const triangles = mesh.triangles.slice()
  const areas = vertexAreas({ positions, triangles })
  const ring = ringEdges({ positions, triangles })
  const bridges = pieceBridges({ positions, triangles })
  const normals = new Float64Array(positions.length)
  writeNormals(positions, triangles, normals)
  return { vertexCount: areas.length, positions, triangles, ring, edges: joined(ring, bridges), normals, areas }
}

function joined(a: WeightedEdges, b: WeightedEdges): WeightedEdges {
  const vertices = new Uint32Array(a.vertices.length + b.vertices.length)
  const weights = new Float64Array(a.weights.length + b.weights.length)
  vertices.set(a.vertices)
  vertices.set(b.vertices, a.vertices.length)
  weights.set(a.weights)
  weights.set(b.weights, a.weights.length)
  return { vertices, weights }
}

function vertexAreas({ positions: p, triangles }: TriangleMesh): Float64Array {
  const areas = new Float64Array(p.length / 3)
  const used = new Uint8Array(areas.length)
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = triangles.subarray(t, t + 3)
    const [ux, uy, uz] = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k])
    const [vx, vy, vz] = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * a + k])
    const area = Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2
    for (const v of [a, b, c]) {
      areas[v] += area / 3
      used[v] = 1
    }
  }
  const unused = used.indexOf(0)
  if (unused >= 0) throw new RangeError(`acap: vertex ${unused} is part of no triangle; take such vertices out first.`)
  if (!areas.some((area) => area > 0)) throw new RangeError('acap: the mesh has no area; give one with real triangles.')
  return areas
}
