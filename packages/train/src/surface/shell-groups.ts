/**
 * Which shells make one body, and which are bodies of their own: those that touch at rest and move alike there are traced
 * as one, without the seam between them. Those that touch but move apart, as a doll's arm in its socket, must not be: the
 * surface between them would be a web that stretches twentyfold, seen by nobody and learned by no network
 * (docs/notes/character.md).
 */
import { boxOfPoints } from 'pliant'
import type { SkinnedSurface } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { influencesAt, placesOf, type SurfacePlaces } from './transfer-weights.js'
import { pick, pointsOnTriangles } from './triangle-points.js'

/** Shells whose weights differ by more than this share where they touch move apart. */
const APART = 0.3

/**
 * @param rest    positions at rest [m]
 * @param shells  vertex triples of each
 * @param reach   shells that come as near as this touch [m]
 * @returns the shells of each group
 */
export function groupShells(
  surface: SkinnedSurface,
  rest: Float64Array,
  shells: readonly Uint32Array[],
  reach: number,
): Uint32Array[][] {
  const places = shells.map((triangles) => spreadPlaces(rest, triangles, reach))
  const boxes = shells.map((triangles) => boxOfPoints(pick(rest, triangles)))
  const groupOf = shells.map((_, shell) => shell)
  for (let a = 0; a < shells.length; a++) {
    const field = new ExactMeshField({ positions: rest, triangles: shells[a] }, { sign: 'pseudonormal' })
    for (let b = 0; b < shells.length; b++) {
      const [p, q] = [boxes[a], boxes[b]]
      const near = [0, 1, 2].every((k) => p.lower[k] - reach <= q.upper[k] && q.lower[k] - reach <= p.upper[k])
      if (groupOf[a] === groupOf[b] || !near) continue
      const difference = differenceWhereTouching(surface, rest, { field, triangles: shells[a] }, places[b], reach)
      if (difference === undefined || difference > APART) continue
      const [from, to] = [groupOf[b], groupOf[a]]
      groupOf.forEach((group, shell) => {
        if (group === from) groupOf[shell] = to
      })
    }
  }
  return [...new Set(groupOf)].map((group) => shells.filter((_, shell) => groupOf[shell] === group))
}

interface Spread extends SurfacePlaces {
  points: Float64Array
}

/** Points on a shell, no further than `spacing` apart, and where they lie between its vertices. */
function spreadPlaces(rest: Float64Array, triangles: Uint32Array, spacing: number): Spread {
  const { points, triangleIds } = pointsOnTriangles(rest, triangles, spacing)
  const corners = new Uint32Array(points.length)
  triangleIds.forEach((t, i) => {
    corners.set(triangles.subarray(3 * t, 3 * t + 3), 3 * i)
  })
  return { points, ...placesOf(rest, corners, points) }
}

/** Mean share of the weights, 0 to 1, that two shells do not have in common; undefined if they do not touch. */
function differenceWhereTouching(
  surface: SkinnedSurface,
  rest: Float64Array,
  shell: { field: ExactMeshField; triangles: Uint32Array },
  other: Spread,
  reach: number,
): number | undefined {
  const count = other.points.length / 3
  const distances = new Float64Array(count)
  const closestPoints = new Float64Array(3 * count)
  const triangleIds = new Uint32Array(count)
  shell.field.closest(other.points, count, { distances, closestPoints, triangleIds })
  const corners = new Uint32Array(3 * count)
  triangleIds.forEach((t, i) => {
    corners.set(shell.triangles.subarray(3 * t, 3 * t + 3), 3 * i)
  })
  const places = placesOf(rest, corners, closestPoints)
  let sum = 0
  let touching = 0
  for (let i = 0; i < count; i++) {
    if (Math.abs(distances[i]) > reach) continue
    const own = new Map(influencesAt(surface, places, i))
    sum += 1 - influencesAt(surface, other, i).reduce((common, [b, w]) => common + Math.min(w, own.get(b) ?? 0), 0)
    touching++
  }
  return touching === 0 ? undefined : sum / touching
}
