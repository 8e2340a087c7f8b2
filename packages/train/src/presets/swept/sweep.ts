/**
 * Tetrahedra of a round tube along a curve: bracelets, springs, snakes. Each cross-section is a square grid of nodes that
 * is drawn onto a disc; the cells between two sections are cut into six tetrahedra each, all in the same way, so that
 * neighbours share their faces. Sections turn as little as the curve lets them.
 */
import type { TetMesh, Vec3 } from 'pliant'

export interface SweepOptions {
  /** Middle of the tube [m] at s from 0 to 1, and its radius [m] there. */
  curve(s: number): { at: Vec3; radius: number }
  /** Cells along the curve. */
  along: number
  /** Cells along a side of the square grid of a section: 2 gives 8 faces around. */
  across?: number
}
export const SWEEP_DEFAULTS = { across: 2 } as const

/** The six tetrahedra of a cube around its diagonal from corner 0 to 7; corner bits: 1 = u, 2 = v, 4 = along. */
const CUBE_TETS = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
] as const

/** A tangent is taken between points this far apart in s. */
const TANGENT_STEP = 1e-5

/** @throws RangeError if the counts are no whole numbers above 0 */
export function sweepTets({ curve, along, across = SWEEP_DEFAULTS.across }: SweepOptions): TetMesh {
  if (!(Number.isInteger(along) && along > 0 && Number.isInteger(across) && across > 0)) {
    throw new RangeError(`sweep: ${along} cells along and ${across} across; give whole numbers above 0.`)
  }
  const side = across + 1
  const disc = discNodes(across)
  const positions = new Float64Array(3 * side * side * (along + 1))
  let normal: Vec3 | undefined
  for (let section = 0; section <= along; section++) {
    const s = section / along
    const { at, radius } = curve(s)
    const tangent = unit(minus(curve(Math.min(1, s + TANGENT_STEP)).at, curve(Math.max(0, s - TANGENT_STEP)).at))
    normal = unit(withoutPartAlong(tangent, normal ?? [0, 1, 0]))
    const binormal = cross(tangent, normal)
    disc.forEach(([u, v], node) => {
      const o = 3 * (section * side * side + node)
      for (let axis = 0; axis < 3; axis++) {
        positions[o + axis] = at[axis] + radius * (u * normal![axis] + v * binormal[axis])
      }
    })
  }
  return { positions, tetrahedra: sweptCells(along, across) }
}

function sweptCells(along: number, across: number): Uint32Array {
  const side = across + 1
  const tetrahedra: number[] = []
  for (let section = 0; section < along; section++) {
    for (let v = 0; v < across; v++) {
      for (let u = 0; u < across; u++) {
        const corner = (k: number): number =>
          (section + (k >> 2)) * side * side + (v + ((k >> 1) & 1)) * side + u + (k & 1)
        for (const tet of CUBE_TETS) tetrahedra.push(...tet.map(corner))
      }
    }
  }
  return Uint32Array.from(tetrahedra)
}

/** Nodes of the grid on the unit disc: squares become rings. */
function discNodes(across: number): [number, number][] {
  const nodes: [number, number][] = []
  for (let v = 0; v <= across; v++) {
    for (let u = 0; u <= across; u++) {
      const [x, y] = [(2 * u) / across - 1, (2 * v) / across - 1]
      const ring = Math.max(Math.abs(x), Math.abs(y))
      const length = Math.hypot(x, y)
      nodes.push(length === 0 ? [0, 0] : [(x * ring) / length, (y * ring) / length])
    }
  }
  return nodes
}

/** @throws RangeError if nothing is left: a curve must not begin along y, nor turn back on itself in one cell */
function withoutPartAlong(direction: Vec3, v: Vec3): Vec3 {
  const along = direction[0] * v[0] + direction[1] * v[1] + direction[2] * v[2]
  const rest = [0, 1, 2].map((axis) => v[axis] - along * direction[axis]) as unknown as Vec3
  if (Math.hypot(...rest) > 1e-3) return rest
  throw new RangeError('sweep: the curve begins along y or turns back on itself; turn it, or take more cells.')
}

function minus(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

function unit(v: Vec3): Vec3 {
  const length = Math.hypot(...v)
  return [v[0] / length, v[1] / length, v[2] / length]
}

function cross(a: Vec3, b: Vec3): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}
