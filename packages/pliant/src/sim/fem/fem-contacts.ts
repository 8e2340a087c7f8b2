/**
 * Contacts of a body with obstacles: of the nodes of its surface, and with the option `contact: 'surface'` of the deepest
 * places of its edges and triangles between them, too (detect/surface), all by the law of point-contacts.ts.
 *
 * What lies between nodes is found once a step, where it begins. A step that is searched (newton-stepper.ts) keeps to the
 * places of the body that were found then.
 */
import { SurfaceMinima } from '../../detect/surface/surface-minima.js'
import type { MeetsAt } from '../../detect/surface/surface-places.js'
import type { Vec3 } from '../../math/box.js'
import { shown } from '../../math/require.js'
import type { TetSurface } from '../../mesh/tet-mesh.js'
import { vertexAreas } from '../../mesh/vertex-areas.js'
import type { Obstacle } from '../obstacle.js'
import { type ContactPoints, type ContactSettings, type Met, PointContacts } from './point-contacts.js'

export class FemContacts {
  private obstacles: readonly Obstacle[] = []
  private readonly nodes: PointContacts
  /** Of each obstacle. */
  private between: BetweenNodes[] = []
  private readonly nodeAreas: Float64Array
  private readonly triangles: Uint32Array

  /** @param nodeCount  of the whole body */
  constructor(
    surface: TetSurface,
    private readonly nodeCount: number,
    private readonly settings: ContactSettings & { contact: MeetsAt },
  ) {
    const areas = vertexAreas(surface.positions, surface.triangles)
    const { nodeOfVertex } = surface
    this.nodes = new PointContacts(nodePoints(nodeOfVertex, areas), settings)
    this.nodeAreas = new Float64Array(nodeCount)
    for (let s = 0; s < areas.length; s++) this.nodeAreas[nodeOfVertex[s]] = areas[s]
    this.triangles = surface.triangles.map((vertex) => nodeOfVertex[vertex])
  }

  /** @throws RangeError if an obstacle has no field */
  setObstacles(obstacles: readonly Obstacle[]): void {
    for (const [o, obstacle] of obstacles.entries()) {
      if (typeof obstacle?.field?.query === 'function') continue
      throw new RangeError(`fem: obstacle ${o} is ${shown(obstacle)}; give { field }, a signed field in the world.`)
    }
    const { settings, nodeCount, triangles, nodeAreas } = this
    this.obstacles = obstacles
    this.nodes.setObstacles(obstacles)
    if (settings.contact === 'points') return
    // Obstacles that come and go every frame find what there is.
    while (this.between.length < obstacles.length) {
      this.between.push(new BetweenNodes(triangles, nodeCount, nodeAreas, settings))
    }
    this.between.length = obstacles.length
    obstacles.forEach((obstacle, o) => {
      this.between[o].setObstacle(obstacle)
    })
  }

  /** How far the deepest surface node is inside an obstacle [m]; 0 if none is. */
  deepest(x: Float64Array): number {
    return this.nodes.deepest(x)
  }

  /** Remembers the normal forces that friction within the coming step goes by. @param v  velocities [m/s] */
  begin(x: Float64Array, v: Float64Array, step: number): void {
    this.nodes.begin(x, step)
    for (const [o, between] of this.between.entries()) {
      const { points, began } = this.nodes
      between.find(x, v, step, points.nodes, began[o].gaps, began[o].ways, 1, 1, between.reach)
      between.contacts.begin(x, step)
    }
  }

  /** Energy [J] of depth alone. */
  depthEnergy(x: Float64Array): number {
    let energy = this.nodes.depthEnergy(x)
    for (const { contacts } of this.between) energy += contacts.depthEnergy(x)
    return energy
  }

  /** Energy [J] of depth, and of friction over the way from `start`, where the step began. */
  energy(x: Float64Array, start: Float64Array): number {
    let energy = this.nodes.energy(x, start)
    for (const { contacts } of this.between) energy += contacts.energy(x, start)
    return energy
  }

  /** Adds forces, and their derivative's negative to the nodes' own blocks (six numbers per node, as in block-matrix.ts). */
  addForces(x: Float64Array, start: Float64Array, forces: Float64Array, blocks?: Float64Array): void {
    this.nodes.addForces(x, start, forces, blocks)
    for (const { contacts } of this.between) contacts.addForces(x, start, forces, blocks)
  }

  /** The same for a single linear solve from `x` with velocities `v` (`PointContacts.addLinearForces`). */
  addLinearForces(
    x: Float64Array,
    v: Float64Array,
    gravity: Vec3,
    step: number,
    remaining: number,
    forces: Float64Array,
    blocks: Float64Array,
  ): void {
    for (let o = 0; o < this.obstacles.length; o++) {
      const met = this.nodes.addLinearForces(o, x, v, gravity, step, remaining, forces, blocks)
      if (this.between.length === 0) continue
      const between = this.between[o]
      const { points, velocities } = this.nodes
      const found = between.find(x, v, step, points.nodes, met.gaps, velocities, step, remaining, 0)
      between.contacts.addLinearForces(0, x, v, gravity, step, remaining, forces, blocks, found)
    }
  }
}

/** Contacts with one obstacle between nodes. */
class BetweenNodes {
  readonly contacts: PointContacts
  /** How far ahead a step that is searched looks [m]: about as far as nodes lie apart. */
  readonly reach: number
  private readonly minima: SurfaceMinima
  private readonly areas: Float64Array
  private readonly places: Float64Array
  private readonly ways: Float64Array
  private readonly lows: Float64Array
  private readonly within: Float64Array
  private readonly met: Met
  private obstacle: Obstacle | undefined

  /** @param nodeAreas  area that each node stands for [m^2] */
  constructor(
    triangles: Uint32Array,
    nodeCount: number,
    private readonly nodeAreas: Float64Array,
    settings: ContactSettings,
  ) {
    this.minima = new SurfaceMinima(triangles, nodeCount)
    const capacity = this.minima.distances.length
    this.areas = new Float64Array(capacity)
    this.places = new Float64Array(3 * nodeCount)
    this.ways = new Float64Array(3 * nodeCount)
    this.lows = new Float64Array(nodeCount)
    this.within = new Float64Array(nodeCount)
    this.met = { gaps: new Float64Array(capacity), normals: this.minima.normals }
    this.contacts = new PointContacts(betweenPoints(this.minima, this.areas), settings)
    this.reach = Math.sqrt((4 * nodeAreas.reduce((sum, area) => sum + area, 0)) / triangles.length)
  }

  setObstacle(obstacle: Obstacle): void {
    if (this.obstacle === obstacle) return
    this.obstacle = obstacle
    this.minima.count = 0
    this.contacts.setObstacles([obstacle])
  }

  /**
   * Searches edges and triangles where they will be if they go with the obstacle, as its field is there already.
   * @param nodes    of the surface
   * @param gaps     of these nodes [m]
   * @param motions  of the obstacle near these nodes
   * @param perStep  times that is how far it goes in the step
   * @param ahead    times that is how far until it is where its field has it
   * @param reach    what comes no nearer than this within the step is of no use [m]
   * @returns gaps, to where the obstacle is now, and normals
   */
  find(
    x: Float64Array,
    v: Float64Array,
    step: number,
    nodes: Uint32Array,
    gaps: Float64Array,
    motions: Float64Array,
    perStep: number,
    ahead: number,
    reach: number,
  ): Met {
    const { minima, areas, places, ways, lows, within, nodeAreas, met } = this
    for (let s = 0, n = 0; s < nodes.length; s++, n += 3) {
      const i = 3 * nodes[s]
      let [squaredWay, squaredApproach] = [0, 0]
      for (let axis = 0; axis < 3; axis++) {
        const way = ahead * motions[n + axis]
        ways[i + axis] = way
        places[i + axis] = x[i + axis] + way
        squaredWay += way * way
        squaredApproach += (step * v[i + axis] - perStep * motions[n + axis]) ** 2
      }
      // A node without a direction has no gap to speak of: what is around it is asked.
      lows[nodes[s]] = gaps[s] < Infinity ? gaps[s] - Math.sqrt(squaredWay) : Number.NaN
      within[nodes[s]] = Math.sqrt(squaredApproach) + reach
    }
    minima.find((this.obstacle as Obstacle).field, places, lows, within)
    const { count, corners, weights, normals, separations } = minima
    for (let k = 0; k < count; k++) {
      areas[k] = 0
      met.gaps[k] = separations[k]
      for (let j = 3 * k; j < 3 * k + 3; j++) {
        areas[k] += weights[j] * nodeAreas[corners[j]]
        for (let axis = 0; axis < 3; axis++) {
          met.gaps[k] -= weights[j] * ways[3 * corners[j] + axis] * normals[3 * k + axis]
        }
      }
    }
    return met
  }
}

function nodePoints(nodes: Uint32Array, areas: Float64Array): ContactPoints {
  const { length } = nodes
  return { count: length, capacity: length, nodesEach: 1, nodes, weights: new Float64Array(length).fill(1), areas }
}

function betweenPoints(minima: SurfaceMinima, areas: Float64Array): ContactPoints {
  const { corners, weights, distances } = minima
  return {
    get count() {
      return minima.count
    },
    capacity: distances.length,
    nodesEach: 3,
    nodes: corners,
    weights,
    areas,
  }
}
