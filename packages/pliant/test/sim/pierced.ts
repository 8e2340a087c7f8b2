/** What has come through a surface, and how deep a surface is in a field between its vertices. */
import type { SignedField } from '../../src/field/signed-field.js'

type Place = readonly number[]

/** How many triangles a segment goes through (Moller and Trumbore 1997). */
export function piercedTriangles(x: Float64Array, triangles: Uint32Array, from: Place, to: Place): number {
  const way = to.map((value, axis) => value - from[axis])
  let count = 0
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [...x.subarray(3 * triangles[t + k], 3 * triangles[t + k] + 3)])
    const [u, v, start] = [minus(b, a), minus(c, a), minus(from, a)]
    const p = cross(way, v)
    const volume = dot(u, p)
    if (volume === 0) continue
    const q = cross(start, u)
    const [shareB, shareC, along] = [dot(start, p) / volume, dot(way, q) / volume, dot(v, q) / volume]
    if (shareB >= 0 && shareC >= 0 && shareB + shareC <= 1 && along >= 0 && along <= 1) count++
  }
  return count
}

/** The least distance over all triangles, by a dense grid of places on each [m]. */
export function deepestOfSurface(x: Float64Array, triangles: Uint32Array, field: SignedField, steps = 10): number {
  const points: number[] = []
  for (let t = 0; t < triangles.length; t += 3) {
    for (let i = 0; i <= steps; i++) {
      for (let j = 0; i + j <= steps; j++) {
        for (let axis = 0; axis < 3; axis++) {
          const [a, b, c] = [0, 1, 2].map((k) => x[3 * triangles[t + k] + axis])
          points.push(a + (i / steps) * (b - a) + (j / steps) * (c - a))
        }
      }
    }
  }
  const distances = new Float64Array(points.length / 3)
  field.query(Float64Array.from(points), distances.length, distances)
  return distances.reduce((least, value) => Math.min(least, value), Infinity)
}

const minus = (p: Place, q: Place): number[] => p.map((value, axis) => value - q[axis])
const dot = (p: Place, q: Place): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
const cross = (p: Place, q: Place): number[] => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
]
