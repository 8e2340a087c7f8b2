/**
 * What a substep does to all vertices, edges and hinges of a cloth, whatever it meets: free motion, bending, stretch,
 * velocities, damping. Exists twice, with the same answers to the last bit: in plain code here, and on SIMD WebAssembly
 * (simd/simd-sweeps.ts), in whose memory the cloth then lives.
 */
import { type Bend, prepareBend, solveBend } from './bend.js'
import { dampBend, dampStretch } from './damping.js'
import { prepareStretch, type Stretch, solveStretch } from './stretch.js'

/** The numbers of a cloth, three per vertex but for the masses. */
export interface ClothState {
  /** [m] */
  readonly positions: Float64Array
  /** Positions as the substep began [m]. */
  readonly previous: Float64Array
  /** [m/s] */
  readonly velocities: Float64Array
  /** What gravity and air do in this frame [m/s^2]. */
  readonly accelerations: Float64Array
  /** [1/kg]; 0 where attached. */
  readonly inverseMasses: Float64Array
}

export interface ClothSweeps extends ClothState {
  /** To be called when an inverse mass has changed, before `prepare`. */
  weigh(): void
  /** To be called when the substep [s] or an inverse mass has changed. */
  prepare(dt: number): void
  /** Once a frame. @param share  of the rates of strain and bending to remove, in [0, 1] */
  damp(share: number): void
  /**
   * Remembers positions, then moves free vertices by their velocities.
   * @param kick   time for which accelerations act [s]
   * @param keep   share of velocities that drag leaves
   * @param limit  speed that no vertex exceeds [m/s]
   */
  drift(dt: number, kick: number, keep: number, limit: number): void
  /** One pass over all hinges. */
  bend(): void
  /** One pass over all edges, which marks what is let go: as `solveStretch`. */
  solveStretch(strain: number, isSqueezed: Uint8Array, swept: Uint8Array, released: Uint8Array): void
  /** Velocities from the way of the substep. */
  finish(dt: number): void
}

export class PlainSweeps implements ClothSweeps {
  readonly positions: Float64Array
  readonly previous: Float64Array
  readonly velocities: Float64Array
  readonly accelerations: Float64Array
  readonly inverseMasses: Float64Array

  constructor(
    vertexCount: number,
    private readonly edges: Stretch,
    private readonly hinges: Bend,
  ) {
    this.positions = new Float64Array(3 * vertexCount)
    this.previous = new Float64Array(3 * vertexCount)
    this.velocities = new Float64Array(3 * vertexCount)
    this.accelerations = new Float64Array(3 * vertexCount)
    this.inverseMasses = new Float64Array(vertexCount)
  }

  weigh(): void {}

  prepare(dt: number): void {
    prepareStretch(this.edges, this.inverseMasses, dt)
    prepareBend(this.hinges, this.inverseMasses, dt)
  }

  damp(share: number): void {
    const { positions, velocities, inverseMasses } = this
    dampStretch(this.edges, positions, velocities, inverseMasses, share)
    dampBend(this.hinges, positions, velocities, inverseMasses, share)
  }

  drift(dt: number, kick: number, keep: number, limit: number): void {
    const { positions: x, velocities: v, previous, accelerations, inverseMasses } = this
    for (let n = 0, i = 0; n < inverseMasses.length; n++, i += 3) {
      previous[i] = x[i]
      previous[i + 1] = x[i + 1]
      previous[i + 2] = x[i + 2]
      if (inverseMasses[n] === 0) continue
      const vx = keep * v[i] + kick * accelerations[i]
      const vy = keep * v[i + 1] + kick * accelerations[i + 1]
      const vz = keep * v[i + 2] + kick * accelerations[i + 2]
      const squared = vx * vx + vy * vy + vz * vz
      let scale = dt
      // Written so that a velocity that is not a number stops the vertex.
      if (!(squared <= limit * limit)) scale = squared < Infinity ? (dt * limit) / Math.sqrt(squared) : 0
      if (scale === 0) continue
      x[i] += scale * vx
      x[i + 1] += scale * vy
      x[i + 2] += scale * vz
    }
  }

  bend(): void {
    solveBend(this.hinges, this.positions)
  }

  solveStretch(strain: number, isSqueezed: Uint8Array, swept: Uint8Array, released: Uint8Array): void {
    solveStretch(this.edges, this.positions, strain, isSqueezed, swept, released)
  }

  finish(dt: number): void {
    const { positions: x, previous, velocities: v } = this
    const rate = 1 / dt
    for (let i = 0; i < x.length; i++) v[i] = (x[i] - previous[i]) * rate
  }
}
