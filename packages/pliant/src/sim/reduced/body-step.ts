/** What a step works out once of each body: where its surface is, its velocities' masses, how fast it may come near. */
import { NearestTriangles } from '../../detect/nearest-triangles.js'
import type { SignedField } from '../../field/signed-field.js'
import type { Vec3 } from '../../math/box.js'
import { ModalStep } from './modal-step.js'
import type { ReducedBody } from './reduced-body.js'
import { rotationMatrix, turnFreely, turnMatrix3 } from './rigid-rotation.js'

export class BodyStep {
  /** Row by row. */
  readonly rotation = new Float64Array(9)
  /** Inertia and its inverse in the world. */
  readonly inertia = new Float64Array(9)
  readonly inverseInertia = new Float64Array(9)
  /** Vertices in the body's frame and in the world [m]. */
  readonly local: Float64Array
  readonly world: Float64Array
  readonly modal: ModalStep
  private field: SignedField | undefined
  private nearest: NearestTriangles | undefined
  private nearestStale = true
  private readonly found = { triangleIds: new Uint32Array(1), barycentrics: new Float64Array(3) }
  private readonly meanMomentum = new Float64Array(3)

  /** @param at  where its velocities begin in those of all bodies */
  constructor(
    readonly body: ReducedBody,
    readonly at: number,
  ) {
    this.local = new Float64Array(body.rest.length)
    this.world = new Float64Array(body.rest.length)
    this.modal = new ModalStep(body)
  }

  /** Takes over the body's state, and writes its velocities. */
  begin(velocities: Float64Array): void {
    const { body, rotation: r, local, world, at } = this
    rotationMatrix(body.orientation, r)
    turnMatrix3(r, body.inertia, this.inertia, 0)
    turnMatrix3(r, body.inverseInertia, this.inverseInertia, 0)
    body.localPositions(local)
    const [px, py, pz] = body.position
    for (let i = 0; i < local.length; i += 3) {
      const [x, y, z] = [local[i], local[i + 1], local[i + 2]]
      world[i] = r[0] * x + r[1] * y + r[2] * z + px
      world[i + 1] = r[3] * x + r[4] * y + r[5] * z + py
      world[i + 2] = r[6] * x + r[7] * y + r[8] * z + pz
    }
    velocities.set(body.velocity, at)
    multiply3(this.inverseInertia, body.angularMomentum, 0, velocities, at + 3)
    velocities.set(body.codeVelocity, at + 6)
    this.field = undefined
    this.nearestStale = true
  }

  /** Velocities at the end of a step that nothing hinders. */
  free(h: number, gravity: Vec3, before: Float64Array, after: Float64Array): void {
    const { at } = this
    for (let axis = 0; axis < 3; axis++) {
      after[at + axis] = before[at + axis] + h * gravity[axis]
      after[at + 3 + axis] = before[at + 3 + axis]
    }
    this.modal.free(h, before, after, at + 6)
  }

  /**
   * What an impulse does to the velocities: within an instant, or by the end of the step, against damping and stiffness.
   * @param instant  no time passes
   */
  apply(instant: boolean, from: Float64Array, fromAt: number, out: Float64Array, outAt: number): void {
    const { body } = this
    for (let axis = 0; axis < 3; axis++) out[outAt + axis] = from[fromAt + axis] / body.mass
    multiply3(this.inverseInertia, from, fromAt + 3, out, outAt + 3)
    if (!instant) {
      this.modal.apply(from, fromAt + 6, out, outAt + 6)
      return
    }
    for (let k = 0; k < body.codeSize; k++) out[outAt + 6 + k] = from[fromAt + 6 + k] / body.modalMasses[k]
  }

  /**
   * Moves the body.
   * @param start   velocities before anything hit it
   * @param before  after that, when the step begins
   * @param after   when it ends
   */
  advance(h: number, start: Float64Array, before: Float64Array, after: Float64Array): void {
    const { body, at, meanMomentum } = this
    const { position, velocity, angularMomentum: L, code, codeVelocity } = body
    meanMomentum.fill(0)
    addInertia(this.inertia, start, before, at + 3, L)
    for (let axis = 0; axis < 3; axis++) meanMomentum[axis] = L[axis] / 2
    addInertia(this.inertia, before, after, at + 3, L)
    for (let axis = 0; axis < 3; axis++) {
      meanMomentum[axis] += L[axis] / 2
      position[axis] += (h / 2) * (before[at + axis] + after[at + axis])
      velocity[axis] = after[at + axis]
    }
    turnFreely(body.orientation, meanMomentum, body.inverseInertia, h)
    for (let k = 0; k < code.length; k++) {
      code[k] += (h / 2) * (before[at + 6 + k] + after[at + 6 + k])
      codeVelocity[k] = after[at + 6 + k]
    }
  }

  /** Radius of a ball about the centre of mass that holds the whole body [m]. */
  radius(): number {
    const { code, reaches } = this.body
    let { radius } = this.body
    for (let k = 0; k < code.length; k++) radius += Math.abs(code[k]) * reaches[k]
    return radius
  }

  /** No point of the body goes faster than this [m/s]. */
  fastest(v: Float64Array): number {
    const { at, body } = this
    let bending = 0
    for (let k = 0; k < body.codeSize; k++) bending += Math.abs(v[at + 6 + k]) * body.reaches[k]
    const linear = Math.sqrt(v[at] ** 2 + v[at + 1] ** 2 + v[at + 2] ** 2)
    const spin = Math.sqrt(v[at + 3] ** 2 + v[at + 4] ** 2 + v[at + 5] ** 2)
    return linear + spin * this.radius() + bending
  }

  /** The field of its shape in its own frame; found once a step, when it is first asked for. */
  shapeField(): SignedField | undefined {
    const { shape } = this.body
    if (!shape) return undefined
    if (this.field) return this.field
    if (typeof shape === 'function') this.field = shape(this.body)
    else {
      shape.update({ vertices: this.local })
      this.field = shape
    }
    return this.field
  }

  /**
   * The vertices that carry a point of the surface, and their weights: corners of the nearest triangle, or the nearest
   * vertex alone if the body has no triangles.
   * @param point     [m], in the body's frame
   * @param vertices  receives three vertices, @param weights three weights
   */
  carriers(point: Float64Array, vertices: Uint32Array, weights: Float64Array): void {
    const { triangles } = this.body
    if (!triangles || triangles.length === 0) {
      vertices.fill(this.nearestVertex(point))
      weights.fill(0)
      weights[0] = 1
      return
    }
    this.nearest ??= new NearestTriangles({ positions: this.local, triangles })
    if (this.nearestStale) this.nearest.update(this.local)
    this.nearestStale = false
    const { triangleIds, barycentrics } = this.found
    this.nearest.find(point, 1, this.found)
    for (let k = 0; k < 3; k++) vertices[k] = triangles[3 * triangleIds[0] + k]
    weights.set(barycentrics)
  }

  private nearestVertex(point: Float64Array): number {
    const { local } = this
    let [best, found] = [Infinity, 0]
    for (let i = 0; i < local.length; i += 3) {
      const squared = (local[i] - point[0]) ** 2 + (local[i + 1] - point[1]) ** 2 + (local[i + 2] - point[2]) ** 2
      if (squared < best) [best, found] = [squared, i / 3]
    }
    return found
  }
}

function multiply3(m: Float64Array, v: Float64Array, at: number, out: Float64Array, outAt: number): void {
  const [x, y, z] = [v[at], v[at + 1], v[at + 2]]
  for (let i = 0; i < 3; i++) out[outAt + i] = m[3 * i] * x + m[3 * i + 1] * y + m[3 * i + 2] * z
}

/** Adds I (after - before). */
function addInertia(m: Float64Array, before: Float64Array, after: Float64Array, at: number, out: Float64Array): void {
  const x = after[at] - before[at]
  const y = after[at + 1] - before[at + 1]
  const z = after[at + 2] - before[at + 2]
  for (let i = 0; i < 3; i++) out[i] += m[3 * i] * x + m[3 * i + 1] * y + m[3 * i + 2] * z
}
