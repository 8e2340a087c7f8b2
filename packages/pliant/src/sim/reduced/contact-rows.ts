/**
 * Rows of contacts: a body's vertices against obstacles, and against the fields of other bodies (Cai et al., Eq. 19).
 * Rows are on the mean velocity of the step, so that a contact is there before it overlaps: gap + h n . v >= 0. Every row
 * of a contact is followed by two of friction.
 */
import type { SignedField } from '../../field/signed-field.js'
import type { Obstacle } from '../obstacle.js'
import type { BodyStep } from './body-step.js'
import { AT_LEAST, type ConstraintRows, FRICTION, FRICTION_SECOND, grown } from './constraint-rows.js'
import type { ReducedWorldSettings } from './reduced-options.js'

/** Share of a body's radius from where on a vertex counts as near: other contacts may turn it there within a step. */
const NEAR = 0.01
/** Gradients shorter than this say nothing about a direction. */
const NO_DIRECTION = 1e-6
/** Rows of a contact, and room between the keys of one source and of the next. */
const KEYS = 4
export const SOURCE = 2 ** 32

/** What rows need to know of the step. */
export interface StepPlan {
  h: number
  /** Until obstacles are where their fields have them [s]: h, or more where a frame has several substeps. */
  remaining: number
  /** Velocities of all bodies now, and at the end of a step that nothing hinders. */
  now: Float64Array
  free: Float64Array
}

/** From a penetration or a gap to the least speed of a row: it may close a gap, and overlaps part at a bounded rate. */
export function boundOf(gap: number, h: number, pushOut: number): number {
  return gap >= 0 ? -gap / h : Math.min(-gap / h, pushOut)
}

export class ContactRows {
  private distances = new Float64Array(0)
  private gradients = new Float64Array(0)
  private points = new Float64Array(0)
  private motions = new Float64Array(0)
  private ids = new Uint32Array(0)
  private readonly normal = new Float64Array(3)
  private readonly tangents = new Float64Array(6)
  private readonly surface = new Float64Array(3)
  private readonly arm = new Float64Array(3)
  private readonly touched = new Float64Array(3)
  private readonly carriers = new Uint32Array(3)
  private readonly weights = new Float64Array(3)
  private readonly single = new Uint32Array(3)
  private readonly whole = Float64Array.of(1, 0, 0)

  constructor(
    private readonly rows: ConstraintRows,
    private readonly steps: readonly BodyStep[],
    private readonly settings: ReducedWorldSettings,
  ) {}

  /** All vertices of a body against an obstacle. */
  addObstacle(b: number, obstacle: Obstacle, source: number, plan: StepPlan): void {
    const step = this.steps[b]
    const { world, body } = step
    const count = body.vertexCount
    this.makeRoom(count)
    obstacle.field.query(world, count, this.distances, this.gradients)
    const reach = this.reachOf(step, plan)
    const { motions } = this
    motions.fill(0, 0, 3 * count)
    if (obstacle.motion) {
      for (let v = 0; v < count; v++) if (!this.takeNormal(v, this.gradients)) this.gradients.fill(0, 3 * v, 3 * v + 3)
      obstacle.motion.velocity(world, this.gradients, count, motions)
    }
    for (let v = 0; v < count; v++) {
      if (!(this.distances[v] < reach + plan.remaining * speedOf(motions, 3 * v))) continue
      if (!this.takeNormal(v, this.gradients)) continue
      for (let axis = 0; axis < 3; axis++) this.surface[axis] = motions[3 * v + axis]
      // The field is already where it will be; this is the gap to where it is.
      const gap = this.distances[v] + plan.remaining * dot(this.surface, this.normal)
      this.addContact(b, -1, v, gap, source * SOURCE + KEYS * v, plan)
    }
  }

  /** Vertices of body `a` against the shape of body `b`. */
  addPair(a: number, b: number, source: number, plan: StepPlan): void {
    const [from, to] = [this.steps[a], this.steps[b]]
    if (!to.body.shape) return
    const reach = this.reachOf(from, plan) + this.reachOf(to, plan)
    const count = this.gatherNear(from, to, reach + to.radius())
    if (count === 0) return
    const field = to.shapeField() as SignedField
    field.query(this.points, count, this.distances, this.gradients)
    this.surface.fill(0)
    for (let i = 0; i < count; i++) {
      const gap = this.distances[i]
      if (!(gap < reach) || !this.takeNormal(i, this.gradients)) continue
      // On the surface of b, in its frame, before the normal is turned into the world.
      for (let axis = 0; axis < 3; axis++) this.touched[axis] = this.points[3 * i + axis] - gap * this.normal[axis]
      turn(to.rotation, this.normal)
      this.addContact(a, b, this.ids[i], gap, source * SOURCE + KEYS * this.ids[i], plan)
    }
  }

  private addContact(a: number, b: number, vertex: number, gap: number, key: number, plan: StepPlan): void {
    const { rows, settings, normal, surface } = this
    const row = rows.add(AT_LEAST, key, a, b)
    if (b >= 0) this.steps[b].carriers(this.touched, this.carriers, this.weights)
    this.fillRow(row, vertex, normal, 0)
    const surfaceSpeed = dot(surface, normal)
    const nearing = Math.min(rows.speed(row, plan.now), rows.speed(row, plan.free)) - surfaceSpeed
    const room = gap - settings.margin
    if (room + plan.h * Math.min(0, nearing) > NEAR * this.steps[a].body.radius) {
      rows.dropFrom(row)
      return
    }
    rows.bounds[row] = surfaceSpeed + boundOf(room, plan.h, settings.pushOut)
    if (settings.friction === 0) return
    writeTangents(normal, this.tangents)
    for (let k = 0; k < 2; k++) {
      const tangent = rows.add(k === 0 ? FRICTION : FRICTION_SECOND, key + 1 + k, a, b)
      this.fillRow(tangent, vertex, this.tangents, 3 * k)
      rows.normals[tangent] = row
      rows.limits[tangent] = settings.friction
      for (let axis = 0; axis < 3; axis++) rows.bounds[tangent] += this.tangents[3 * k + axis] * surface[axis]
    }
  }

  private fillRow(row: number, vertex: number, direction: Float64Array, from: number): void {
    const { rows } = this
    const [a, b] = [rows.bodiesA[row], rows.bodiesB[row]]
    this.single.fill(vertex)
    this.writeRow(rows.starts[row], this.steps[a], vertex, a, direction, from, 1, this.single, this.whole)
    if (b < 0) return
    this.writeRow(rows.startB(row), this.steps[b], vertex, a, direction, from, -1, this.carriers, this.weights)
  }

  /** One body's share of a row: n, r x n, n R U, where r goes to the vertex of body `a` on both sides, so that turns cancel. */
  private writeRow(
    start: number,
    step: BodyStep,
    vertex: number,
    a: number,
    direction: Float64Array,
    from: number,
    sign: number,
    carriers: Uint32Array,
    weights: Float64Array,
  ): void {
    const { values } = this.rows
    const { body, rotation: r } = step
    const [x, y, z] = [sign * direction[from], sign * direction[from + 1], sign * direction[from + 2]]
    const { arm } = this
    for (let axis = 0; axis < 3; axis++) arm[axis] = this.steps[a].world[3 * vertex + axis] - body.position[axis]
    values[start] = x
    values[start + 1] = y
    values[start + 2] = z
    values[start + 3] = arm[1] * z - arm[2] * y
    values[start + 4] = arm[2] * x - arm[0] * z
    values[start + 5] = arm[0] * y - arm[1] * x
    const own0 = r[0] * x + r[3] * y + r[6] * z
    const own1 = r[1] * x + r[4] * y + r[7] * z
    const own2 = r[2] * x + r[5] * y + r[8] * z
    for (let c = 0; c < 3; c++) {
      if (weights[c] === 0) continue
      for (let k = 0, i = 3 * carriers[c]; k < body.codeSize; k++, i += body.rest.length) {
        const along = own0 * body.modes[i] + own1 * body.modes[i + 1] + own2 * body.modes[i + 2]
        values[start + 6 + k] += weights[c] * along
      }
    }
  }

  /** How near [m] a vertex must be to count, whatever it does in the step. */
  private reachOf(step: BodyStep, { h, now, free }: StepPlan): number {
    const speed = Math.max(step.fastest(now), step.fastest(free))
    return this.settings.margin + NEAR * step.body.radius + h * speed
  }

  /** Writes the vertices of `from` that lie in a ball around `to`, in its frame. @returns how many */
  private gatherNear(from: BodyStep, to: BodyStep, radius: number): number {
    const { world, body } = from
    const [px, py, pz] = to.body.position
    const r = to.rotation
    this.makeRoom(body.vertexCount)
    let count = 0
    for (let v = 0; v < body.vertexCount; v++) {
      const x = world[3 * v] - px
      const y = world[3 * v + 1] - py
      const z = world[3 * v + 2] - pz
      if (!(x * x + y * y + z * z < radius * radius)) continue
      this.points[3 * count] = r[0] * x + r[3] * y + r[6] * z
      this.points[3 * count + 1] = r[1] * x + r[4] * y + r[7] * z
      this.points[3 * count + 2] = r[2] * x + r[5] * y + r[8] * z
      this.ids[count++] = v
    }
    return count
  }

  /** Writes the unit normal. @returns whether there is one */
  private takeNormal(i: number, gradients: Float64Array): boolean {
    const [x, y, z] = [gradients[3 * i], gradients[3 * i + 1], gradients[3 * i + 2]]
    const length = Math.sqrt(x * x + y * y + z * z)
    if (!(length > NO_DIRECTION && length < Infinity)) return false
    this.normal[0] = x / length
    this.normal[1] = y / length
    this.normal[2] = z / length
    return true
  }

  private makeRoom(count: number): void {
    if (this.distances.length >= count) return
    this.distances = grown(this.distances, count)
    for (const name of ['gradients', 'points', 'motions'] as const) this[name] = grown(this[name], 3 * count)
    this.ids = new Uint32Array(this.distances.length)
  }
}

/** Two unit vectors across the normal, always the same for the same normal. */
function writeTangents(n: Float64Array, out: Float64Array): void {
  const axis = Math.abs(n[0]) < 0.6 ? 0 : Math.abs(n[1]) < 0.6 ? 1 : 2
  const along = n[axis]
  const length = Math.sqrt(1 - along * along)
  for (let k = 0; k < 3; k++) out[k] = ((k === axis ? 1 : 0) - along * n[k]) / length
  for (let k = 0; k < 3; k++) {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3]
    out[3 + k] = n[i] * out[j] - n[j] * out[i]
  }
}

function turn(r: Float64Array, v: Float64Array): void {
  const [x, y, z] = v
  for (let i = 0; i < 3; i++) v[i] = r[3 * i] * x + r[3 * i + 1] * y + r[3 * i + 2] * z
}

function dot(a: Float64Array, b: Float64Array): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

function speedOf(v: Float64Array, at: number): number {
  return Math.sqrt(v[at] ** 2 + v[at + 1] ** 2 + v[at + 2] ** 2)
}
