/**
 * What contact gave to each of two bodies in a step, and their momentum together. Solved each by itself, the two feel
 * forces whose sum is not quite zero while they are accelerated (surface-contacts.ts). For a pair without pins that sum
 * is taken back as one velocity for both, which changes nothing between them.
 */
import type { FemBody } from '../sim/fem/fem-body.js'

export class PairMomentum {
  /** By which the tool's nodes went in the step [m]. */
  readonly toolMoves: Float64Array
  private readonly bodySide: ContactImpulse
  private readonly toolSide: ContactImpulse

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
    for (let axis = 0; axis < 3; axis++) {
      const speed = (h * (bodySide.force[axis] + toolSide.force[axis])) / (body.totalMass + tool.totalMass)
      for (let i = axis; i < body.velocities.length; i += 3) body.velocities[i] -= speed
      for (let i = axis; i < tool.velocities.length; i += 3) tool.velocities[i] -= speed
    }
  }
}

/** Contact's force on one body as the step really felt it: what was written, less stiffness times the way gone. */
class ContactImpulse {
  readonly force = new Float64Array(3)
  readonly torque = new Float64Array(3)
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
    const { moves, start, forces, stiffness: s, force, torque } = this
    const { positions: x, masses, totalMass } = this.body
    let [cx, cy, cz] = [0, 0, 0]
    for (let node = 0, i = 0; node < masses.length; node++, i += 3) {
      const share = masses[node] / totalMass
      cx += share * x[i]
      cy += share * x[i + 1]
      cz += share * x[i + 2]
      moves[i] = x[i] - start[i]
      moves[i + 1] = x[i + 1] - start[i + 1]
      moves[i + 2] = x[i + 2] - start[i + 2]
    }
    force.fill(0)
    torque.fill(0)
    for (let i = 0, d = 0; i < moves.length; i += 3, d += 6) {
      const dx = moves[i]
      const dy = moves[i + 1]
      const dz = moves[i + 2]
      const fx = forces[i] - s[d] * dx - s[d + 1] * dy - s[d + 2] * dz
      const fy = forces[i + 1] - s[d + 1] * dx - s[d + 3] * dy - s[d + 4] * dz
      const fz = forces[i + 2] - s[d + 2] * dx - s[d + 4] * dy - s[d + 5] * dz
      force[0] += fx
      force[1] += fy
      force[2] += fz
      torque[0] += (x[i + 1] - cy) * fz - (x[i + 2] - cz) * fy
      torque[1] += (x[i + 2] - cz) * fx - (x[i] - cx) * fz
      torque[2] += (x[i] - cx) * fy - (x[i + 1] - cy) * fx
    }
  }
}
