/**
 * Where to label: points on the surface, near it (a normal deviate away, in a random direction), and anywhere in the
 * domain (Zesch et al. 2022, section 3.1).
 */
import type { Box, Floats, Random, TriangleMesh } from 'pliant'
import { sampleSurface } from 'pliant/unstable'

export interface PointMix {
  surface: number
  near: number
  uniform: number
}

/** How many points of each kind `count` makes: surface first, then near, then uniform. */
export function mixCounts(mix: PointMix, count: number): { surface: number; near: number; uniform: number } {
  const surface = Math.round(mix.surface * count)
  const near = Math.min(Math.round(mix.near * count), count - surface)
  return { surface, near, uniform: count - surface - near }
}

/**
 * @param mesh   the posed mesh
 * @param sigma  standard deviation of the near points along each axis [m]
 * @param out    receives 3 * count values: surface points, near points, uniform points
 */
export function samplePoints(
  mesh: TriangleMesh,
  domain: Box,
  mix: PointMix,
  sigma: number,
  count: number,
  random: Random,
  out: Floats,
): void {
  const { surface, near } = mixCounts(mix, count)
  sampleSurface(mesh, surface + near, random, { points: out })
  for (let i = surface; i < surface + near; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const moved = out[3 * i + axis] + sigma * random.normal()
      out[3 * i + axis] = Math.min(Math.max(moved, domain.lower[axis]), domain.upper[axis])
    }
  }
  for (let i = surface + near; i < count; i++) {
    for (let axis = 0; axis < 3; axis++) out[3 * i + axis] = random.between(domain.lower[axis], domain.upper[axis])
  }
}
