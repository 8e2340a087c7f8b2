/** An open ring of square section that bends and twists by linear modes, small and quick to make. */
import type { LinearShape } from '../../../src/exact/self-contact/linear-self-contact.js'

const OPENING = 0.8

/** @param codeSize up to 6 modes: displacements that grow towards the ends, in and out of the plane */
export function bendingRing(codeSize: number, along = 24): LinearShape {
  const rest: number[] = []
  const angles: number[] = []
  for (let section = 0; section <= along; section++) {
    const angle = OPENING / 2 + (section / along) * (2 * Math.PI - OPENING)
    for (const [u, v] of [
      [-1, -1],
      [1, -1],
      [1, 1],
      [-1, 1],
    ]) {
      const radius = 1 + 0.1 * u
      rest.push(radius * Math.cos(angle), 0.1 * v, radius * Math.sin(angle))
      angles.push(angle)
    }
  }
  const triangles: number[] = [0, 1, 2, 0, 2, 3]
  for (let section = 0; section < along; section++) {
    for (let k = 0; k < 4; k++) {
      const [a, b] = [4 * section + k, 4 * section + ((k + 1) % 4)]
      triangles.push(a, a + 4, b, b, a + 4, b + 4)
    }
  }
  const last = 4 * along
  triangles.push(last, last + 2, last + 1, last, last + 3, last + 2)
  const modes: number[] = []
  for (let k = 0; k < codeSize; k++) {
    for (const angle of angles) {
      const s = (angle - Math.PI) / (Math.PI - OPENING / 2)
      const wave = k < 3 ? s ** (k + 1) : Math.sin((k - 1) * Math.PI * s) * 0.6
      // In turns: around the ring, along its radius, out of its plane.
      const around = [-Math.sin(angle), 0, Math.cos(angle)]
      const away = [Math.cos(angle), 0, Math.sin(angle)]
      const direction = [around, away, [0, 1, 0]][k % 3]
      modes.push(...direction.map((value) => -0.75 * wave * value))
    }
  }
  const ends = (value: number): Float64Array => new Float64Array(codeSize).fill(value)
  return {
    rest: Float64Array.from(rest),
    modes: Float64Array.from(modes),
    triangles: Uint32Array.from(triangles),
    bounds: { lower: ends(-1), upper: ends(1) },
  }
}
