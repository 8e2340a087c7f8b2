/**
 * A body that was torn about may end in a knot: at rest, no tetrahedron inverted perhaps, but some of them wound twice
 * round an edge, which no elastic force undoes: angles between faces round an edge then add up to two turns instead of
 * one. Such a body is put back into its rest shape, placed and turned as it is, with its momenta.
 *
 * Not while another body touches it, or did a moment ago: what presses a few tetrahedra inside out lets them go again,
 * and the rest shape would stand within the other (a bunny pressed by a fifth of its size, by 15% of it).
 */
import { RigidAlignment } from '../../model/rigid-alignment.js'
import type { FemBody } from './fem-body.js'
import type { RigidMotion } from './rigid-motion.js'

/**
 * Steps after which a body is looked at: when it has been calm for so many, or violent for so many; and at least so many
 * after the last look, so that what is held in a knot does not twitch.
 */
const CALM_STEPS = 10
const VIOLENT_STEPS = 12
const PAUSE = 60
/** Angles round an edge beyond this [rad] wind about it more than once. */
const WOUND = 2.5 * Math.PI
/** How much more than others pinned nodes say about where the body is. */
const PIN_WEIGHT = 1e3

export class Tangles {
  private readonly angles: Float64Array
  private readonly rest: Float64Array
  /** Whether the body was violent since it was last found whole. */
  private isSuspect = true
  private calm = 0
  private violent = 0
  private waited = PAUSE

  /** @param body at rest */
  constructor(private readonly body: FemBody) {
    this.angles = new Float64Array(body.matrix.columns.length)
    this.rest = body.positions.slice()
  }

  /** Call after each step. Changes positions and velocities if the body is in a knot. */
  look(wasViolent: boolean, rigid: RigidMotion): void {
    this.waited++
    const isFree = !this.body.isTouched
    this.calm = isFree && !wasViolent ? this.calm + 1 : 0
    this.violent = isFree && wasViolent ? this.violent + 1 : 0
    this.isSuspect ||= wasViolent
    const isDue = this.calm >= CALM_STEPS || this.violent >= VIOLENT_STEPS
    if (!this.isSuspect || !isDue || this.waited < PAUSE) return
    this.waited = 0
    this.violent = 0
    this.isSuspect = this.isTangled()
    if (this.isSuspect) this.restore(rigid)
  }

  /** Whether a tetrahedron is inverted, or tetrahedra wind more than once round an edge. */
  private isTangled(): boolean {
    const { angles, body } = this
    const { elements, matrix, positions: x } = body
    const { corners, volumes, turns } = elements
    angles.fill(0)
    for (let tet = 0, at = 0, pair = 0; tet < volumes.length; tet++, at += 4) {
      const [p, q, r, s] = [3 * corners[at], 3 * corners[at + 1], 3 * corners[at + 2], 3 * corners[at + 3]]
      if (!(turns[tet] * sixVolumes(x, p, q, r, s) > 0)) return true
      // Edges in the order of the matrix: 01, 02, 03, 12, 13, 23.
      angles[matrix.places[pair++] / 9] += angleAt(x, p, q, r, s)
      angles[matrix.places[pair++] / 9] += angleAt(x, p, r, q, s)
      angles[matrix.places[pair++] / 9] += angleAt(x, p, s, q, r)
      angles[matrix.places[pair++] / 9] += angleAt(x, q, r, p, s)
      angles[matrix.places[pair++] / 9] += angleAt(x, q, s, p, r)
      angles[matrix.places[pair++] / 9] += angleAt(x, r, s, p, q)
    }
    return angles.some((angle) => angle > WOUND)
  }

  private restore(rigid: RigidMotion): void {
    const { rest, body } = this
    const { positions: x, velocities: v, masses, totalMass, pinned, hasPins } = body
    rigid.measure(x, v)
    const linear = rigid.velocity.map((speed) => totalMass * speed)
    const angular = rigid.angular.slice()
    const weights = masses.map((mass, node) => (pinned[node] === 1 ? PIN_WEIGHT * mass : mass))
    const frame = new Float64Array(16)
    new RigidAlignment(rest, weights).align(x, frame)
    for (let i = 0; i < x.length; i++) {
      if (pinned[Math.trunc(i / 3)] === 1) continue
      const [row, at] = [i % 3, i - (i % 3)]
      x[i] = frame[row] * rest[at] + frame[4 + row] * rest[at + 1] + frame[8 + row] * rest[at + 2] + frame[12 + row]
    }
    v.fill(0)
    if (!hasPins) rigid.giveMomentum(x, v, linear, angular)
  }
}

function sixVolumes(x: Float64Array, o: number, a: number, b: number, c: number): number {
  const [bx, by, bz] = [x[b] - x[o], x[b + 1] - x[o + 1], x[b + 2] - x[o + 2]]
  const [cx, cy, cz] = [x[c] - x[o], x[c + 1] - x[o + 1], x[c + 2] - x[o + 2]]
  return (
    (x[a] - x[o]) * (by * cz - bz * cy) +
    (x[a + 1] - x[o + 1]) * (bz * cx - bx * cz) +
    (x[a + 2] - x[o + 2]) * (bx * cy - by * cx)
  )
}

/** Between the faces with corners c and d at the edge from a to b [rad], in [0, pi]. */
function angleAt(x: Float64Array, a: number, b: number, c: number, d: number): number {
  const [ex, ey, ez] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]]
  const [cx, cy, cz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]]
  const [dx, dy, dz] = [x[d] - x[a], x[d + 1] - x[a + 1], x[d + 2] - x[a + 2]]
  const [mx, my, mz] = [ey * cz - ez * cy, ez * cx - ex * cz, ex * cy - ey * cx]
  const [nx, ny, nz] = [ey * dz - ez * dy, ez * dx - ex * dz, ex * dy - ey * dx]
  const cosine =
    (mx * nx + my * ny + mz * nz) / Math.sqrt((mx * mx + my * my + mz * mz) * (nx * nx + ny * ny + nz * nz))
  return Math.acos(Math.max(-1, Math.min(1, cosine)))
}
