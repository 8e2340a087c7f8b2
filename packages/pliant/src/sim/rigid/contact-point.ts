/**
 * One contact while it is solved: a row that bodies do not approach, and two of friction across it. Rows are soft while they
 * push apart and hard when velocities are settled after it (Catto, "Soft Constraints", GDC 2011, and his solver "soft step"
 * of 2024), so that what is pushed apart takes no speed with it.
 *
 * Friction holds a place and not only a speed: what stuck is drawn back to where it was when it began to, so that bodies at
 * rest do not creep by what sweeps leave over.
 */
import type { ContactList } from '../../field/contact.js'
import type { Vec3 } from '../../math/box.js'
import type { RigidBody } from './rigid-body.js'

/** How soft a row is in a substep: what share of an error it takes back, and how much of the impulse counts. */
export interface Softness {
  /** Speed per error [1/s]. */
  readonly rate: number
  readonly massShare: number
  readonly impulseShare: number
}

/** Row of an error that goes like a damped spring of this frequency [Hz] and damping ratio in a substep of `h` [s]. */
export function softness(frequency: number, ratio: number, h: number): Softness {
  const omega = 2 * Math.PI * frequency
  const damped = 2 * ratio + h * omega
  const stiff = h * omega * damped
  return { rate: omega / damped, massShare: stiff / (1 + stiff), impulseShare: 1 / (1 + stiff) }
}

/** A row as it is when velocities are settled. */
const HARD: Softness = { rate: 0, massShare: 1, impulseShare: 0 }

/** A contact as the last substep left it. */
export interface SolvedContact {
  /** On A [m], world. */
  readonly point: Vec3
  /** Unit vector from A to B. */
  readonly normal: Vec3
  /** Way from A to B along it where bodies are now [m]; negative: how deep they overlap. */
  readonly separation: number
  /** What B was given [N s], friction and all; A was given the same against it. Over the substep's time a force [N]. */
  readonly impulse: Vec3
}

export class ContactPoint {
  /** Along the normal and across it, xyz triples; orthonormal. */
  readonly directions = new Float64Array(9)
  /** Impulses along these [N s], of which the first is zero or more. */
  readonly impulses = new Float64Array(3)
  /** From the centre of either body to the contact's point on it, in the body's frame as it is turned. */
  readonly localA = new Float64Array(3)
  readonly localB = new Float64Array(3)
  /** The same of where it began to stick. */
  readonly stuckA = new Float64Array(3)
  readonly stuckB = new Float64Array(3)
  id = 0
  /** Whether friction gave way since points were placed. */
  hasSlipped = false
  a!: RigidBody
  b!: RigidBody
  /** Of both bodies. */
  friction = 0
  restitution = 0
  /** Separation, less what its points are apart along the normal [m]. */
  #offset = 0
  /** Of the last `place` [m], and the way that it is from where it stuck, across. */
  #separation = 0
  #driftX = 0
  #driftY = 0
  /** Speed at which bodies part before a substep, negative where they meet [m/s]. */
  #partingBefore = 0
  #mostImpulse = 0
  /** Arm x direction of each row, and what a unit impulse changes the angular velocity by. */
  readonly #turnA = new Float64Array(9)
  readonly #turnB = new Float64Array(9)
  readonly #changeA = new Float64Array(9)
  readonly #changeB = new Float64Array(9)
  /** One through what a unit impulse along the normal changes its speed by, and the same 2 x 2 across. */
  #normalMass = 0
  #across = 0
  #acrossBoth = 0
  #along = 0
  #stiffest = 0
  readonly #pointA = new Float64Array(3)
  readonly #pointB = new Float64Array(3)

  /** Takes contact `i` as it was found. @param poseA,poseB  where bodies were for that, column-major 4x4 */
  set(a: RigidBody, poseA: Float64Array, b: RigidBody, poseB: Float64Array, list: ContactList, i: number): void {
    this.a = a
    this.b = b
    toLocal(a, poseA, list.pointsA, 3 * i, this.localA)
    toLocal(b, poseB, list.pointsB, 3 * i, this.localB)
    const d = this.directions
    let apart = 0
    for (let k = 0; k < 3; k++) {
      d[k] = list.normals[3 * i + k]
      apart += (list.pointsB[3 * i + k] - list.pointsA[3 * i + k]) * d[k]
    }
    this.#offset = list.separations[i] - apart
    setAcross(d)
  }

  /** Where it is now, and what it gave B in the last substep. */
  get solved(): SolvedContact {
    const { directions: d, impulses } = this
    const sum = (k: number): number => impulses[0] * d[k] + impulses[1] * d[3 + k] + impulses[2] * d[6 + k]
    toWorld(this.a, this.localA, this.#pointA)
    const [x, y, z] = this.#pointA
    return {
      point: [x, y, z],
      normal: [d[0], d[1], d[2]],
      separation: this.#separation,
      impulse: [sum(0), sum(1), sum(2)],
    }
  }

  /** Begins to stick where it is now. */
  stickHere(): void {
    this.stuckA.set(this.localA)
    this.stuckB.set(this.localB)
    this.hasSlipped = false
  }

  /** Impulse across, in the world. */
  frictionImpulse(out: Float64Array): void {
    const { directions: d, impulses } = this
    for (let k = 0; k < 3; k++) out[k] = impulses[1] * d[3 + k] + impulses[2] * d[6 + k]
  }

  /** Takes what pushed before as what to begin with. */
  startFrom(normal: number, acrossWorld: Float64Array): void {
    const { directions: d, impulses } = this
    impulses[0] = normal
    for (let row = 1; row < 3; row++) {
      impulses[row] = acrossWorld[0] * d[3 * row] + acrossWorld[1] * d[3 * row + 1] + acrossWorld[2] * d[3 * row + 2]
    }
  }

  /** Where both points are now, which tells the separation and the way from where it stuck. */
  place(): void {
    const { a, b, directions: d } = this
    const [pointA, pointB] = [this.#pointA, this.#pointB]
    toWorld(a, this.stuckA, pointA)
    // What gave way is not drawn back.
    if (this.hasSlipped) toLocal(b, b.pose, pointA, 0, this.stuckB)
    this.hasSlipped = false
    toWorld(b, this.stuckB, pointB)
    const [sx, sy, sz] = [pointB[0] - pointA[0], pointB[1] - pointA[1], pointB[2] - pointA[2]]
    this.#driftX = sx * d[3] + sy * d[4] + sz * d[5]
    this.#driftY = sx * d[6] + sy * d[7] + sz * d[8]
    toWorld(a, this.localA, pointA)
    toWorld(b, this.localB, pointB)
    this.#separation = this.#offset
    for (let k = 0; k < 3; k++) this.#separation += (pointB[k] - pointA[k]) * d[k]
  }

  /** Begins a substep: how fast bodies meet, and nothing pushed yet. Call before any `warmStart`. */
  begin(): void {
    this.#partingBefore = this.#speed(0)
    this.#mostImpulse = 0
  }

  /** Rows of where bodies are. Call after `place`; again when bodies moved, or angular momentum would be lost. */
  prepare(): void {
    const { a, b, directions: d } = this
    const [pointA, pointB] = [this.#pointA, this.#pointB]
    // Both take the impulse at one point, or it would turn the two together.
    const [x, y, z] = [0, 1, 2].map((k) => (pointA[k] + pointB[k]) / 2)
    setTurns(d, x - a.position[0], y - a.position[1], z - a.position[2], this.#turnA)
    setTurns(d, x - b.position[0], y - b.position[1], z - b.position[2], this.#turnB)
    setChanges(a, this.#turnA, this.#changeA)
    setChanges(b, this.#turnB, this.#changeB)
    this.#normalMass = 1 / this.#response(0, 0)
    this.#across = this.#response(1, 1)
    this.#acrossBoth = this.#response(1, 2)
    this.#along = this.#response(2, 2)
    const half = (this.#across - this.#along) / 2
    this.#stiffest = (this.#across + this.#along) / 2 + Math.sqrt(half * half + this.#acrossBoth * this.#acrossBoth)
  }

  /** Gives what is begun with. Call once all have their rows, and velocities have taken what acts from outside. */
  warmStart(): void {
    const { impulses } = this
    for (let row = 0; row < 3; row++) if (impulses[row] !== 0) this.#give(row, impulses[row])
  }

  /** Pushes apart, or draws back, by as much as the substep takes. @param h  [s] @param pushOut  at most [m/s] */
  solveSoftly(soft: Softness, h: number, pushOut: number): void {
    this.#solveFriction(soft)
    const separation = this.#separation
    if (separation > 0) this.#solveNormal(separation / h, HARD)
    else this.#solveNormal(Math.max(soft.rate * separation, -pushOut), soft)
  }

  /** Settles velocities: what touches does not approach, what sticks does not slide. */
  settle(h: number): void {
    this.#solveFriction(HARD)
    this.#solveNormal(Math.max(0, this.#separation) / h, HARD)
  }

  /** Makes what met faster than `slowest` part again. */
  bounce(slowest: number): void {
    if (this.restitution === 0 || this.#mostImpulse === 0 || this.#partingBefore > -slowest) return
    this.#solveNormal(this.restitution * this.#partingBefore, HARD)
  }

  /** @param bias  speed of approach that is allowed [m/s] */
  #solveNormal(bias: number, { massShare, impulseShare }: Softness): void {
    const { impulses } = this
    const before = impulses[0]
    const wanted = before - this.#normalMass * massShare * (this.#speed(0) + bias) - impulseShare * before
    impulses[0] = Math.max(0, wanted)
    this.#mostImpulse = Math.max(this.#mostImpulse, impulses[0])
    if (impulses[0] !== before) this.#give(0, impulses[0] - before)
  }

  #solveFriction({ rate, massShare, impulseShare }: Softness): void {
    const { impulses } = this
    const most = this.friction * impulses[0]
    const [beforeX, beforeY] = [impulses[1], impulses[2]]
    const speedX = this.#speed(1) + rate * this.#driftX
    const speedY = this.#speed(2) + rate * this.#driftY
    const determinant = this.#across * this.#along - this.#acrossBoth * this.#acrossBoth
    const toStopX = (this.#along * speedX - this.#acrossBoth * speedY) / determinant
    const toStopY = (this.#across * speedY - this.#acrossBoth * speedX) / determinant
    let x = beforeX - massShare * toStopX - impulseShare * beforeX
    let y = beforeY - massShare * toStopY - impulseShare * beforeY
    if (!(x * x + y * y <= most * most)) {
      // A step that ends where friction is against the way that it slides, whatever the masses are.
      x = beforeX - speedX / this.#stiffest
      y = beforeY - speedY / this.#stiffest
      const length = Math.sqrt(x * x + y * y)
      const share = length > most ? most / length : 1
      x *= share
      y *= share
      if (share < 1) this.hasSlipped = true
    }
    impulses[1] = x
    impulses[2] = y
    if (x !== beforeX) this.#give(1, x - beforeX)
    if (y !== beforeY) this.#give(2, y - beforeY)
  }

  /** Speed at which B leaves A along a row [m/s]. */
  #speed(row: number): number {
    const { a, b, directions: d } = this
    const [va, vb, wa, wb] = [a.velocity, b.velocity, a.angularVelocity, b.angularVelocity]
    const [turnA, turnB] = [this.#turnA, this.#turnB]
    const i = 3 * row
    return (
      d[i] * (vb[0] - va[0]) +
      d[i + 1] * (vb[1] - va[1]) +
      d[i + 2] * (vb[2] - va[2]) +
      turnB[i] * wb[0] +
      turnB[i + 1] * wb[1] +
      turnB[i + 2] * wb[2] -
      turnA[i] * wa[0] -
      turnA[i + 1] * wa[1] -
      turnA[i + 2] * wa[2]
    )
  }

  /** Pushes B along a row, and A against it. */
  #give(row: number, impulse: number): void {
    const { a, b, directions: d } = this
    const [byA, byB] = [impulse * a.inverseMass, impulse * b.inverseMass]
    for (let k = 0, i = 3 * row; k < 3; k++, i++) {
      a.velocity[k] -= byA * d[i]
      b.velocity[k] += byB * d[i]
      a.angularVelocity[k] -= impulse * this.#changeA[i]
      b.angularVelocity[k] += impulse * this.#changeB[i]
    }
  }

  /** What a unit impulse along one row changes the speed along another by [1/kg]. */
  #response(row: number, other: number): number {
    const { a, b, directions: d } = this
    let sum = 0
    for (let k = 0; k < 3; k++) {
      const [i, j] = [3 * row + k, 3 * other + k]
      sum += (a.inverseMass + b.inverseMass) * d[i] * d[j]
      sum += this.#turnA[i] * this.#changeA[j] + this.#turnB[i] * this.#changeB[j]
    }
    return sum
  }
}

/** From the world to the frame about the centre of mass. */
function toLocal({ centre }: RigidBody, m: Float64Array, points: Float64Array, at: number, out: Float64Array): void {
  const [x, y, z] = [points[at] - m[12], points[at + 1] - m[13], points[at + 2] - m[14]]
  for (let k = 0; k < 3; k++) out[k] = m[4 * k] * x + m[4 * k + 1] * y + m[4 * k + 2] * z - centre[k]
}

function toWorld({ rotation: r, position }: RigidBody, local: Float64Array, out: Float64Array): void {
  const [x, y, z] = local
  for (let k = 0; k < 3; k++) out[k] = position[k] + r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z
}

/** Two directions across the first, which does not jump but near -z (Duff et al. 2017). */
function setAcross(d: Float64Array): void {
  const [x, y, z] = d
  const sign = z >= 0 ? 1 : -1
  const p = -1 / (sign + z)
  const q = x * y * p
  d[3] = 1 + sign * x * x * p
  d[4] = sign * q
  d[5] = -sign * x
  d[6] = q
  d[7] = sign + y * y * p
  d[8] = -y
}

function setTurns(d: Float64Array, x: number, y: number, z: number, out: Float64Array): void {
  for (let i = 0; i < 9; i += 3) {
    out[i] = y * d[i + 2] - z * d[i + 1]
    out[i + 1] = z * d[i] - x * d[i + 2]
    out[i + 2] = x * d[i + 1] - y * d[i]
  }
}

function setChanges({ inverseInertia: m }: RigidBody, turns: Float64Array, out: Float64Array): void {
  for (let i = 0; i < 9; i += 3) {
    const [x, y, z] = [turns[i], turns[i + 1], turns[i + 2]]
    for (let k = 0; k < 3; k++) out[i + k] = m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z
  }
}
