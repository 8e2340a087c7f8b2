/**
 * Contacts of points of a body with obstacles, whatever their fields are: a pressure that grows with depth (energy
 * k/2 depth^2 per area), and Coulomb friction smoothed below a slip speed (Li et al. 2020, IPC, Eq. 11 to 15), with
 * normal forces and directions of the step's beginning. A point that first touches within a step feels friction from the
 * next. All points are asked in one batch.
 *
 * A point is a node, or lies between nodes by weights. Its force is shared by these. Its stiffness k w_i w_j is lumped into
 * blocks k w_i of single nodes, the sums of its rows: exact where the nodes move alike, and too stiff against their turning.
 */
import type { Vec3 } from '../../math/box.js'
import type { Obstacle, SurfaceMotion } from '../obstacle.js'

export interface ContactSettings {
  /** Pressure per depth [Pa/m]. */
  stiffness: number
  /** Coulomb coefficient. */
  friction: number
  /** Speed [m/s] below which friction fades to sticking. */
  slipSpeed: number
}

/** Points of a body's surface that may touch. */
export interface ContactPoints {
  /** How many there are at present. */
  readonly count: number
  /** How many there can be. */
  readonly capacity: number
  /** Nodes that each lies between. */
  readonly nodesEach: number
  /** Those nodes, one point after the other. */
  readonly nodes: Uint32Array
  /** How much of each node: add up to 1. */
  readonly weights: Float64Array
  /** Area that each stands for [m^2]. */
  readonly areas: Float64Array
}

/** What an obstacle does to each point where it was asked last. */
export interface Met {
  /** Distance [m], negative inside; infinite where the field gives no direction. */
  readonly gaps: Float64Array
  /** Unit vectors out of the obstacle. */
  readonly normals: Float64Array
}

/** Friction within a step goes by what was so when it began. */
export interface Began extends Met {
  /** Normal force [N]. */
  readonly forces: Float64Array
  /** How far the obstacle's surface goes within the step [m]. */
  readonly ways: Float64Array
}

/** Gradients shorter than this say nothing about a direction. */
const NO_DIRECTION = 1e-6

export class PointContacts {
  private obstacles: readonly Obstacle[] = []
  private met: Met[] = []
  /** Of each obstacle, as it was when the step began. */
  began: readonly Began[] = []
  private slip = 0
  /** Of each point with the obstacle of the last `addLinearForces`: the velocity of its surface [m/s]. */
  readonly velocities: Float64Array
  private readonly places: Float64Array
  /** Of each point: a motion of the body there. */
  private readonly motions: Float64Array

  constructor(
    readonly points: ContactPoints,
    private readonly settings: ContactSettings,
  ) {
    this.places = new Float64Array(3 * points.capacity)
    this.velocities = new Float64Array(3 * points.capacity)
    this.motions = new Float64Array(3 * points.capacity)
  }

  setObstacles(obstacles: readonly Obstacle[]): void {
    const { capacity } = this.points
    const met = (): Met => ({ gaps: new Float64Array(capacity), normals: new Float64Array(3 * capacity) })
    this.obstacles = obstacles
    this.met = obstacles.map(met)
    this.began = obstacles.map(() => ({
      ...met(),
      forces: new Float64Array(capacity),
      ways: new Float64Array(3 * capacity),
    }))
  }

  /** How far the deepest point is inside an obstacle [m]; 0 if none is. */
  deepest(x: Float64Array): number {
    let depth = 0
    this.forEachContact(x, (_s, gap) => {
      depth = Math.max(depth, -gap)
    })
    return depth
  }

  /** Remembers the normal forces that friction within the coming step goes by. */
  begin(x: Float64Array, step: number): void {
    const { stiffness, slipSpeed } = this.settings
    this.slip = slipSpeed * step
    for (const [o, { motion }] of this.obstacles.entries()) {
      const { gaps, normals, forces, ways } = this.began[o]
      const { count } = this.points
      this.ask(o, x, this.began[o])
      if (motion) {
        velocitiesOf(motion, this.places, normals, count, ways)
        for (let i = 0; i < 3 * count; i++) ways[i] *= step
      }
      for (let s = 0; s < count; s++) {
        // The field is already where it will be at the end of the step; normal forces are those of its beginning.
        forces[s] = stiffness * this.points.areas[s] * Math.max(0, -gaps[s] - outwardPart(ways, normals, 3 * s))
      }
    }
  }

  /** Energy [J] of depth alone. */
  depthEnergy(x: Float64Array): number {
    let energy = 0
    this.forEachContact(x, (s, gap) => {
      energy += (this.settings.stiffness / 2) * this.points.areas[s] * gap * gap
    })
    return energy
  }

  /** Energy [J] of depth, and of friction over the way from `start`, where the step began. */
  energy(x: Float64Array, start: Float64Array): number {
    const { friction } = this.settings
    let energy = this.depthEnergy(x)
    this.forEachSlide(x, start, (_s, slide, force) => {
      const y = slide / this.slip
      energy += friction * force * (y < 1 ? this.slip * (y * y - (y * y * y) / 3 + 1 / 3) : slide)
    })
    return energy
  }

  /** Adds forces, and their derivative's negative to the nodes' own blocks (six numbers per node, as in block-matrix.ts). */
  addForces(x: Float64Array, start: Float64Array, forces: Float64Array, blocks?: Float64Array): void {
    const { stiffness, friction } = this.settings
    this.forEachContact(x, (s, gap, normals) => {
      const k = stiffness * this.points.areas[s]
      this.push(forces, s, -k * gap, normals)
      if (blocks) this.stiffen(blocks, s, k, 0, normals)
    })
    this.forEachSlide(x, start, (s, slide, force, normals, dx, dy, dz) => {
      // Force over way; the part along the way is softer, which the full value bounds from above.
      const drag = friction * force * (slide < this.slip ? (2 - slide / this.slip) / this.slip : 1 / slide)
      const { nodesEach, nodes, weights } = this.points
      for (let j = nodesEach * s; j < nodesEach * (s + 1); j++) {
        const i = 3 * nodes[j]
        const share = drag * weights[j]
        forces[i] -= share * dx
        forces[i + 1] -= share * dy
        forces[i + 2] -= share * dz
      }
      if (blocks) this.stiffen(blocks, s, 0, drag, normals)
    })
  }

  /**
   * The same for a single linear solve from `x` with velocities `v`: contacts that the coming step would enter push
   * already, with the force that they have where it ends; friction brakes by what it would be at the present speed.
   * @param o          which obstacle
   * @param gravity    [m/s^2]
   * @param remaining  until obstacles are where their fields have them [s]: `step`, or more where a frame has several
   * @param known      gaps and normals, if the points have been asked
   * @returns gaps and normals
   */
  addLinearForces(
    o: number,
    x: Float64Array,
    v: Float64Array,
    gravity: Vec3,
    step: number,
    remaining: number,
    forces: Float64Array,
    blocks: Float64Array,
    known?: Met,
  ): Met {
    const { stiffness, friction, slipSpeed } = this.settings
    const { motions, velocities: u, points } = this
    const { motion } = this.obstacles[o]
    if (known) this.gather(x, this.places)
    const met = known ?? this.ask(o, x, this.met[o])
    const { gaps, normals } = met
    u.fill(0, 0, 3 * points.count)
    if (motion) velocitiesOf(motion, this.places, normals, points.count, u)
    this.gather(v, motions)
    for (let s = 0; s < points.count; s++) {
      const n = 3 * s
      // Relative to the obstacle.
      const vx = motions[n] - u[n]
      const vy = motions[n + 1] - u[n + 1]
      const vz = motions[n + 2] - u[n + 2]
      // The field is already where it will be; this is the gap to where it is.
      const gap = gaps[s] + remaining * outwardPart(u, normals, n)
      if (!(gap < step * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz)))) continue
      const approach = vx * normals[n] + vy * normals[n + 1] + vz * normals[n + 2]
      // One that is there holds on for a little, and while gravity would bring it back: let go, it would fall for a step
      // and be thrown up in the next, and a block of rubber bounced at 9 cm/s for ever. What is lifted slowly it holds back for two steps.
      const fall = gravity[0] * normals[n] + gravity[1] * normals[n + 1] + gravity[2] * normals[n + 2]
      const leaving = gap < 0 ? approach + step * Math.min(0, fall) : approach
      if (!(gap + step * leaving < Math.max(0, -gap))) continue
      const k = stiffness * points.areas[s]
      this.push(forces, s, -k * gap, normals)
      const slide = Math.sqrt(Math.max(0, vx * vx + vy * vy + vz * vz - approach * approach))
      const perSpeed = slide < slipSpeed ? (2 - slide / slipSpeed) / slipSpeed : 1 / slide
      const drag = (friction * k * Math.max(0, -gap) * perSpeed) / step
      this.stiffen(blocks, s, k, drag, normals)
      if (!motion) continue
      // The solve brakes by step * v; what the obstacle moves of that is no braking.
      this.carry(forces, s, step, k, drag, normals)
    }
    return met
  }

  private forEachContact(x: Float64Array, visit: (s: number, gap: number, normals: Float64Array) => void): void {
    for (let o = 0; o < this.obstacles.length; o++) {
      const { gaps, normals } = this.ask(o, x, this.met[o])
      for (let s = 0; s < this.points.count; s++) if (gaps[s] < 0) visit(s, gaps[s], normals)
    }
  }

  /** Visits points that were in contact at `start`, with the way they have slid since, across the normal of then. */
  private forEachSlide(
    x: Float64Array,
    start: Float64Array,
    visit: (s: number, slide: number, force: number, normals: Float64Array, dx: number, dy: number, dz: number) => void,
  ): void {
    if (this.settings.friction === 0) return
    const { points, places, motions } = this
    this.gather(x, places)
    this.gather(start, motions)
    for (const { forces, normals, ways } of this.began) {
      for (let s = 0; s < points.count; s++) {
        if (!(forces[s] > 0)) continue
        const n = 3 * s
        let dx = places[n] - motions[n] - ways[n]
        let dy = places[n + 1] - motions[n + 1] - ways[n + 1]
        let dz = places[n + 2] - motions[n + 2] - ways[n + 2]
        const along = dx * normals[n] + dy * normals[n + 1] + dz * normals[n + 2]
        dx -= along * normals[n]
        dy -= along * normals[n + 1]
        dz -= along * normals[n + 2]
        visit(s, Math.sqrt(dx * dx + dy * dy + dz * dz), forces[s], normals, dx, dy, dz)
      }
    }
  }

  /** Gaps and normals of all points. */
  private ask(o: number, x: Float64Array, met: Met): Met {
    const { places, points } = this
    const { gaps, normals } = met
    this.gather(x, places)
    this.obstacles[o].field.query(places, points.count, gaps, normals)
    for (let s = 0, n = 0; s < points.count; s++, n += 3) {
      const squared = normals[n] ** 2 + normals[n + 1] ** 2 + normals[n + 2] ** 2
      if (squared === 1) continue
      const length = Math.sqrt(squared)
      if (!(length > NO_DIRECTION && length < Infinity)) {
        gaps[s] = Infinity
        continue
      }
      normals[n] /= length
      normals[n + 1] /= length
      normals[n + 2] /= length
    }
    return met
  }

  /** What nodes have, at the points between them. */
  private gather(ofNodes: Float64Array, out: Float64Array): void {
    const { count, nodesEach, nodes, weights } = this.points
    for (let s = 0, j = 0; s < count; s++) {
      let x = weights[j] * ofNodes[3 * nodes[j]]
      let y = weights[j] * ofNodes[3 * nodes[j] + 1]
      let z = weights[j] * ofNodes[3 * nodes[j] + 2]
      for (j++; j < nodesEach * (s + 1); j++) {
        x += weights[j] * ofNodes[3 * nodes[j]]
        y += weights[j] * ofNodes[3 * nodes[j] + 1]
        z += weights[j] * ofNodes[3 * nodes[j] + 2]
      }
      out[3 * s] = x
      out[3 * s + 1] = y
      out[3 * s + 2] = z
    }
  }

  private push(forces: Float64Array, s: number, force: number, normals: Float64Array): void {
    const { nodesEach, nodes, weights } = this.points
    for (let j = nodesEach * s; j < nodesEach * (s + 1); j++) {
      const i = 3 * nodes[j]
      const share = weights[j] * force
      forces[i] += share * normals[3 * s]
      forces[i + 1] += share * normals[3 * s + 1]
      forces[i + 2] += share * normals[3 * s + 2]
    }
  }

  /** Adds w (k n n^T + drag (I - n n^T)) to each node's block. */
  private stiffen(blocks: Float64Array, s: number, k: number, drag: number, normals: Float64Array): void {
    const { nodesEach, nodes, weights } = this.points
    const nx = normals[3 * s]
    const ny = normals[3 * s + 1]
    const nz = normals[3 * s + 2]
    for (let j = nodesEach * s; j < nodesEach * (s + 1); j++) {
      const d = 6 * nodes[j]
      const across = weights[j] * drag
      const along = weights[j] * (k - drag)
      blocks[d] += across + along * nx * nx
      blocks[d + 1] += along * nx * ny
      blocks[d + 2] += along * nx * nz
      blocks[d + 3] += across + along * ny * ny
      blocks[d + 4] += along * ny * nz
      blocks[d + 5] += across + along * nz * nz
    }
  }

  /** Adds step (k n n^T + drag (I - n n^T)) u: the force of what is stiffened, were the point to go with the obstacle. */
  private carry(forces: Float64Array, s: number, step: number, k: number, drag: number, normals: Float64Array): void {
    const { nodesEach, nodes, weights } = this.points
    const { velocities: u } = this
    const n = 3 * s
    const outward = (k - drag) * outwardPart(u, normals, n)
    for (let j = nodesEach * s; j < nodesEach * (s + 1); j++) {
      for (let axis = 0; axis < 3; axis++) {
        const force = step * (drag * u[n + axis] + outward * normals[n + axis])
        forces[3 * nodes[j] + axis] += weights[j] * force
      }
    }
  }
}

function outwardPart(vectors: Float64Array, normals: Float64Array, n: number): number {
  return vectors[n] * normals[n] + vectors[n + 1] * normals[n + 1] + vectors[n + 2] * normals[n + 2]
}

/** What is not finite stands still. */
function velocitiesOf(
  motion: SurfaceMotion,
  places: Float64Array,
  normals: Float64Array,
  count: number,
  out: Float64Array,
): void {
  motion.velocity(places, normals, count, out)
  for (let i = 0; i < 3 * count; i++) if (!Number.isFinite(out[i])) out[i] = 0
}
