/** The mesh of a body that is round about its y axis: an outline, turned in so many steps. */
import type { TriangleMesh } from 'pliant'

/**
 * @param outline  distance from the axis and height of each corner [m], upwards; the first and the last on the axis
 * @param sides    steps about the axis
 */
export function turnedProfile(outline: readonly (readonly [number, number])[], sides: number): TriangleMesh {
  const rings = outline.slice(1, -1)
  const positions: number[] = []
  for (const [radius, height] of rings) {
    for (let side = 0; side < sides; side++) {
      const angle = (2 * Math.PI * side) / sides
      positions.push(radius * Math.cos(angle), height, radius * Math.sin(angle))
    }
  }
  const [bottom, top] = [rings.length * sides, rings.length * sides + 1]
  positions.push(0, outline[0][1], 0, 0, outline[outline.length - 1][1], 0)
  const triangles: number[] = []
  for (let side = 0; side < sides; side++) {
    const next = (side + 1) % sides
    triangles.push(bottom, side, next)
    for (let ring = 0; ring + 1 < rings.length; ring++) {
      const [low, high] = [ring * sides, (ring + 1) * sides]
      triangles.push(low + side, high + side, high + next, low + side, high + next, low + next)
    }
    const last = (rings.length - 1) * sides
    triangles.push(last + next, last + side, top)
  }
  return { positions: Float64Array.from(positions), triangles: Uint32Array.from(triangles) }
}
