/**
 * A damped spring from a point of a rigid body to a point in the world, as a mouse or a hand has it: once a substep, before
 * contacts, an impulse through the point that changes its speed as an implicit spring would (`softness` of
 * contact-point.ts). Contacts have the last word, so that nothing is pulled through a wall.
 */
import { requireFinite, requireNumbers } from '../../math/require.js'
import { NOT_NEGATIVE, POSITIVE, POSITIVE_OR_INFINITE, type Rules, settingsOf } from '../../math/settings.js'
import { invertSymmetric3 } from '../reduced/rigid-rotation.js'
import { softness } from './contact-point.js'
import type { RigidBody } from './rigid-body.js'

/** How hard a rigid body is pulled. */
export interface RigidPullOptions {
  /** Of the spring, with the body on it [Hz]. */
  frequency?: number
  /** 1 comes to rest soonest without swinging. */
  dampingRatio?: number
  /** Largest force [N]. */
  maxForce?: number
}

/** A hand that follows a mouse. */
export const RIGID_PULL_DEFAULTS: Readonly<Required<RigidPullOptions>> = {
  frequency: 4,
  dampingRatio: 1,
  maxForce: Infinity,
}

const RULES: Rules<Required<RigidPullOptions>> = {
  frequency: POSITIVE,
  dampingRatio: NOT_NEGATIVE,
  maxForce: POSITIVE_OR_INFINITE,
}

/** A damped spring from a point of a rigid body to a point in the world. Made by `RigidWorld.pull`. */
export class RigidPull {
  /** Where the point is pulled to [m], world. Yours to write. */
  readonly target = new Float64Array(3)
  /** How hard it is. */
  readonly settings: Readonly<Required<RigidPullOptions>>
  /** From the centre of mass, in the body's frame [m]. */
  readonly #arm = new Float64Array(3)

  /** @param point  of the body, in its solid's frame [m] @internal */
  constructor(
    /** The body that is pulled. */
    readonly body: RigidBody,
    point: ArrayLike<number>,
    options: RigidPullOptions = {},
  ) {
    requireNumbers('rigid pull', point, 'point value', 3)
    this.settings = settingsOf('rigid pull', options, RIGID_PULL_DEFAULTS, RULES)
    for (let k = 0; k < 3; k++) this.#arm[k] = point[k] - body.centre[k]
    this.point(this.target)
  }

  /** Where the point is now [m], world. */
  point(out: Float64Array): Float64Array {
    this.#turnedArm(out)
    for (let k = 0; k < 3; k++) out[k] += this.body.position[k]
    return out
  }

  /** Changes the body's velocities by what the spring gives in a substep. @param h  [s] @internal */
  give(h: number): void {
    requireFinite('rigid pull', this.target, 'target value')
    const { body, settings } = this
    if (body.isFixed) return
    const { frequency, dampingRatio, maxForce } = settings
    const { rate, massShare } = softness(frequency, dampingRatio, h)
    const [arm, speed] = [this.#turnedArm(_arm), _speed]
    cross(body.angularVelocity, arm, speed)
    for (let k = 0; k < 3; k++) {
      speed[k] += body.velocity[k] + rate * (body.position[k] + arm[k] - this.target[k])
    }
    pointResponse(body, arm, _response)
    // A point of a body with some width has a positive response.
    invertSymmetric3(_response, _response)
    const impulse = multiply(_response, speed, _impulse)
    const size = massShare * Math.hypot(impulse[0], impulse[1], impulse[2])
    const share = size > h * maxForce ? (massShare * h * maxForce) / size : massShare
    for (let k = 0; k < 3; k++) impulse[k] *= -share
    for (let k = 0; k < 3; k++) body.velocity[k] += body.inverseMass * impulse[k]
    multiply(body.inverseInertia, cross(arm, impulse, _turn), speed)
    for (let k = 0; k < 3; k++) body.angularVelocity[k] += speed[k]
  }

  #turnedArm(out: Float64Array): Float64Array {
    return multiply(this.body.rotation, this.#arm, out)
  }
}

/** What an impulse at a point changes the speed of that point by [1/kg]: 1/m - [r] I^-1 [r], 3 x 3. */
function pointResponse({ inverseMass, inverseInertia }: RigidBody, arm: Float64Array, out: Float64Array): void {
  for (let column = 0; column < 3; column++) {
    _turn.fill(0)
    _turn[column] = 1
    const change = multiply(inverseInertia, cross(arm, _turn, _column), _turn)
    cross(change, arm, _column)
    for (let row = 0; row < 3; row++) out[3 * row + column] = _column[row] + (row === column ? inverseMass : 0)
  }
}

function cross(a: Float64Array, b: Float64Array, out: Float64Array): Float64Array {
  const [x, y, z] = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
  out[0] = x
  out[1] = y
  out[2] = z
  return out
}

function multiply(m: Float64Array, v: Float64Array, out: Float64Array): Float64Array {
  const [x, y, z] = v
  for (let k = 0; k < 3; k++) out[k] = m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z
  return out
}

const _arm = new Float64Array(3)
const _speed = new Float64Array(3)
const _impulse = new Float64Array(3)
const _turn = new Float64Array(3)
const _column = new Float64Array(3)
const _response = new Float64Array(9)
