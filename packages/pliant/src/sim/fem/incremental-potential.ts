/**
 * What implicit Euler minimises in a step (Martin et al. 2011, "Example-based elastic materials", Eq. 6): inertia, Rayleigh
 * damping with the stiffness of the step's beginning, elasticity, the work of outer forces, contacts, and friction.
 */
import { addBlocks, type BlockMatrix, clearBlocks, multiplyBlocks, sameBlocks } from './block-matrix.js'
import type { FemBody } from './fem-body.js'

export class IncrementalPotential {
  /** Minus the gradient [N] at the place of the last `linearise`. */
  readonly descent: Float64Array
  /** The part of the matrix that acts on single nodes: mass, contacts. */
  readonly blocks: Float64Array
  /** Positions at which the step began [m]. */
  readonly start: Float64Array
  private readonly damping: BlockMatrix
  private readonly way: Float64Array
  private readonly image: Float64Array
  private h = 1

  constructor(private readonly body: FemBody) {
    const coordinates = 3 * body.nodeCount
    this.descent = new Float64Array(coordinates)
    this.blocks = new Float64Array(2 * coordinates)
    this.start = new Float64Array(coordinates)
    this.way = new Float64Array(coordinates)
    this.image = new Float64Array(coordinates)
    this.damping = sameBlocks(body.matrix)
  }

  /** Begins a step of h seconds where the body is. */
  begin(h: number): void {
    const { body, start } = this
    this.h = h
    start.set(body.positions)
    body.contacts.begin(start, body.velocities, h)
    if (body.material.stiffnessDamping === 0) return
    clearBlocks(this.damping)
    // The forces are of no use here; what comes next overwrites them.
    body.law.addForcesAndStiffness(start, this.image, this.damping, 0)
  }

  /** [J] at the body's positions. */
  energy(): number {
    const { body, start, h } = this
    const { positions: x, velocities: v, masses, forceStiffness: s, forces } = body
    const { massDamping, stiffnessDamping } = body.material
    const [gx, gy, gz] = body.settings.gravity
    let inertia = 0
    let work = 0
    for (let node = 0, i = 0, d = 0; node < masses.length; node++, i += 3, d += 6) {
      const dx = x[i] - start[i]
      const dy = x[i + 1] - start[i + 1]
      const dz = x[i + 2] - start[i + 2]
      const swerve = (dx - h * v[i]) ** 2 + (dy - h * v[i + 1]) ** 2 + (dz - h * v[i + 2]) ** 2
      inertia += masses[node] * (swerve / h + massDamping * (dx * dx + dy * dy + dz * dz))
      work +=
        dx * (forces[i] + masses[node] * gx - (s[d] * dx) / 2 - s[d + 1] * dy - s[d + 2] * dz) +
        dy * (forces[i + 1] + masses[node] * gy - (s[d + 3] * dy) / 2 - s[d + 4] * dz) +
        dz * (forces[i + 2] + masses[node] * gz - (s[d + 5] * dz) / 2)
    }
    let damped = 0
    if (stiffnessDamping > 0) {
      this.damp()
      for (let i = 0; i < x.length; i++) damped += this.image[i] * this.way[i]
    }
    const dissipated = (inertia + stiffnessDamping * damped) / (2 * h)
    return dissipated - work + body.law.energy(x) + body.contacts.energy(x, start)
  }

  /** Writes minus the gradient at the body's positions, and the second derivative, projected, to the body's matrix. */
  linearise(): void {
    const { body, start, descent, blocks, h } = this
    const { positions: x, velocities: v, masses, matrix, forceStiffness: s } = body
    const { density, massDamping, stiffnessDamping } = body.material
    const massFactor = 1 / (h * h) + massDamping / h
    clearBlocks(matrix)
    descent.fill(0)
    body.law.addForcesAndStiffness(x, descent, matrix, (density * massFactor) / 8)
    if (stiffnessDamping > 0) {
      addBlocks(this.damping, stiffnessDamping / h, matrix)
      this.damp()
      for (let i = 0; i < x.length; i++) descent[i] -= (stiffnessDamping / h) * this.image[i]
    }
    blocks.set(s)
    body.contacts.addForces(x, start, descent, blocks)
    body.addOuterForces(descent)
    for (let node = 0, i = 0, d = 0; node < masses.length; node++, i += 3, d += 6) {
      const dx = x[i] - start[i]
      const dy = x[i + 1] - start[i + 1]
      const dz = x[i + 2] - start[i + 2]
      const mass = masses[node] * massFactor
      const push = masses[node] / h
      descent[i] += push * v[i] - mass * dx - s[d] * dx - s[d + 1] * dy - s[d + 2] * dz
      descent[i + 1] += push * v[i + 1] - mass * dy - s[d + 1] * dx - s[d + 3] * dy - s[d + 4] * dz
      descent[i + 2] += push * v[i + 2] - mass * dz - s[d + 2] * dx - s[d + 4] * dy - s[d + 5] * dz
      blocks[d] += mass
      blocks[d + 3] += mass
      blocks[d + 5] += mass
    }
    for (let i = 0; i < blocks.length; i++) matrix.diagonal[i] += blocks[i]
  }

  /** image = damping stiffness * way since the start. */
  private damp(): void {
    const { positions: x } = this.body
    for (let i = 0; i < x.length; i++) this.way[i] = x[i] - this.start[i]
    multiplyBlocks(this.damping, this.way, this.image)
  }
}
