/**
 * A soft hand to touch other bodies with, made in code: the cones of bones.ts joined by a soft minimum
 *
 *   d = -k log sum_j exp(-d_j / k)
 *
 * traced by surface nets and filled with tetrahedra.
 */
import { boxExpand, boxOfPoints, type TetMesh, type TriangleMesh } from 'pliant'
import { surfaceNets } from '../../surface/surface-nets.js'
import { tetrahedralise } from '../../tets/tetrahedralise.js'
import { BONES, type Bone } from './bones.js'

/** How softly bones join [m]: more, and the fingers grow webs. */
const SOFTNESS = 0.0028
/** Side of a cell of the surface that is filled [m]. */
const CELL = 0.003
/** Nodes to aim for, and triangles outside: more of them than usual, since fingers are all surface. */
const NODES = 460
const TRIANGLES = 840

export async function makeHand(): Promise<TetMesh> {
  return (await tetrahedralise(await handSurface(), { nodes: NODES, triangles: TRIANGLES })).mesh
}

/** Closed, facing outward, in the frame of bones.ts [m]. */
export async function handSurface(): Promise<TriangleMesh & { positions: Float64Array }> {
  const radius = Math.max(...BONES.map((bone) => Math.max(bone.radius, bone.endRadius)))
  const ends = Float64Array.from(BONES.flatMap(({ from, to }) => [...from, ...to]))
  const box = boxExpand(boxOfPoints(ends), radius + SOFTNESS * Math.log(BONES.length))
  const inside = (x: number, y: number, z: number): boolean => handDistance(x, y, z) < 0
  const { positions, triangles } = await surfaceNets(box, inside, surfaceSeed(), { cell: CELL })
  return { positions, triangles }
}

/** To the hand at rest [m], negative inside; near the surface right to first order. */
export function handDistance(x: number, y: number, z: number): number {
  let sum = 0
  for (const bone of BONES) sum += Math.exp(-boneDistance(bone, x, y, z) / SOFTNESS)
  return -SOFTNESS * Math.log(sum)
}

function boneDistance({ from, to, radius, endRadius }: Bone, x: number, y: number, z: number): number {
  const ox = x - from[0]
  const oy = y - from[1]
  const oz = z - from[2]
  const dx = to[0] - from[0]
  const dy = to[1] - from[1]
  const dz = to[2] - from[2]
  const along = (ox * dx + oy * dy + oz * dz) / (dx * dx + dy * dy + dz * dz)
  const t = Math.min(Math.max(along, 0), 1)
  const away = Math.hypot(ox - t * dx, oy - t * dy, oz - t * dz)
  return away - radius - t * (endRadius - radius)
}

/** A point of the surface above the wrist. */
function surfaceSeed(): Float64Array {
  let [low, high] = [0, 1]
  while (high - low > 1e-6) {
    const middle = (low + high) / 2
    if (handDistance(0, middle, 0) < 0) low = middle
    else high = middle
  }
  return Float64Array.of(0, low, 0)
}
