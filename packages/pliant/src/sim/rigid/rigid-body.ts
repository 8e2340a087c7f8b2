/**
 * A body that keeps its shape: a solid, what it weighs, where it is and how it moves. Free rotation keeps angular momentum and
 * energy (sim/reduced/rigid-rotation.ts). Bodies that are fixed have an infinite mass; they move as their velocities say, and
 * nothing changes these.
 */

import { carryBox } from '../../detect/fields/frames.js'
import type { Solid } from '../../detect/fields/solid.js'
import type { Box } from '../../math/box.js'
import { decomposeMat4 } from '../../math/mat4.js'
import { multiplyQuaternions, normaliseQuaternion, quaternionOfVector } from '../../math/quaternion.js'
import { requireNumbers, shown } from '../../math/require.js'
import { isVector } from '../../math/settings.js'
import { invertSymmetric3, rotationMatrix, turnFreely, turnMatrix3 } from '../reduced/rigid-rotation.js'
import { MASS_DEFAULTS, type MassProperties, massProperties, requireMassProperties } from './mass-properties.js'

/** A body as it is put into a world. */
export interface RigidBodyOptions {
  /** Its shape; of one without an end, as a half-space, the body must be fixed. */
  solid: Solid
  /** Of its material [kg/m^3]. */
  density?: number
  /** In place of the density [kg]. */
  mass?: number
  /** In place of what the field tells: mass, centre of mass, inertia. */
  massProperties?: MassProperties
  /** From the solid's frame to the world, rigid, column-major 4x4; the identity if not given. */
  pose?: ArrayLike<number>
  /** Of the centre of mass [m/s]. */
  velocity?: ArrayLike<number>
  /** [rad/s], world. */
  angularVelocity?: ArrayLike<number>
  /** Coulomb coefficient; a pair has the geometric mean of both. */
  friction?: number
  /** Share of its speed with which it bounces, 0 to 1; a pair has the larger of both. */
  restitution?: number
  /** Of infinite mass: nothing moves it but its own velocities. */
  fixed?: boolean
}
/** Wood on wood, about. */
export const RIGID_BODY_DEFAULTS = { density: MASS_DEFAULTS.density, friction: 0.5, restitution: 0 } as const

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]

/** A body that keeps its shape. */
export class RigidBody {
  /** Its shape, in a frame of its own. */
  readonly solid: Solid
  /** [kg]; Infinity if it is fixed. */
  readonly mass: number
  /** Centre of mass in the solid's frame [m]. */
  readonly centre: Float64Array
  /** About the centre of mass, in the solid's frame [kg m^2], 3 x 3; not used of fixed bodies. */
  readonly inertia = new Float64Array(9)
  /** Furthest that a point of it is from its centre of mass [m]. */
  readonly radius: number
  /** Coulomb coefficient; may be written. */
  friction: number
  /** Share of its speed with which it bounces, 0 to 1; may be written. */
  restitution: number
  /** From the solid's frame to the world, column-major 4x4; changed by `moveTo`. */
  readonly pose = new Float64Array(16)
  /** Of the centre of mass [m], world. */
  readonly position = new Float64Array(3)
  /** Quaternion xyzw. */
  readonly orientation = new Float64Array(4)
  /** Of the centre of mass [m/s]; may be written. */
  readonly velocity = new Float64Array(3)
  /** [rad/s], world; may be written. */
  readonly angularVelocity = new Float64Array(3)
  /** One through the mass, 0 of fixed bodies. @internal */
  readonly inverseMass: number
  /** Rotation as a 3 x 3, row by row. @internal */
  readonly rotation = new Float64Array(9)
  /** Of the inertia in the world. @internal */
  readonly inverseInertia = new Float64Array(9)
  readonly #inverseAtRest = new Float64Array(9)
  readonly #momentum = new Float64Array(3)

  /** @throws RangeError if a value is wrong, or a body that is not fixed cannot be weighed */
  constructor(options: RigidBodyOptions) {
    const { solid, pose = IDENTITY, fixed = false } = options
    if (typeof solid !== 'object' || solid === null || typeof solid.field?.query !== 'function') {
      throw new RangeError(`rigid body: solid is ${shown(solid)}; make one by solidOf(field, box).`)
    }
    this.solid = solid
    this.friction = atLeastZero('friction', options.friction ?? RIGID_BODY_DEFAULTS.friction)
    this.restitution = atLeastZero('restitution', options.restitution ?? RIGID_BODY_DEFAULTS.restitution)
    if (this.restitution > 1) throw new RangeError(`rigid body: restitution is ${this.restitution}; give 0 to 1.`)
    const weighed = fixed ? undefined : weighedAs(options)
    this.mass = weighed?.mass ?? Infinity
    this.inverseMass = weighed ? 1 / weighed.mass : 0
    this.centre = Float64Array.from(weighed?.centre ?? [0, 0, 0])
    if (weighed) {
      this.inertia.set(weighed.inertia)
      if (!invertSymmetric3(this.inertia, this.#inverseAtRest)) {
        throw new RangeError('rigid body: the inertia is not positive; give that of a body with some width.')
      }
    }
    this.radius = furthestCorner(solid.box, this.centre)
    this.#setMotion('velocity', this.velocity, options.velocity)
    this.#setMotion('angular velocity', this.angularVelocity, options.angularVelocity)
    this.moveTo(pose)
  }

  /** Whether nothing moves it but its own velocities. */
  get isFixed(): boolean {
    return this.inverseMass === 0
  }

  /**
   * Puts it somewhere; its velocities stay as they are.
   * @param pose  from the solid's frame to the world, rigid, column-major 4x4
   */
  moveTo(pose: ArrayLike<number>): void {
    requireNumbers('rigid body: pose', pose, 'value', 16)
    const [scale, turn] = [new Float64Array(3), new Float64Array(4)]
    const sheared = decomposeMat4(pose, 0, turn, 0, scale, 0)
    if (!(sheared < RIGID && scale.every((side) => Math.abs(side - 1) < RIGID))) {
      throw new RangeError(`rigid body: the pose scales by ${scale.join(', ')}; give a rigid one, and a scaled solid.`)
    }
    this.orientation.set(turn)
    normaliseQuaternion(this.orientation, 0)
    rotationMatrix(this.orientation, this.rotation)
    const [x, y, z] = this.centre
    for (let k = 0; k < 3; k++) {
      const turned = this.rotation[3 * k] * x + this.rotation[3 * k + 1] * y + this.rotation[3 * k + 2] * z
      this.position[k] = pose[12 + k] + turned
    }
    this.#afterMove()
  }

  /** Its pose after some time at these velocities. @internal */
  poseAfter(seconds: number, out: Float64Array): void {
    if (seconds === 0) {
      out.set(this.pose)
      return
    }
    for (let k = 0; k < 3; k++) {
      _vector[k] = seconds * this.angularVelocity[k]
      _place[k] = this.position[k] + seconds * this.velocity[k]
    }
    quaternionOfVector(_vector, 0, _turn, 0)
    multiplyQuaternions(_turn, 0, this.orientation, 0, _turn, 0)
    writePose(rotationMatrix(_turn, _world), _place, this.centre, out)
  }

  /** Moves on by its velocities. @param h  [s] @internal */
  advance(h: number): void {
    const { position, velocity, orientation, angularVelocity: w } = this
    for (let k = 0; k < 3; k++) position[k] += h * velocity[k]
    if (w[0] === 0 && w[1] === 0 && w[2] === 0) {
      writePose(this.rotation, this.position, this.centre, this.pose)
      return
    }
    const momentum = this.#momentum
    const inertia = this.isFixed ? BALL : this.inertia
    // Angular momentum is what free rotation keeps.
    turnMatrix3(this.rotation, inertia, _world, 0)
    multiply3(_world, w, momentum)
    turnFreely(orientation, momentum, this.isFixed ? BALL : this.#inverseAtRest, h)
    this.#afterMove()
    if (!this.isFixed) multiply3(this.inverseInertia, momentum, w)
  }

  /** Kinetic energy [J]; 0 of fixed bodies. */
  kineticEnergy(): number {
    if (this.isFixed) return 0
    const { velocity: v, angularVelocity: w } = this
    turnMatrix3(this.rotation, this.inertia, _world, 0)
    multiply3(_world, w, _vector)
    const turning = _vector[0] * w[0] + _vector[1] * w[1] + _vector[2] * w[2]
    return (this.mass * (v[0] ** 2 + v[1] ** 2 + v[2] ** 2) + turning) / 2
  }

  /** Angular momentum about its centre of mass [kg m^2/s]; zero of fixed bodies. */
  angularMomentum(out: Float64Array = new Float64Array(3)): Float64Array {
    if (this.isFixed) return out.fill(0)
    turnMatrix3(this.rotation, this.inertia, _world, 0)
    multiply3(_world, this.angularVelocity, out)
    return out
  }

  /** A box around it in the world; without an end if it has none. */
  worldBox(): Box {
    return carryBox(this.pose, this.solid.box)
  }

  #afterMove(): void {
    rotationMatrix(this.orientation, this.rotation)
    if (!this.isFixed) turnMatrix3(this.rotation, this.#inverseAtRest, this.inverseInertia, 0)
    writePose(this.rotation, this.position, this.centre, this.pose)
  }

  #setMotion(what: string, out: Float64Array, given: ArrayLike<number> | undefined): void {
    if (given === undefined) return
    if (!isVector(given)) throw new RangeError(`rigid body: ${what} is ${shown(given)}; give three finite numbers.`)
    out.set(given)
  }
}

/** Difference of lengths up to which a pose counts as rigid. */
const RIGID = 1e-6
/** What turns as its angular velocity says. */
const BALL = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1)
const _world = new Float64Array(9)
const _vector = new Float64Array(3)
const _place = new Float64Array(3)
const _turn = new Float64Array(4)

function writePose(r: Float64Array, position: Float64Array, centre: Float64Array, out: Float64Array): void {
  for (let row = 0; row < 3; row++) {
    let turned = 0
    for (let column = 0; column < 3; column++) {
      out[4 * column + row] = r[3 * row + column]
      turned += r[3 * row + column] * centre[column]
    }
    out[12 + row] = position[row] - turned
  }
  out[15] = 1
}

function multiply3(m: Float64Array, v: Float64Array, out: Float64Array): void {
  const [x, y, z] = v
  for (let k = 0; k < 3; k++) out[k] = m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z
}

const weights = new WeakMap<Solid, MassProperties>()

function weighedAs(options: RigidBodyOptions): MassProperties {
  const { solid, massProperties: given, density = RIGID_BODY_DEFAULTS.density, mass } = options
  if (given) {
    requireMassProperties(given)
    return given
  }
  if (solid.points.length === 0) {
    throw new RangeError('rigid body: the solid has no end, so no mass; fix the body (fixed: true).')
  }
  // A solid is weighed once, however many bodies are made of it.
  const one = weights.get(solid) ?? massProperties(solid.field, solid.box, { density: 1 })
  weights.set(solid, one)
  const factor = mass === undefined ? density : mass / one.mass
  if (!(factor > 0 && factor < Infinity)) {
    const [what, value] = mass === undefined ? ['density', density] : ['mass', mass]
    throw new RangeError(`rigid body: ${what} is ${shown(value)}; give a positive number.`)
  }
  return { mass: factor * one.mass, centre: one.centre, inertia: one.inertia.map((value) => factor * value) }
}

function furthestCorner({ lower, upper }: Box, [x, y, z]: Float64Array): number {
  const [a, b, c] = [x, y, z].map((from, k) => Math.max(from - lower[k], upper[k] - from))
  return Math.hypot(a, b, c)
}

function atLeastZero(what: string, value: number): number {
  if (typeof value === 'number' && value >= 0 && value < Infinity) return value
  throw new RangeError(`rigid body: ${what} is ${shown(value)}; give zero or more.`)
}
