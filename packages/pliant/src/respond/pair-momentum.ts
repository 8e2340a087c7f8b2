/**
 * What contact gave to each of two bodies in a step, and their momenta together. Solved each by itself, the two feel
 * forces whose sum is not quite zero while they are accelerated (surface-contacts.ts), and at places that are not quite
 * the same. For a pair without pins what is left of force and torque is taken back as one rigid motion of both, which changes
 * nothing between them: angular momentum through a collision was 15% off, and is kept to 1e-4.
 */

import type { FemBody } from '../sim/fem/fem-body.js'
import { addInertia, addTorque, centreOfMass, solveSymmetric } from '../sim/fem/rigid-motion.js'

export class PairMomentum {
  /** By which the tool's nodes went in the step [m]. */
  readonly toolMoves: Float64Array
  private readonly bodySide: ContactImpulse
  private readonly toolSide: ContactImpulse
  private readonly centre = new Float64Array(3)
  private readonly inertia = new Float64Array(6)
  private readonly turn = new Float64Array(3)
  private readonly force = new Float64Array(3)

  constructor(
    private readonly body: FemBody,
    private readonly tool: FemBody,
  ) {
    this.bodySide = new ContactImpulse(body)
    this.toolSide = new ContactImpulse(tool)
    this.toolMoves = this.toolSide.moves
  }

  /** Call when contact has written its forces, and nothing else has. */
  begin(): void {
    this.bodySide.begin()
    this.toolSide.begin()
  }

  /** Call after the step of `h` seconds. Receives force on the tool, and torque about its centre of mass. */
  end(h: number, outForce: Float64Array, outTorque: Float64Array): void {
    const { body, tool, bodySide, toolSide } = this
    bodySide.end()
    toolSide.end()
    outForce.set(toolSide.force)
    outTorque.set(toolSide.torque)
    if (body.hasPins || tool.hasPins) return
    this.takeBack(h)
  }

  private takeBack(h: number): void {
    const { body, tool, bodySide, toolSide, centre, inertia, turn, force } = this
    const mass = body.totalMass + tool.totalMass
    for (let axis = 0; axis < 3; axis++) {
      force[axis] = h * (bodySide.force[axis] + toolSide.force[axis])
      centre[axis] = (body.totalMass * bodySide.centre[axis] + tool.totalMass * toolSide.centre[axis]) / mass
    }
    inertia.fill(0)
    turn.fill(0)
    bodySide.addTorque(centre, turn)
    toolSide.addTorque(centre, turn)
    for (const { positions: x, masses } of [body, tool]) {
      for (let i = 0; i < x.length; i += 3) {
        addInertia(inertia, masses[i / 3], x[i] - centre[0], x[i + 1] - centre[1], x[i + 2] - centre[2])
      }
    }
    solveSymmetric(inertia, turn)
    for (const { positions: x, velocities: v } of [body, tool]) {
      for (let i = 0; i < x.length; i += 3) {
        const rx = x[i] - centre[0]
        const ry = x[i + 1] - centre[1]
        const rz = x[i + 2] - centre[2]
        v[i] -= force[0] / mass + h * (turn[1] * rz - turn[2] * ry)
        v[i + 1] -= force[1] / mass + h * (turn[2] * rx - turn[0] * rz)
        v[i + 2] -= force[2] / mass + h * (turn[0] * ry - turn[1] * rx)
      }
    }
  }
}

/** Contact's force on one body as the step really felt it: what was written, less stiffness times the way gone. */
class ContactImpulse {
  readonly force = new Float64Array(3)
  /** About the centre of mass, at the end of the step. */
  readonly torque = new Float64Array(3)
  readonly centre = new Float64Array(3)
  readonly moves: Float64Array
  private readonly start: Float64Array
  private readonly forces: Float64Array
  private readonly stiffness: Float64Array

  constructor(private readonly body: FemBody) {
    this.moves = new Float64Array(body.positions.length)
    this.start = new Float64Array(body.positions.length)
    this.forces = new Float64Array(body.positions.length)
    this.stiffness = new Float64Array(body.forceStiffness.length)
  }

  begin(): void {
    this.start.set(this.body.positions)
    this.forces.set(this.body.forces)
    this.stiffness.set(this.body.forceStiffness)
  }

  end(): void {
    const { moves, start, forces, stiffness: s, force, torque, centre } = this
    const { positions: x, masses, totalMass } = this.body
    centreOfMass(x, masses, totalMass, centre)
    let [sumX, sumY, sumZ] = [0, 0, 0]
    torque.fill(0)
    for (let i = 0, d = 0; i < moves.length; i += 3, d += 6) {
      const dx = x[i] - start[i]
      const dy = x[i + 1] - start[i + 1]
      const dz = x[i + 2] - start[i + 2]
      moves[i] = dx
      moves[i + 1] = dy
      moves[i + 2] = dz
      const fx = forces[i] - (s[d] * dx + s[d + 1] * dy + s[d + 2] * dz)
      const fy = forces[i + 1] - (s[d + 1] * dx + s[d + 3] * dy + s[d + 4] * dz)
      const fz = forces[i + 2] - (s[d + 2] * dx + s[d + 4] * dy + s[d + 5] * dz)
      forces[i] = fx
      forces[i + 1] = fy
      forces[i + 2] = fz
      sumX += fx
      sumY += fy
      sumZ += fz
      // Most nodes touch nothing.
      if (fx !== 0 || fy !== 0 || fz !== 0) addTorque(x, i, centre, fx, fy, fz, torque)
    }
    force[0] = sumX
    force[1] = sumY
    force[2] = sumZ
  }

  /** Adds the torque about a point, with arms of the step's beginning: momentum is counted by them (share-momentum.ts). */
  addTorque(centre: Float64Array, out: Float64Array): void {
    const { start, forces } = this
    for (let i = 0; i < start.length; i += 3) {
      addTorque(start, i, centre, forces[i], forces[i + 1], forces[i + 2], out)
    }
  }
}
