/**
 * Whether a cloth's energy stays within what it can have been given. Counted: kinetic, elastic, and weight times height
 * above the mean attachment. The bound: a body whose skin moves at most at V can throw a cloth of mass M that hangs by L
 * at V; falling from L above its attachments to L below adds 2 g L to the squared half-speed, and it may then stand L
 * above: E <= M ((V + sqrt(4 g L))^2 / 2 + g L). An explosion passes it within a frame.
 */
import type { Cloth } from 'pliant/sim'
import { clothEnergy } from 'pliant/unstable'

export interface DrapeEnergyResult {
  /** Largest over the clip [J]. */
  max: number
  /** [J] */
  bound: number
  /** Largest speed of a vertex [m/s], */
  maxSpeed: number
  /** and of the body's skin near it [m/s]. */
  bodySpeed: number
}

export class DrapeEnergy {
  private readonly attached: Uint32Array
  private readonly mass: number
  private readonly reach: number
  private readonly gravity: number
  private max = 0
  private maxSpeed = 0
  private bodySpeed = 0

  /** @param attached  vertices by which the cloth is worn */
  constructor(cloth: Cloth, attached: Uint32Array) {
    this.attached = attached
    this.mass = cloth.masses.reduce((sum, mass) => sum + mass, 0)
    this.gravity = Math.hypot(...cloth.settings.gravity)
    this.reach = farthest(cloth, attached)
  }

  /** @param bodySpeed  largest speed of the body's skin in this frame [m/s] */
  look(cloth: Cloth, bodySpeed: number): void {
    const { kinetic, gravity, stretch, bend } = clothEnergy(cloth)
    let height = 0
    for (const vertex of this.attached) height += cloth.positions[3 * vertex + 1] / this.attached.length
    this.max = Math.max(this.max, kinetic + stretch + bend + gravity - this.mass * this.gravity * height)
    this.bodySpeed = Math.max(this.bodySpeed, bodySpeed)
    const v = cloth.velocities
    for (let i = 0; i < v.length; i += 3) this.maxSpeed = Math.max(this.maxSpeed, Math.hypot(v[i], v[i + 1], v[i + 2]))
  }

  result(): DrapeEnergyResult {
    const { mass, gravity, reach, max, maxSpeed, bodySpeed } = this
    const thrown = bodySpeed + Math.sqrt(4 * gravity * reach)
    return { max, bound: mass * (thrown ** 2 / 2 + gravity * reach), maxSpeed, bodySpeed }
  }
}

/** How far a vertex is from its nearest attachment, at most [m]. */
function farthest({ positions: x, vertexCount }: Cloth, attached: Uint32Array): number {
  let farthest = 0
  for (let v = 0; v < vertexCount; v++) {
    let nearest = Infinity
    for (const a of attached) {
      nearest = Math.min(
        nearest,
        Math.hypot(x[3 * v] - x[3 * a], x[3 * v + 1] - x[3 * a + 1], x[3 * v + 2] - x[3 * a + 2]),
      )
    }
    farthest = Math.max(farthest, nearest)
  }
  return farthest
}
