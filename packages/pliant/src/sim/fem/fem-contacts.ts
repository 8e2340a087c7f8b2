/**
 * Contacts of a body's surface nodes with obstacles, whatever their fields are: a pressure that grows with depth (energy
 * k/2 depth^2 per node), and Coulomb friction smoothed below a slip speed (Li et al. 2020, IPC, Eq. 11 to 15), with
 * normal forces and directions of the step's beginning. A node that first touches within a step feels friction from the
 * next. All surface nodes are asked in one batch.
 */
import type { Vec3 } from '../../math/box.js'
import { shown } from '../../math/require.js'
import type { Obstacle, SurfaceMotion } from '../obstacle.js'

export interface ContactSettings {
  /** Pressure per depth [Pa/m]. */
  stiffness: number
  /** Coulomb coefficient. */
  friction: number
  /** Speed [m/s] below which friction fades to sticking. */
  slipSpeed: number
}

/** What an obstacle does to each surface node where it was asked last. */
interface Met {
  /** Distance [m], negative inside; infinite where the field gives no direction. */
  readonly gaps: Float64Array
  /** Unit vectors out of the obstacle. */
  readonly normals: Float64Array
}

/** Friction within a step goes by what was so when it began. */
interface Began extends Met {
  /** Normal force [N]. */
  readonly forces: Float64Array
  /** How far the obstacle's surface goes within the step [m]. */
  readonly ways: Float64Array
}

/** Gradients shorter than this say nothing about a direction. */
const NO_DIRECTION = 1e-6

export class FemContacts {
  private obstacles: readonly Obstacle[] = []
  private met: Met[] = []
  private began: Began[] = []
  private slip = 0
  private readonly places: Float64Array
  private readonly velocities: Float64Array

  /**
   * @param nodes  of the surface
   * @param areas  [m^2] that each of them stands for
   */
  constructor(
    private readonly nodes: Uint32Array,
    private readonly areas: Float64Array,
    private readonly settings: ContactSettings,
  ) {
    this.places = new Float64Array(3 * nodes.length)
    this.velocities = new Float64Array(3 * nodes.length)
  }

  /** @throws RangeError if an obstacle has no field */
  setObstacles(obstacles: readonly Obstacle[]): void {
    for (const [o, obstacle] of obstacles.entries()) {
      if (typeof obstacle?.field?.query === 'function') continue
      throw new RangeError(`fem: obstacle ${o} is ${shown(obstacle)}; give { field }, a signed field in the world.`)
    }
    const { length } = this.nodes
    const met = (): Met => ({ gaps: new Float64Array(length), normals: new Float64Array(3 * length) })
    this.obstacles = obstacles
    this.met = obstacles.map(met)
    this.began = obstacles.map(() => ({
      ...met(),
      forces: new Float64Array(length),
      ways: new Float64Array(3 * length),
    }))
  }

  /** How far the deepest surface node is inside an obstacle [m]; 0 if none is. */
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
      this.ask(o, x, this.began[o])
      if (motion) {
        velocitiesOf(motion, this.places, normals, ways)
        for (let i = 0; i < ways.length; i++) ways[i] *= step
      }
      for (let s = 0; s < gaps.length; s++) {
        // The field is already where it will be at the end of the step; normal forces are those of its beginning.
        forces[s] = stiffness * this.areas[s] * Math.max(0, -gaps[s] - outwardPart(ways, normals, 3 * s))
      }
    }
  }

  /** Energy [J] of depth alone. */
  depthEnergy(x: Float64Array): number {
    let energy = 0
    this.forEachContact(x, (s, gap) => {
      energy += (this.settings.stiffness / 2) * this.areas[s] * gap * gap
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
      const k = stiffness * this.areas[s]
      push(forces, this.nodes[s], -k * gap, normals, 3 * s)
      if (blocks) stiffen(blocks, this.nodes[s], k, 0, normals, 3 * s)
    })
    this.forEachSlide(x, start, (s, slide, force, normals, dx, dy, dz) => {
      // Force over way; the part along the way is softer, which the full value bounds from above.
      const drag = friction * force * (slide < this.slip ? (2 - slide / this.slip) / this.slip : 1 / slide)
      const node = this.nodes[s]
      forces[3 * node] -= drag * dx
      forces[3 * node + 1] -= drag * dy
      forces[3 * node + 2] -= drag * dz
      if (blocks) stiffen(blocks, node, 0, drag, normals, 3 * s)
    })
  }

  /**
   * The same for a single linear solve from `x` with velocities `v`: contacts that the coming step would enter push
   * already, with the force that they have where it ends; friction brakes by what it would be at the present speed.
   * @param gravity    [m/s^2]
   * @param remaining  until obstacles are where their fields have them [s]: `step`, or more where a frame has several
   */
  addLinearForces(
    x: Float64Array,
    v: Float64Array,
    gravity: Vec3,
    step: number,
    remaining: number,
    forces: Float64Array,
    blocks: Float64Array,
  ): void {
    const { stiffness, friction, slipSpeed } = this.settings
    const u = this.velocities
    for (const [o, { motion }] of this.obstacles.entries()) {
      const { gaps, normals } = this.ask(o, x, this.met[o])
      u.fill(0)
      if (motion) velocitiesOf(motion, this.places, normals, u)
      for (let s = 0; s < this.nodes.length; s++) {
        const node = this.nodes[s]
        const i = 3 * node
        const n = 3 * s
        // Relative to the obstacle.
        const vx = v[i] - u[n]
        const vy = v[i + 1] - u[n + 1]
        const vz = v[i + 2] - u[n + 2]
        // The field is already where it will be; this is the gap to where it is.
        const gap = gaps[s] + remaining * outwardPart(u, normals, n)
        if (!(gap < step * (Math.abs(vx) + Math.abs(vy) + Math.abs(vz)))) continue
        const approach = vx * normals[n] + vy * normals[n + 1] + vz * normals[n + 2]
        // One that is there holds on for a little, and while gravity would bring it back: let go, it would fall for a step
        // and be thrown up in the next, and a block of rubber bounced at 9 cm/s for ever. What is lifted slowly it holds back for two steps.
        const fall = gravity[0] * normals[n] + gravity[1] * normals[n + 1] + gravity[2] * normals[n + 2]
        const leaving = gap < 0 ? approach + step * Math.min(0, fall) : approach
        if (!(gap + step * leaving < Math.max(0, -gap))) continue
        const k = stiffness * this.areas[s]
        push(forces, node, -k * gap, normals, n)
        const slide = Math.sqrt(Math.max(0, vx * vx + vy * vy + vz * vz - approach * approach))
        const perSpeed = slide < slipSpeed ? (2 - slide / slipSpeed) / slipSpeed : 1 / slide
        const drag = (friction * k * Math.max(0, -gap) * perSpeed) / step
        stiffen(blocks, node, k, drag, normals, n)
        if (!motion) continue
        // The solve brakes by step * v; what the obstacle moves of that is no braking.
        carry(forces, node, step, k, drag, u, normals, n)
      }
    }
  }

  private forEachContact(x: Float64Array, visit: (s: number, gap: number, normals: Float64Array) => void): void {
    for (let o = 0; o < this.obstacles.length; o++) {
      const { gaps, normals } = this.ask(o, x, this.met[o])
      for (let s = 0; s < gaps.length; s++) if (gaps[s] < 0) visit(s, gaps[s], normals)
    }
  }

  /** Visits nodes that were in contact at `start`, with the way they have slid since, across the normal of then. */
  private forEachSlide(
    x: Float64Array,
    start: Float64Array,
    visit: (s: number, slide: number, force: number, normals: Float64Array, dx: number, dy: number, dz: number) => void,
  ): void {
    if (this.settings.friction === 0) return
    for (const { forces, normals, ways } of this.began) {
      for (let s = 0; s < forces.length; s++) {
        if (!(forces[s] > 0)) continue
        const i = 3 * this.nodes[s]
        const n = 3 * s
        let dx = x[i] - start[i] - ways[n]
        let dy = x[i + 1] - start[i + 1] - ways[n + 1]
        let dz = x[i + 2] - start[i + 2] - ways[n + 2]
        const along = dx * normals[n] + dy * normals[n + 1] + dz * normals[n + 2]
        dx -= along * normals[n]
        dy -= along * normals[n + 1]
        dz -= along * normals[n + 2]
        visit(s, Math.sqrt(dx * dx + dy * dy + dz * dz), forces[s], normals, dx, dy, dz)
      }
    }
  }

  /** Gaps and normals of all surface nodes. */
  private ask(o: number, x: Float64Array, met: Met): Met {
    const { nodes, places } = this
    const { gaps, normals } = met
    for (let s = 0; s < nodes.length; s++) {
      const i = 3 * nodes[s]
      places[3 * s] = x[i]
      places[3 * s + 1] = x[i + 1]
      places[3 * s + 2] = x[i + 2]
    }
    this.obstacles[o].field.query(places, nodes.length, gaps, normals)
    for (let s = 0, n = 0; s < nodes.length; s++, n += 3) {
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
}

function outwardPart(vectors: Float64Array, normals: Float64Array, n: number): number {
  return vectors[n] * normals[n] + vectors[n + 1] * normals[n + 1] + vectors[n + 2] * normals[n + 2]
}

/** What is not finite stands still. */
function velocitiesOf(motion: SurfaceMotion, places: Float64Array, normals: Float64Array, out: Float64Array): void {
  motion.velocity(places, normals, places.length / 3, out)
  for (let i = 0; i < out.length; i++) if (!Number.isFinite(out[i])) out[i] = 0
}

function push(forces: Float64Array, node: number, force: number, normals: Float64Array, n: number): void {
  forces[3 * node] += force * normals[n]
  forces[3 * node + 1] += force * normals[n + 1]
  forces[3 * node + 2] += force * normals[n + 2]
}

/** Adds k n n^T + drag (I - n n^T). */
function stiffen(blocks: Float64Array, node: number, k: number, drag: number, normals: Float64Array, n: number): void {
  const [nx, ny, nz] = [normals[n], normals[n + 1], normals[n + 2]]
  const d = 6 * node
  const along = k - drag
  blocks[d] += drag + along * nx * nx
  blocks[d + 1] += along * nx * ny
  blocks[d + 2] += along * nx * nz
  blocks[d + 3] += drag + along * ny * ny
  blocks[d + 4] += along * ny * nz
  blocks[d + 5] += drag + along * nz * nz
}

/** Adds step (k n n^T + drag (I - n n^T)) u: the force of what is stiffened, were the node to go with the obstacle. */
function carry(
  forces: Float64Array,
  node: number,
  step: number,
  k: number,
  drag: number,
  u: Float64Array,
  normals: Float64Array,
  n: number,
): void {
  const outward = (k - drag) * outwardPart(u, normals, n)
  for (let axis = 0; axis < 3; axis++) {
    forces[3 * node + axis] += step * (drag * u[n + axis] + outward * normals[n + axis])
  }
}
