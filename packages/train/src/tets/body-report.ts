/** What became of a surface that was filled with tetrahedra: counts, angles, and how far the two surfaces lie apart. */

import { surfaceOfTets, type TetMesh, type TriangleMesh } from 'pliant'
import { ExactMeshField } from 'pliant/exact'
import {
  boxDiagonal,
  edgeTable,
  firstAtSamePlace,
  meshBox,
  meshVolume,
  sampleSurface,
  tetVolume,
} from 'pliant/unstable'
import { SHAPE_SEED, streamOf } from '../streams/random-streams.js'
import type { SurfacePoints } from './surface-points.js'
import { dihedralRange } from './tet-angles.js'

export interface BodyReport {
  nodes: number
  tetrahedra: number
  /** Triangles and nodes of the body's surface. */
  triangles: number
  surfaceNodes: number
  /** Dihedral angles [degrees]. */
  smallestAngle: number
  largestAngle: number
  /** Volume of the body less that of the surface [% of the latter]. */
  volumeError: number
  /** Between the two surfaces, both ways, over points spread on both [% of the diagonal of the given one's box]. */
  meanDistance: number
  maxDistance: number
  /** Share of the given surface where the body below it is thinner than a lattice cube. */
  thin: number
  /** Share of the given surface that is further from the body than half of a mean edge of its surface: parts lost. */
  lost: number
  /** Whether both surfaces have as many pieces and handles. */
  sameTopology: boolean
}

/** Points by which a lattice is judged. */
const SAMPLES = 4000

/**
 * @param from   points of the given surface, to measure from
 * @param field  of the given surface
 * @param cube   side of a lattice cube [m]
 */
export function describeBody(
  mesh: TetMesh,
  given: TriangleMesh,
  from: SurfacePoints,
  field: ExactMeshField,
  cube: number,
): BodyReport {
  const surface = surfaceOfTets(mesh)
  const diagonal = boxDiagonal(meshBox(given))
  const toBody = unsigned(new ExactMeshField(surface, { sign: 'pseudonormal' }), from.points)
  const back = new Float64Array(from.points.length)
  sampleSurface(surface, back.length / 3, streamOf('fillingReport', SHAPE_SEED), { points: back })
  const toGiven = unsigned(field, back)
  const largest = (distances: Float64Array): number => distances.reduce((most, d) => Math.max(most, d), 0)
  const lostBeyond = meanEdge(surface) / 2
  const angles = dihedralRange(mesh)
  const givenVolume = Math.abs(meshVolume(given))
  let volume = 0
  for (let tet = 0; tet < mesh.tetrahedra.length / 4; tet++) volume += tetVolume(mesh, tet)
  return {
    nodes: mesh.positions.length / 3,
    tetrahedra: mesh.tetrahedra.length / 4,
    triangles: surface.triangles.length / 3,
    surfaceNodes: surface.positions.length / 3,
    smallestAngle: angles.smallest,
    largestAngle: angles.largest,
    volumeError: 100 * (volume / givenVolume - 1),
    meanDistance: (50 * (meanOf(toBody) + meanOf(toGiven))) / diagonal,
    maxDistance: (100 * Math.max(largest(toBody), largest(toGiven))) / diagonal,
    thin: shareThin(from, given, field, cube),
    lost: toBody.filter((d) => d > lostBeyond).length / toBody.length,
    sameTopology: eulerCharacteristic(surface) === eulerCharacteristic(given),
  }
}

/** Share of a surface that is further than `reach` [m] from a body. */
export function shareLost(mesh: TetMesh, given: TriangleMesh, reach: number): number {
  const points = new Float64Array(3 * SAMPLES)
  sampleSurface(given, SAMPLES, streamOf('fillingLost', SHAPE_SEED), { points })
  const distances = unsigned(new ExactMeshField(surfaceOfTets(mesh), { sign: 'pseudonormal' }), points)
  return distances.filter((d) => d > reach).length / SAMPLES
}

function meanEdge({ positions: p, triangles }: TriangleMesh): number {
  let sum = 0
  for (let i = 0; i < triangles.length; i++) {
    const [a, b] = [3 * triangles[i], 3 * triangles[i % 3 === 2 ? i - 2 : i + 1]]
    sum += Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2])
  }
  return sum / triangles.length
}

function unsigned(field: ExactMeshField, points: Float64Array): Float64Array {
  const distances = new Float64Array(points.length / 3)
  field.query(points, distances.length, distances)
  return distances.map(Math.abs)
}

/** Samples below which a point one cube deep is outside again. */
function shareThin(samples: SurfacePoints, given: TriangleMesh, field: ExactMeshField, cube: number): number {
  const outward = meshVolume(given) < 0 ? -1 : 1
  const below = samples.points.map((value, i) => value - outward * cube * samples.normals[i])
  const distances = new Float64Array(below.length / 3)
  field.query(below, distances.length, distances)
  return distances.filter((d) => d > 0).length / distances.length
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Vertices less edges plus triangles, positions that are equal joined. */
function eulerCharacteristic({ positions, triangles }: TriangleMesh): number {
  const weld = firstAtSamePlace(positions)
  const used = new Set<number>()
  for (const v of triangles) used.add(weld[v])
  return used.size - edgeTable(triangles, weld.length, weld).edgeCount + triangles.length / 3
}
