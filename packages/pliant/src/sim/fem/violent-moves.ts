/**
 * A single linear solve knows nothing of what a large bend will cost. Where a node would move by more than half an edge against
 * the body's mean, the move is halved until the elastic energy grows by no more than motion and outer forces pay for.
 * Without this, a cube scrambled by half its size gained energy for ever; with it, it finds its shape in ten frames.
 */
import type { BlockMatrix } from './block-matrix.js'
import type { FemBody } from './fem-body.js'

/** Halving a move this often leaves nothing of it. */
const HALVINGS = 10

export class ViolentMoves {
  private readonly trial: Float64Array
  /** Mean length of the tetrahedra's edges at rest [m]. */
  private readonly edge: number
  // The mean of a move by mass: shortening towards it keeps momentum. Nothing is kept of it where there are pins.
  private mx = 0
  private my = 0
  private mz = 0

  /** @param body at rest */
  constructor(private readonly body: FemBody) {
    this.trial = new Float64Array(3 * body.nodeCount)
    this.edge = meanEdge(body.positions, body.matrix)
  }

  /** Shortens a move of the body's nodes [m] if it must. */
  calm(move: Float64Array): void {
    const { body, trial } = this
    const { positions: x, law, contacts, pinned } = body
    this.takeMean(move)
    if (!(this.furthest(move) > this.edge / 2)) return
    const limit = law.energy(x) + contacts.depthEnergy(x) + this.paid(move)
    for (let halving = 0; halving < HALVINGS; halving++) {
      for (let i = 0; i < x.length; i++) trial[i] = x[i] + move[i]
      if (law.energy(trial) <= limit) return
      for (let node = 0, i = 0; i < x.length; node++, i += 3) {
        if (pinned[node] === 1) continue
        move[i] = (move[i] + this.mx) / 2
        move[i + 1] = (move[i + 1] + this.my) / 2
        move[i + 2] = (move[i + 2] + this.mz) / 2
      }
    }
  }

  private takeMean(move: Float64Array): void {
    const { masses, totalMass, hasPins } = this.body
    this.mx = 0
    this.my = 0
    this.mz = 0
    if (hasPins) return
    for (let node = 0, i = 0; node < masses.length; node++, i += 3) {
      const share = masses[node] / totalMass
      this.mx += share * move[i]
      this.my += share * move[i + 1]
      this.mz += share * move[i + 2]
    }
  }

  private furthest(move: Float64Array): number {
    let squared = 0
    for (let i = 0; i < move.length; i += 3) {
      const dx = move[i] - this.mx
      const dy = move[i + 1] - this.my
      const dz = move[i + 2] - this.mz
      squared = Math.max(squared, dx * dx + dy * dy + dz * dz)
    }
    return Math.sqrt(squared)
  }

  /** Energy [J] that motion has and that gravity and outer forces may give. */
  private paid(move: Float64Array): number {
    const { masses, velocities: v, forces, settings } = this.body
    const [gx, gy, gz] = settings.gravity
    let paid = 0
    for (let node = 0, i = 0; node < masses.length; node++, i += 3) {
      const fall = gx * move[i] + gy * move[i + 1] + gz * move[i + 2]
      paid += masses[node] * (Math.max(0, fall) + (v[i] ** 2 + v[i + 1] ** 2 + v[i + 2] ** 2) / 2)
      paid += Math.abs(forces[i] * move[i] + forces[i + 1] * move[i + 1] + forces[i + 2] * move[i + 2])
    }
    return paid
  }
}

function meanEdge(p: Float64Array, { nodeCount, starts, columns }: BlockMatrix): number {
  let sum = 0
  for (let a = 0; a < nodeCount; a++) {
    for (let k = starts[a]; k < starts[a + 1]; k++) {
      const b = columns[k]
      sum += Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2])
    }
  }
  return sum / columns.length
}
