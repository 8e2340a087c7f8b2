/**
 * Bending by hinges: each inner edge with its two triangles measures curvature by L = sum K_i x_i over its four
 * vertices, K the cotangent stencil of Bergou et al. 2006 ("A quadratic bending model for inextensible surfaces").
 *
 * Why not a distance across the edge: its force vanishes with the cube of the angle, so that a flat cloth has no
 * bending stiffness at all, and it stiffens the cloth in its plane. Why not the dihedral angle: L grows with the angle
 * alike as long as the cloth does not stretch, needs no arc cosine and no normals, and for a cloth that is flat at rest
 * the constraint |L| = 0 is linear: no square root either, hence it costs less than an edge's stretch.
 *
 * Energy per hinge B |L|^2 / (2 (A0 + A1)): a third of the paper's, which counts a right-angled grid bent along its
 * lines three times over. Such a strip at curvature k then holds B k^2 / 2 per area; see bend.test.ts.
 */
import type { Floats } from '../../math/floats.js'
import type { ClothSettings } from './cloth-options.js'
import { colourOrder } from './colouring.js'
import type { ClothEdges } from './hinges.js'

export interface Bend {
  readonly count: number
  /** First coordinates (3 x vertex number) of the four vertices of each hinge: both ends, both apexes. */
  readonly corners: Int32Array
  /** K, four per hinge; they add to zero. */
  readonly stencils: Float64Array
  /** |L| at rest: zero for a flat hinge. */
  readonly rests: Float64Array
  /** (A0 + A1) / B: inverse stiffness of |L|. */
  readonly compliances: Float64Array
  /** w_i K_i / (sum w K^2 + compliance / dt^2), four per hinge. */
  readonly shares: Float64Array
}

/** Below this share of a hinge's size |L| at rest counts as flat: angles of 1e-6 rad are noise of the coordinates. */
const FLAT = 1e-6

export function createBend(rest: Floats, edges: ClothEdges, settings: ClothSettings): Bend {
  const hinges = settings.bendStiffness > 0 ? innerEdges(rest, edges) : []
  const order = colourOrder(hinges.flat(), 4, rest.length / 3)
  const count = hinges.length
  const bend: Bend = {
    count,
    corners: new Int32Array(4 * count),
    stencils: new Float64Array(4 * count),
    rests: new Float64Array(count),
    compliances: new Float64Array(count),
    shares: new Float64Array(4 * count),
  }
  for (let k = 0; k < count; k++) {
    const [p, q, r, s] = hinges[order[k]]
    const scale = 2 * (triangleArea(rest, p, q, r) + triangleArea(rest, p, q, s))
    const [cpr, cqr] = [cotangent(rest, p, q, r), cotangent(rest, q, p, r)]
    const [cps, cqs] = [cotangent(rest, p, q, s), cotangent(rest, q, p, s)]
    bend.corners.set([3 * p, 3 * q, 3 * r, 3 * s], 4 * k)
    bend.stencils.set([cqr + cqs, cpr + cps, -cpr - cqr, -cps - cqs], 4 * k)
    bend.compliances[k] = scale / (2 * settings.bendStiffness)
    const magnitude = curvature(bend, k, rest)
    const size = Math.sqrt(scale)
    bend.rests[k] = magnitude > FLAT * size ? magnitude : 0
  }
  return bend
}

/** To be called when the substep or an inverse mass changes. */
export function prepareBend(bend: Bend, inverseMasses: Float64Array, dt: number): void {
  const { count, corners, stencils, compliances, shares } = bend
  for (let k = 0; k < count; k++) {
    let sum = 0
    for (let i = 4 * k; i < 4 * k + 4; i++) sum += inverseMasses[corners[i] / 3] * (stencils[i] * stencils[i])
    const scale = sum > 0 ? 1 / (sum + compliances[k] / (dt * dt)) : 0
    for (let i = 4 * k; i < 4 * k + 4; i++) shares[i] = inverseMasses[corners[i] / 3] * stencils[i] * scale
  }
}

/** One Gauss-Seidel pass over all hinges. */
export function solveBend(bend: Bend, x: Float64Array): void {
  const { count, corners, stencils, rests, shares } = bend
  for (let k = 0; k < count; k++) {
    const i = 4 * k
    const p = corners[i]
    const q = corners[i + 1]
    const r = corners[i + 2]
    const s = corners[i + 3]
    const kp = stencils[i]
    const kq = stencils[i + 1]
    const kr = stencils[i + 2]
    const ks = stencils[i + 3]
    let lx = kp * x[p] + kq * x[q] + kr * x[r] + ks * x[s]
    let ly = kp * x[p + 1] + kq * x[q + 1] + kr * x[r + 1] + ks * x[s + 1]
    let lz = kp * x[p + 2] + kq * x[q + 2] + kr * x[r + 2] + ks * x[s + 2]
    const rest = rests[k]
    if (rest > 0) {
      const length = Math.sqrt(lx * lx + ly * ly + lz * lz)
      // Flattened out: no direction to bend back to. The cloth's own motion will give one.
      if (length === 0) continue
      const error = 1 - rest / length
      lx *= error
      ly *= error
      lz *= error
    }
    const sp = shares[i]
    const sq = shares[i + 1]
    const sr = shares[i + 2]
    const ss = shares[i + 3]
    x[p] -= sp * lx
    x[p + 1] -= sp * ly
    x[p + 2] -= sp * lz
    x[q] -= sq * lx
    x[q + 1] -= sq * ly
    x[q + 2] -= sq * lz
    x[r] -= sr * lx
    x[r + 1] -= sr * ly
    x[r + 2] -= sr * lz
    x[s] -= ss * lx
    x[s + 1] -= ss * ly
    x[s + 2] -= ss * lz
  }
}

/** Elastic energy [J] of all hinges. */
export function bendEnergy(bend: Bend, x: Floats): number {
  let energy = 0
  for (let k = 0; k < bend.count; k++) {
    const error = curvature(bend, k, x) - bend.rests[k]
    energy += (error * error) / (2 * bend.compliances[k])
  }
  return energy
}

/** |L| of one hinge. */
function curvature({ corners, stencils }: Bend, k: number, x: Floats): number {
  let squared = 0
  for (let axis = 0; axis < 3; axis++) {
    let sum = 0
    for (let i = 4 * k; i < 4 * k + 4; i++) sum += stencils[i] * x[corners[i] + axis]
    squared += sum * sum
  }
  return Math.sqrt(squared)
}

/** Edges between two triangles of some area: [end, end, apex, apex]. */
function innerEdges(rest: Floats, { count, vertices, opposite }: ClothEdges): number[][] {
  const found: number[][] = []
  for (let edge = 0; edge < count; edge++) {
    const [p, q] = [vertices[2 * edge], vertices[2 * edge + 1]]
    const [r, s] = [opposite[2 * edge], opposite[2 * edge + 1]]
    if (r < 0 || s < 0 || r === s) continue
    if (triangleArea(rest, p, q, r) > 0 && triangleArea(rest, p, q, s) > 0) found.push([p, q, r, s])
  }
  return found
}

/** Cotangent of the angle at `corner` between the directions to a and b. */
function cotangent(x: Floats, corner: number, a: number, b: number): number {
  let dot = 0
  for (let axis = 0; axis < 3; axis++) {
    dot += (x[3 * a + axis] - x[3 * corner + axis]) * (x[3 * b + axis] - x[3 * corner + axis])
  }
  return dot / (2 * triangleArea(x, corner, a, b))
}

/** [m^2] */
export function triangleArea(x: Floats, a: number, b: number, c: number): number {
  const ux = x[3 * b] - x[3 * a]
  const uy = x[3 * b + 1] - x[3 * a + 1]
  const uz = x[3 * b + 2] - x[3 * a + 2]
  const vx = x[3 * c] - x[3 * a]
  const vy = x[3 * c + 1] - x[3 * a + 1]
  const vz = x[3 * c + 2] - x[3 * a + 2]
  return Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2
}
