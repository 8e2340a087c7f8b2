/**
 * Keeps both momenta of a step. Inner forces change neither, so inertia and forces from outside must balance by themselves, torque
 * about where nodes were included. What they leave is what the step has lost (a linear solve counts inner forces about where nodes
 * were, and they balance about where nodes are); the motion of the whole that takes it up is added. What resists it
 * is mass and whatever holds single nodes, contacts for example: given back as velocity alone, bodies on the ground trembled.
 *
 * A cube at one turn a second kept a twentieth of its angular momentum for a second at 60 steps; now all of it.
 */
import { quaternionOfVector, rotateVector } from '../../math/quaternion.js'
import type { RigidMotion } from './rigid-motion.js'

/** Turns and looks at what is then left. */
const ROUNDS = 3
/** Of a freedom's resistance: what is left of it less than this is rounding. */
const NOTHING = 1e-12

export class MomentumShare {
  /** Of the whole: three shifts, three turns. */
  private readonly matrix = new Float64Array(36)
  private readonly motion = new Float64Array(6)
  private readonly vector = new Float64Array(3)
  private readonly turn = new Float64Array(4)

  /**
   * @param x       where nodes were [m]
   * @param rigid   their motion as a whole
   * @param blocks  what resists each node [N/m]: mass, contacts; xx, xy, xz, yy, yz, zz
   * @param outer   inertia and forces from outside [N], of which a move takes blocks times move
   * @param h       duration of the step [s]
   * @param start   positions that moves are counted from [m]
   * @param turns   whether the whole may be turned, or shifted alone
   * @param move    of the nodes [m]; receives the motion of the whole
   */
  add(
    x: Float64Array,
    rigid: RigidMotion,
    blocks: Float64Array,
    outer: Float64Array,
    h: number,
    start: Float64Array,
    turns: boolean,
    move: Float64Array,
  ): void {
    const { matrix, motion, vector, turn } = this
    this.assemble(x, rigid.centre, blocks)
    factor(matrix)
    // Turned as a rigid body, so that no edge is stretched: what a turn changes is then only nearly what was asked.
    for (let round = 0; turns && round < ROUNDS; round++) {
      this.takeLost(x, rigid.centre, blocks, outer, move)
      solve(matrix, motion, 6)
      quaternionOfVector(motion, 3, turn, 0)
      for (let i = 0; i < move.length; i += 3) {
        for (let axis = 0; axis < 3; axis++) {
          vector[axis] = start[i + axis] + move[i + axis] - rigid.centre[axis] - h * rigid.velocity[axis]
          move[i + axis] += motion[axis] - vector[axis]
        }
        rotateVector(turn, 0, vector, 0, vector, 0)
        for (let axis = 0; axis < 3; axis++) move[i + axis] += vector[axis]
      }
    }
    this.takeLost(x, rigid.centre, blocks, outer, move)
    solve(matrix, motion, 3)
    for (let i = 0; i < move.length; i++) move[i] += motion[i % 3]
  }

  /** Torque [N m] about the centre that a step has lost. */
  lostTorque(
    x: Float64Array,
    centre: Float64Array,
    blocks: Float64Array,
    outer: Float64Array,
    move: Float64Array,
  ): Float64Array {
    this.takeLost(x, centre, blocks, outer, move)
    return this.motion.subarray(3)
  }

  /** Force and torque of what a move leaves of inertia and forces from outside. */
  private takeLost(
    x: Float64Array,
    centre: Float64Array,
    blocks: Float64Array,
    outer: Float64Array,
    move: Float64Array,
  ): void {
    const { motion } = this
    motion.fill(0)
    for (let i = 0, d = 0; i < x.length; i += 3, d += 6) {
      const mx = move[i]
      const my = move[i + 1]
      const mz = move[i + 2]
      const fx = outer[i] - blocks[d] * mx - blocks[d + 1] * my - blocks[d + 2] * mz
      const fy = outer[i + 1] - blocks[d + 1] * mx - blocks[d + 3] * my - blocks[d + 4] * mz
      const fz = outer[i + 2] - blocks[d + 2] * mx - blocks[d + 4] * my - blocks[d + 5] * mz
      const rx = x[i] - centre[0]
      const ry = x[i + 1] - centre[1]
      const rz = x[i + 2] - centre[2]
      motion[0] += fx
      motion[1] += fy
      motion[2] += fz
      motion[3] += ry * fz - rz * fy
      motion[4] += rz * fx - rx * fz
      motion[5] += rx * fy - ry * fx
    }
  }

  /** Forces and torques that resist shifts and turns; the lower half is used. */
  private assemble(x: Float64Array, centre: Float64Array, blocks: Float64Array): void {
    const { matrix: m } = this
    m.fill(0)
    for (let i = 0, d = 0; i < x.length; i += 3, d += 6) {
      const rx = x[i] - centre[0]
      const ry = x[i + 1] - centre[1]
      const rz = x[i + 2] - centre[2]
      const xx = blocks[d]
      const xy = blocks[d + 1]
      const xz = blocks[d + 2]
      const yy = blocks[d + 3]
      const yz = blocks[d + 4]
      const zz = blocks[d + 5]
      // Torque of what resists a shift: [r]x times the block, row by row.
      const a0 = ry * xz - rz * xy
      const a1 = ry * yz - rz * yy
      const a2 = ry * zz - rz * yz
      const b0 = rz * xx - rx * xz
      const b1 = rz * xy - rx * yz
      const b2 = rz * xz - rx * zz
      const c0 = rx * xy - ry * xx
      const c1 = rx * yy - ry * xy
      const c2 = rx * yz - ry * xz
      m[0] += xx
      m[6] += xy
      m[7] += yy
      m[12] += xz
      m[13] += yz
      m[14] += zz
      m[18] += a0
      m[19] += a1
      m[20] += a2
      m[24] += b0
      m[25] += b1
      m[26] += b2
      m[30] += c0
      m[31] += c1
      m[32] += c2
      m[21] += ry * a2 - rz * a1
      m[27] += ry * b2 - rz * b1
      m[28] += rz * b0 - rx * b2
      m[33] += ry * c2 - rz * c1
      m[34] += rz * c0 - rx * c2
      m[35] += rx * c1 - ry * c0
    }
  }
}

/** Cholesky's factor of a positive 6 x 6 matrix; zero for freedoms that nothing resists. */
function factor(m: Float64Array): void {
  for (let row = 0; row < 6; row++) {
    const own = m[7 * row]
    for (let column = 0; column <= row; column++) {
      let sum = m[6 * row + column]
      for (let k = 0; k < column; k++) sum -= m[6 * row + k] * m[6 * column + k]
      if (column < row) m[6 * row + column] = m[7 * column] > 0 ? sum / m[7 * column] : 0
      else m[7 * row] = sum > NOTHING * own ? Math.sqrt(sum) : 0
    }
  }
}

/** Of the leading `count` freedoms. */
function solve(m: Float64Array, vector: Float64Array, count: number): void {
  vector.fill(0, count)
  for (let row = 0; row < count; row++) {
    for (let k = 0; k < row; k++) vector[row] -= m[6 * row + k] * vector[k]
    vector[row] = m[7 * row] > 0 ? vector[row] / m[7 * row] : 0
  }
  for (let row = count - 1; row >= 0; row--) {
    for (let k = row + 1; k < count; k++) vector[row] -= m[6 * k + row] * vector[k]
    vector[row] = m[7 * row] > 0 ? vector[row] / m[7 * row] : 0
  }
}
