/**
 * Signed distances from a tree of three-mesh-bvh at its best: closest point with reused targets, and the sign of the
 * nearest face's normal, all but free, and wrong near some edges where the exact field is right.
 */
import { Vector3 } from 'three'
import type { MeshBVH } from 'three-mesh-bvh'

export interface Answers {
  /** [m], negative inside; as many as are asked for at most. */
  distances: Float32Array
  /** xyz triples. */
  normals: Float32Array
  /** Nearest faces as the tree numbers them; left out, nobody asks for them. */
  faces?: Uint32Array
}

export function createAnswers(count: number): Answers {
  return { distances: new Float32Array(count), normals: new Float32Array(3 * count) }
}

const point = new Vector3()
const target = { point: new Vector3(), distance: 0, faceIndex: 0 }

/** No face within reach. */
export const NO_FACE = 0xffffffff

/**
 * Closest points in a tree that was refitted or built by the caller, with reused targets.
 * @param reach  where the search stops [m]: points further away get this distance, no sign, no direction and no face
 */
export function askTree(
  bvh: MeshBVH,
  points: Float32Array,
  { distances, normals, faces }: Answers,
  reach = Infinity,
): void {
  const positions = bvh.geometry.attributes['position'].array
  const index = bvh.geometry.index!.array
  for (let i = 0; 3 * i < points.length; i++) {
    point.set(points[3 * i], points[3 * i + 1], points[3 * i + 2])
    // It may come upon triangles further away, in boxes that reach nearer: those need not be the nearest.
    if (!bvh.closestPointToPoint(point, target, 0, reach) || target.distance > reach) {
      distances[i] = reach
      normals.fill(0, 3 * i, 3 * i + 3)
      if (faces) faces[i] = NO_FACE
      continue
    }
    if (faces) faces[i] = target.faceIndex
    const a = 3 * index[3 * target.faceIndex]
    const b = 3 * index[3 * target.faceIndex + 1]
    const c = 3 * index[3 * target.faceIndex + 2]
    const ux = positions[b] - positions[a]
    const uy = positions[b + 1] - positions[a + 1]
    const uz = positions[b + 2] - positions[a + 2]
    const vx = positions[c] - positions[a]
    const vy = positions[c + 1] - positions[a + 1]
    const vz = positions[c + 2] - positions[a + 2]
    const x = point.x - target.point.x
    const y = point.y - target.point.y
    const z = point.z - target.point.z
    const outside = x * (uy * vz - uz * vy) + y * (uz * vx - ux * vz) + z * (ux * vy - uy * vx) >= 0
    const scale = (outside ? 1 : -1) / (target.distance || 1)
    distances[i] = outside ? target.distance : -target.distance
    normals[3 * i] = scale * x
    normals[3 * i + 1] = scale * y
    normals[3 * i + 2] = scale * z
  }
}

/**
 * Trees put triangles into an order of their own.
 * @param triangles  as they were
 * @param index      as the tree has put them
 * @returns the triangle of each of the tree's faces
 */
export function trianglesOfFaces(triangles: Uint32Array, index: Uint32Array): Uint32Array {
  const count = index.length / 3
  const numbers = new Map(Array.from({ length: count }, (_, t) => [cornersOf(triangles, t), t]))
  return Uint32Array.from({ length: count }, (_, face) => numbers.get(cornersOf(index, face))!)
}

function cornersOf(triangles: Uint32Array, t: number): string {
  return triangles.slice(3 * t, 3 * t + 3).join()
}
