/**
 * Contacts that a step may make: a body's vertices near obstacles, and near the fields of other bodies, each with the row
 * of its normal (Cai et al., Eq. 19). Rows are on the mean velocity of the step, so that a contact is there before it
 * overlaps: gap + h n . v >= 0. Which of them the solver gets is chosen in `contact-rows.ts`.
 */
import type { SignedField } from '../../field/signed-field.js'
import type { Obstacle } from '../obstacle.js'
import type { BodyStep } from './body-step.js'
import { AT_LEAST, ConstraintRows, grown, type VelocityLayout } from './constraint-rows.js'
import type { ReducedWorldSettings } from './reduced-options.js'
import { boundOf, SOURCE, type StepPlan } from './step-plan.js'

/** Share of a body's radius from where on a vertex counts as near: other contacts may turn it there within a step. */
const NEAR = 0.01
/** Gradients shorter than this say nothing about a direction. */
const NO_DIRECTION = 1e-6
/** Keys of a contact: its normal's, and those of two tangents. */
const KEYS = 4

export class NearContacts {
  /** One row for each contact, in the order of their keys. */
  readonly rows: ConstraintRows
  /** First contact of each pair of surfaces, and after the last pair the end. */
  readonly groups: number[] = [0]
  /** Of each contact: the vertex, ... */
  vertices = new Float64Array(0)
  /** ... unit normal and velocity of an obstacle's surface [m/s], three numbers each, ... */
  normals = new Float64Array(0)
  surfaces = new Float64Array(0)
  /** ... the vertices of the other body that carry it and their weights, three each, ... */
  carriers = new Float64Array(0)
  weights = new Float64Array(0)
  /** ... and the gap [m] at the end of a step that nothing hinders; negative: it would go in. */
  ahead = new Float64Array(0)
  private distances = new Float64Array(0)
  private gradients = new Float64Array(0)
  private points = new Float64Array(0)
  private motions = new Float64Array(0)
  private ids = new Uint32Array(0)
  private readonly normal = new Float64Array(3)
  private readonly surface = new Float64Array(3)
  private readonly arm = new Float64Array(3)
  private readonly touched = new Float64Array(3)
  private readonly carrier = new Uint32Array(3)
  private readonly weight = new Float64Array(3)

  constructor(
    layout: VelocityLayout,
    private readonly steps: readonly BodyStep[],
    private readonly settings: ReducedWorldSettings,
  ) {
    this.rows = new ConstraintRows(layout)
  }

  get count(): number {
    return this.rows.count
  }

  /** Every body against every obstacle, then every body's vertices against every other body. @returns the next source */
  find(obstacles: readonly Obstacle[], plan: StepPlan): number {
    const { steps, groups } = this
    let source = 0
    this.rows.clear()
    groups.length = 1
    for (let b = 0; b < steps.length; b++) {
      for (const obstacle of obstacles) {
        this.addObstacle(b, obstacle, source++, plan)
        groups.push(this.count)
      }
    }
    for (let a = 0; a < steps.length; a++) {
      for (let b = 0; b < steps.length; b++, source++) {
        if (a === b) continue
        this.addPair(a, b, source, plan)
        groups.push(this.count)
      }
    }
    return source
  }

  /** All vertices of a body against an obstacle. */
  private addObstacle(b: number, obstacle: Obstacle, source: number, plan: StepPlan): void {
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
  private addPair(a: number, b: number, source: number, plan: StepPlan): void {
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
    const i = rows.add(AT_LEAST, key, a, b)
    this.makeRoomForContact(i)
    if (b >= 0) this.steps[b].carriers(this.touched, this.carrier, this.weight)
    this.vertices[i] = vertex
    this.normals.set(normal, 3 * i)
    this.surfaces.set(surface, 3 * i)
    this.carriers.set(this.carrier, 3 * i)
    this.weights.set(this.weight, 3 * i)
    this.fill(rows, i, i, normal, 0)
    const surfaceSpeed = dot(surface, normal)
    const nearing = Math.min(rows.speed(i, plan.now), rows.speed(i, plan.free)) - surfaceSpeed
    const room = gap - settings.margin
    this.ahead[i] = room + plan.h * Math.min(0, nearing)
    if (this.ahead[i] > NEAR * this.steps[a].body.radius) rows.dropFrom(i)
    else rows.bounds[i] = surfaceSpeed + boundOf(room, plan.h, settings.pushOut)
  }

  /**
   * Writes a contact's row along a direction.
   * @param rows  where `row` has been added for the contact's bodies
   */
  fill(rows: ConstraintRows, row: number, contact: number, direction: Float64Array, from: number): void {
    const [a, b] = [rows.bodiesA[row], rows.bodiesB[row]]
    const vertex = this.vertices[contact]
    this.writeRigid(rows.values, rows.starts[row], a, a, vertex, direction, from, 1)
    this.addModes(rows.values, rows.starts[row] + 6, a, vertex, 1, direction, from)
    if (b < 0) return
    const start = rows.startB(row)
    this.writeRigid(rows.values, start, b, a, vertex, direction, from, -1)
    for (let c = 3 * contact; c < 3 * contact + 3; c++) {
      if (this.weights[c] !== 0) {
        this.addModes(rows.values, start + 6, b, this.carriers[c], -this.weights[c], direction, from)
      }
    }
  }

  /** n and r x n of one body, where r goes to the vertex of body `a` on both sides, so that turns cancel. */
  private writeRigid(
    values: Float64Array,
    start: number,
    body: number,
    a: number,
    vertex: number,
    direction: Float64Array,
    from: number,
    sign: number,
  ): void {
    const { arm } = this
    const { position } = this.steps[body].body
    const [x, y, z] = [sign * direction[from], sign * direction[from + 1], sign * direction[from + 2]]
    for (let axis = 0; axis < 3; axis++) arm[axis] = this.steps[a].world[3 * vertex + axis] - position[axis]
    values[start] = x
    values[start + 1] = y
    values[start + 2] = z
    values[start + 3] = arm[1] * z - arm[2] * y
    values[start + 4] = arm[2] * x - arm[0] * z
    values[start + 5] = arm[0] * y - arm[1] * x
  }

  /** Adds n R U of one vertex times its weight. */
  private addModes(
    values: Float64Array,
    start: number,
    b: number,
    vertex: number,
    weight: number,
    direction: Float64Array,
    from: number,
  ): void {
    const { body, rotation: r } = this.steps[b]
    const [x, y, z] = [weight * direction[from], weight * direction[from + 1], weight * direction[from + 2]]
    const own0 = r[0] * x + r[3] * y + r[6] * z
    const own1 = r[1] * x + r[4] * y + r[7] * z
    const own2 = r[2] * x + r[5] * y + r[8] * z
    for (let k = 0, i = 3 * vertex; k < body.codeSize; k++, i += body.rest.length) {
      values[start + k] += own0 * body.modes[i] + own1 * body.modes[i + 1] + own2 * body.modes[i + 2]
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

  private makeRoomForContact(i: number): void {
    if (i < this.vertices.length) return
    for (const name of ['vertices', 'ahead'] as const) this[name] = grown(this[name], i + 1)
    for (const name of ['normals', 'surfaces', 'carriers', 'weights'] as const) {
      this[name] = grown(this[name], 3 * this.vertices.length)
    }
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
