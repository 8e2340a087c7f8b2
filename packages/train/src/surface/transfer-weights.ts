/** Skin weights for a new surface: those of the closest point of the old one, between its triangle's corners. */

import type { SkinnedSurface } from 'pliant/character'
import { invertAffine, skinMatrices } from 'pliant/unstable'

/** Bones per vertex that are kept. */
export const MOST_INFLUENCES = 8

export interface SurfacePlaces {
  /** Vertex numbers of the old surface, three per place. */
  corners: Uint32Array
  /** Shares of the three corners, sum 1. */
  shares: Float64Array
}

/** Where points on triangles lie between the corners. @param corners  vertex triples, one per point */
export function placesOf(positions: Float64Array, corners: Uint32Array, points: Float64Array): SurfacePlaces {
  const shares = new Float64Array(corners.length)
  for (let i = 0; i < corners.length; i += 3) barycentric(positions, corners, i, points, shares)
  return { corners, shares }
}

/**
 * @param positions     the new vertices in the root frame at rest [m]
 * @param places        their closest points on the old surface
 * @param restMatrices  joint to root frame at rest, 16 per joint
 * @returns the new surface bound to the old one's bones, so that at rest it is where `positions` says
 */
export function bindLike(
  old: SkinnedSurface,
  positions: Float64Array,
  triangles: Uint32Array,
  places: SurfacePlaces,
  restMatrices: Float64Array,
): SkinnedSurface {
  const count = positions.length / 3
  const matrices = new Float64Array(16 * old.bones.joints.length)
  skinMatrices(old.bones, restMatrices, matrices)
  const bound = new Float64Array(positions.length)
  const influenceStarts = new Uint32Array(count + 1)
  const influenceBones: number[] = []
  const influenceWeights: number[] = []
  for (let vertex = 0; vertex < count; vertex++) {
    const influences = influencesAt(old, places, vertex)
    for (const [bone, weight] of influences) {
      influenceBones.push(bone)
      influenceWeights.push(weight)
    }
    influenceStarts[vertex + 1] = influenceBones.length
    unskin(matrices, influences, positions, vertex, bound)
  }
  return {
    bound,
    triangles,
    bones: old.bones,
    influenceStarts,
    influenceBones: Uint16Array.from(influenceBones),
    influenceWeights: Float32Array.from(influenceWeights),
    // The old ones' rest weights are in the shape; others belong to vertices that are no longer there.
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [
      { name: 'collision', vertexStart: 0, vertexCount: count, triangleStart: 0, triangleCount: triangles.length / 3 },
    ],
  }
}

/** The heaviest bones at a place, heaviest first, sum 1. */
export function influencesAt(
  old: SkinnedSurface,
  { corners, shares }: SurfacePlaces,
  place: number,
): [number, number][] {
  const found = new Map<number, number>()
  for (let k = 3 * place; k < 3 * place + 3; k++) {
    for (let i = old.influenceStarts[corners[k]]; i < old.influenceStarts[corners[k] + 1]; i++) {
      const bone = old.influenceBones[i]
      found.set(bone, (found.get(bone) ?? 0) + shares[k] * old.influenceWeights[i])
    }
  }
  const heaviest = [...found]
    .filter(([, weight]) => weight > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MOST_INFLUENCES)
  const sum = heaviest.reduce((total, [, weight]) => total + weight, 0)
  return heaviest.map(([bone, weight]) => [bone, weight / sum])
}

/** Solves sum of weight * matrix * bound = position for the bound position. */
function unskin(
  matrices: Float64Array,
  influences: [number, number][],
  positions: Float64Array,
  vertex: number,
  bound: Float64Array,
): void {
  _blend.fill(0)
  for (const [bone, weight] of influences) {
    for (let i = 0; i < 16; i++) _blend[i] += Math.fround(weight) * matrices[16 * bone + i]
  }
  if (!invertAffine(_blend, 0, _inverse, 0)) {
    throw new RangeError(
      `collision surface: the bones of vertex ${vertex} cancel out at rest; give the character a rest pose near its bind pose.`,
    )
  }
  const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3)
  for (let row = 0; row < 3; row++) {
    bound[3 * vertex + row] = _inverse[row] * x + _inverse[4 + row] * y + _inverse[8 + row] * z + _inverse[12 + row]
  }
}

const _blend = new Float64Array(16)
const _inverse = new Float64Array(16)

function barycentric(p: Float64Array, corners: Uint32Array, i: number, points: Float64Array, out: Float64Array): void {
  const [a, b, c] = [3 * corners[i], 3 * corners[i + 1], 3 * corners[i + 2]]
  let uu = 0
  let uv = 0
  let vv = 0
  let qu = 0
  let qv = 0
  for (let axis = 0; axis < 3; axis++) {
    const u = p[b + axis] - p[a + axis]
    const v = p[c + axis] - p[a + axis]
    const q = points[i + axis] - p[a + axis]
    uu += u * u
    uv += u * v
    vv += v * v
    qu += q * u
    qv += q * v
  }
  const det = uu * vv - uv * uv
  // A collapsed triangle: its longer side.
  if (!(det > 1e-14 * uu * vv)) {
    out[i + 1] = uu >= vv && uu > 0 ? Math.min(Math.max(qu / uu, 0), 1) : 0
    out[i + 2] = uu < vv ? Math.min(Math.max(qv / vv, 0), 1) : 0
  } else {
    out[i + 1] = Math.min(Math.max((vv * qu - uv * qv) / det, 0), 1)
    out[i + 2] = Math.min(Math.max((uu * qv - uv * qu) / det, 0), 1 - out[i + 1])
  }
  out[i] = 1 - out[i + 1] - out[i + 2]
}
