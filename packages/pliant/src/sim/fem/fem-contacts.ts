/**
 * Contacts of a body's surface nodes with the ground and with spheres: a pressure that grows with depth (energy k/2
 * depth^2 per node), and Coulomb friction smoothed below a slip speed (Li et al. 2020, IPC, Eq. 11 to 15), with normal
 * forces and directions of the step's beginning. A node that first touches within a step feels friction from the next.
 */
import type { Vec3 } from '../../math/box.js'
import { shown } from '../../math/require.js'
import { isVector, POSITIVE } from '../../math/settings.js'

/** What a body may lie on. A plane is solid behind its normal, a sphere inside. */
export type FemObstacle =
  | { kind: 'plane'; point: Vec3; normal: Vec3 }
  | { kind: 'sphere'; centre: Vec3; radius: number }

export interface ContactSettings {
  /** Pressure per depth [Pa/m]. */
  stiffness: number
  /** Coulomb coefficient. */
  friction: number
  /** Speed [m/s] below which friction fades to sticking. */
  slipSpeed: number
}

export class FemContacts {
  private obstacles: readonly FemObstacle[] = []
  /** Normal force [N] of each obstacle and surface node when the step began. */
  private normalForces = new Float64Array(0)
  private slip = 0
  // The contact that `meets` last found.
  private gap = 0
  private nx = 0
  private ny = 0
  private nz = 0

  /**
   * @param nodes  of the surface
   * @param areas  [m^2] that each of them stands for
   */
  constructor(
    private readonly nodes: Uint32Array,
    private readonly areas: Float64Array,
    private readonly settings: ContactSettings,
  ) {}

  /** @throws RangeError if an obstacle is not finite or has no size */
  setObstacles(obstacles: readonly FemObstacle[]): void {
    this.obstacles = obstacles.map((obstacle, o) => checked(obstacle, o))
    this.normalForces = new Float64Array(obstacles.length * this.nodes.length)
  }

  /** How far the deepest surface node is inside an obstacle [m]; 0 if none is. */
  deepest(x: Float64Array): number {
    let depth = 0
    this.forEachContact(x, () => {
      depth = Math.max(depth, -this.gap)
    })
    return depth
  }

  /** Remembers the normal forces that friction within the coming step goes by. */
  begin(x: Float64Array, step: number): void {
    const { stiffness, slipSpeed } = this.settings
    this.slip = slipSpeed * step
    this.normalForces.fill(0)
    this.forEachContact(x, (s, o) => {
      this.normalForces[o * this.nodes.length + s] = -stiffness * this.areas[s] * this.gap
    })
  }

  /** Energy [J] of depth alone. */
  depthEnergy(x: Float64Array): number {
    let energy = 0
    this.forEachContact(x, (s) => {
      energy += (this.settings.stiffness / 2) * this.areas[s] * this.gap * this.gap
    })
    return energy
  }

  /** Energy [J] of depth, and of friction over the way from `start`, where the step began. */
  energy(x: Float64Array, start: Float64Array): number {
    const { friction } = this.settings
    let energy = this.depthEnergy(x)
    this.forEachSlide(x, start, (_node, slide, force) => {
      const y = slide / this.slip
      energy += friction * force * (y < 1 ? this.slip * (y * y - (y * y * y) / 3 + 1 / 3) : slide)
    })
    return energy
  }

  /** Adds forces, and their derivative's negative to the nodes' own blocks (six numbers per node, as in block-matrix.ts). */
  addForces(x: Float64Array, start: Float64Array, forces: Float64Array, blocks?: Float64Array): void {
    const { stiffness, friction } = this.settings
    this.forEachContact(x, (s) => {
      const k = stiffness * this.areas[s]
      this.push(forces, this.nodes[s], -k * this.gap)
      if (blocks) this.stiffen(blocks, this.nodes[s], k, 0)
    })
    this.forEachSlide(x, start, (node, slide, force, dx, dy, dz) => {
      // Force over way; the part along the way is softer, which the full value bounds from above.
      const drag = friction * force * (slide < this.slip ? (2 - slide / this.slip) / this.slip : 1 / slide)
      forces[3 * node] -= drag * dx
      forces[3 * node + 1] -= drag * dy
      forces[3 * node + 2] -= drag * dz
      if (blocks) this.stiffen(blocks, node, 0, drag)
    })
  }

  /**
   * The same for a single linear solve from `x` with velocities `v`: contacts that the coming step would enter push
   * already, with the force that they have where it ends; friction brakes by what it would be at the present speed.
   * @param gravity [m/s^2]
   */
  addLinearForces(
    x: Float64Array,
    v: Float64Array,
    gravity: Vec3,
    step: number,
    forces: Float64Array,
    blocks: Float64Array,
  ): void {
    const { stiffness, friction, slipSpeed } = this.settings
    for (const obstacle of this.obstacles) {
      for (let s = 0; s < this.nodes.length; s++) {
        const node = this.nodes[s]
        const i = 3 * node
        const reach = step * (Math.abs(v[i]) + Math.abs(v[i + 1]) + Math.abs(v[i + 2]))
        if (!this.meets(obstacle, x, node, reach)) continue
        const approach = v[i] * this.nx + v[i + 1] * this.ny + v[i + 2] * this.nz
        // One that is there holds on for a little, and while gravity would bring it back: let go, it would fall for a step
        // and be thrown up in the next, and a block of rubber bounced at 9 cm/s for ever. What is lifted slowly it holds back for two steps.
        const fall = gravity[0] * this.nx + gravity[1] * this.ny + gravity[2] * this.nz
        const leaving = this.gap < 0 ? approach + step * Math.min(0, fall) : approach
        if (!(this.gap + step * leaving < Math.max(0, -this.gap))) continue
        const k = stiffness * this.areas[s]
        this.push(forces, node, -k * this.gap)
        const slide = Math.sqrt(Math.max(0, v[i] ** 2 + v[i + 1] ** 2 + v[i + 2] ** 2 - approach ** 2))
        const perSpeed = slide < slipSpeed ? (2 - slide / slipSpeed) / slipSpeed : 1 / slide
        const drag = (friction * k * Math.max(0, -this.gap) * perSpeed) / step
        this.stiffen(blocks, node, k, drag)
      }
    }
  }

  private forEachContact(x: Float64Array, visit: (surfaceNode: number, obstacle: number) => void): void {
    for (let o = 0; o < this.obstacles.length; o++) {
      for (let s = 0; s < this.nodes.length; s++) if (this.meets(this.obstacles[o], x, this.nodes[s], 0)) visit(s, o)
    }
  }

  /** Visits nodes that were in contact at `start`, with the way they have slid since, across the normal of then. */
  private forEachSlide(
    x: Float64Array,
    start: Float64Array,
    visit: (node: number, slide: number, force: number, dx: number, dy: number, dz: number) => void,
  ): void {
    if (this.settings.friction === 0) return
    for (let at = 0; at < this.normalForces.length; at++) {
      if (!(this.normalForces[at] > 0)) continue
      const node = this.nodes[at % this.nodes.length]
      this.meets(this.obstacles[Math.trunc(at / this.nodes.length)], start, node, 0)
      const i = 3 * node
      let dx = x[i] - start[i]
      let dy = x[i + 1] - start[i + 1]
      let dz = x[i + 2] - start[i + 2]
      const along = dx * this.nx + dy * this.ny + dz * this.nz
      dx -= along * this.nx
      dy -= along * this.ny
      dz -= along * this.nz
      visit(node, Math.sqrt(dx * dx + dy * dy + dz * dz), this.normalForces[at], dx, dy, dz)
    }
  }

  /** Whether a node is less than `reach` from an obstacle; sets gap (negative inside) and normal if so. */
  private meets(obstacle: FemObstacle, x: Float64Array, node: number, reach: number): boolean {
    const i = 3 * node
    if (obstacle.kind === 'plane') {
      const { point, normal } = obstacle
      this.gap = (x[i] - point[0]) * normal[0] + (x[i + 1] - point[1]) * normal[1] + (x[i + 2] - point[2]) * normal[2]
      if (!(this.gap < reach)) return false
      this.nx = normal[0]
      this.ny = normal[1]
      this.nz = normal[2]
      return true
    }
    const { centre, radius } = obstacle
    const dx = x[i] - centre[0]
    const dy = x[i + 1] - centre[1]
    const dz = x[i + 2] - centre[2]
    const squared = dx * dx + dy * dy + dz * dz
    if (!(squared < (radius + reach) ** 2)) return false
    const distance = Math.sqrt(squared)
    this.gap = distance - radius
    // In the very centre every way out is as good.
    this.nx = distance > 0 ? dx / distance : 0
    this.ny = distance > 0 ? dy / distance : 1
    this.nz = distance > 0 ? dz / distance : 0
    return true
  }

  private push(forces: Float64Array, node: number, force: number): void {
    forces[3 * node] += force * this.nx
    forces[3 * node + 1] += force * this.ny
    forces[3 * node + 2] += force * this.nz
  }

  /** Adds k n n^T + drag (I - n n^T). */
  private stiffen(blocks: Float64Array, node: number, k: number, drag: number): void {
    const { nx, ny, nz } = this
    const d = 6 * node
    const along = k - drag
    blocks[d] += drag + along * nx * nx
    blocks[d + 1] += along * nx * ny
    blocks[d + 2] += along * nx * nz
    blocks[d + 3] += drag + along * ny * ny
    blocks[d + 4] += along * ny * nz
    blocks[d + 5] += drag + along * nz * nz
  }
}

function checked(obstacle: FemObstacle, index: number): FemObstacle {
  const kind: unknown = obstacle?.kind
  if (kind !== 'plane' && kind !== 'sphere') {
    throw new RangeError(`fem: obstacle ${index} is ${shown(kind ?? obstacle)}; give a 'plane' or a 'sphere'.`)
  }
  if (obstacle.kind === 'plane') {
    const [x, y, z] = isVector(obstacle.normal) ? obstacle.normal : [0, 0, 0]
    const length = Math.hypot(x, y, z)
    if (!(length > 0 && length < Infinity)) {
      throw new RangeError(`fem: obstacle ${index}, a plane, has normal ${shown(obstacle.normal)}; give a direction.`)
    }
    requirePlace(obstacle.point, `obstacle ${index}, a plane, has point`)
    return { kind: 'plane', point: obstacle.point, normal: [x / length, y / length, z / length] }
  }
  if (!POSITIVE.fits(obstacle.radius)) {
    throw new RangeError(`fem: obstacle ${index}, a sphere, has radius ${shown(obstacle.radius)}; give a positive one.`)
  }
  requirePlace(obstacle.centre, `obstacle ${index}, a sphere, has centre`)
  return obstacle
}

function requirePlace(place: unknown, what: string): void {
  if (!isVector(place)) throw new RangeError(`fem: ${what} ${shown(place)}; give three finite numbers.`)
}
