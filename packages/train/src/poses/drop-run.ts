/**
 * One drop: the body falls onto its scene by fully implicit Euler, and its shape is taken every few steps. Depends on the
 * mesh, the settings and the run's number alone.
 */
import type { TetMesh, TetSurface } from 'pliant'
import { SelfIntersection } from 'pliant/exact'
import { FemBody, type FemMaterial } from 'pliant/sim'
import { femMaterial, invertedTets, NewtonStepper, rotateVector } from 'pliant/unstable'
import type { DropSettings } from './drop-options.js'
import { type DropScene, dropScene, obstaclesOf } from './drop-scene.js'

export interface DropRun {
  run: number
  /** Node positions [m], one xyz list after the other; where the drop left them, not aligned. */
  positions: Float32Array
  /** For each pose how many tetrahedra are inverted. */
  inverted: Uint32Array
  /** For each pose how many pairs of surface triangles cross: the simulation does not keep limbs from each other. */
  crossings: Uint32Array
  /** Steps that Newton's method could not finish, though halved. */
  unconverged: number
}

/**
 * Poses need to be likely shapes, not accurate motion: a thousandth of the size, and a fifth of the gradient left to the
 * next iteration, take two thirds of the time of 1e-5 and a hundredth (docs/notes/fem.md).
 */
const NEWTON = { tolerance: 1e-3, solverTolerance: 0.2, iterations: 20, solverIterations: 200, halvings: 2 } as const

/** Distance at which a drop begins, in sizes: what lies before is free fall. */
const CLEARANCE = 0.01

/**
 * @param onSnapshot told after every pose how many there are
 * @throws RangeError if the mesh or the material cannot be simulated
 */
export function dropRun(
  mesh: TetMesh,
  settings: DropSettings,
  run: number,
  onSnapshot?: (count: number) => void,
): DropRun {
  const { snapshots, stepsBetween, friction, fallTime, size } = settings
  const scene = dropScene(settings, run)
  const body = new FemBody(mesh, {
    material: materialOfRun(settings.material, scene),
    friction,
    slipSpeed: (0.01 * size) / fallTime,
    obstacles: obstaclesOf(scene),
  })
  place(body, scene)
  const stepper = new NewtonStepper(body)
  const surface = new SurfaceCrossings(body.surface)
  const coordinates = mesh.positions.length
  const result: DropRun = {
    run,
    positions: new Float32Array(snapshots * coordinates),
    inverted: new Uint32Array(snapshots),
    crossings: new Uint32Array(snapshots),
    unconverged: 0,
  }
  for (let snapshot = 0; snapshot < snapshots; snapshot++) {
    for (let s = 0; s < stepsBetween; s++) {
      if (!stepper.step(settings.step * fallTime, NEWTON).converged) result.unconverged++
    }
    result.positions.set(body.positions, snapshot * coordinates)
    result.inverted[snapshot] = invertedTets(mesh, body.positions).length
    result.crossings[snapshot] = surface.crossings(body.positions)
    onSnapshot?.(snapshot + 1)
  }
  return result
}

function materialOfRun(material: DropSettings['material'], { stiffness, damping, poisson }: DropScene): FemMaterial {
  const { young, massDamping, stiffnessDamping } = femMaterial(material)
  return {
    ...material,
    young: young * stiffness,
    poisson,
    massDamping: massDamping * damping,
    stiffnessDamping: stiffnessDamping * damping,
  }
}

/** Counts where a body's surface passes through itself. */
class SurfaceCrossings {
  private readonly test: SelfIntersection
  private readonly positions: Float64Array

  constructor(private readonly surface: TetSurface) {
    this.test = new SelfIntersection(surface)
    this.positions = new Float64Array(surface.positions.length)
  }

  crossings(nodes: Float64Array): number {
    const { nodeOfVertex } = this.surface
    for (let vertex = 0; vertex < nodeOfVertex.length; vertex++) {
      const from = 3 * nodeOfVertex[vertex]
      this.positions.set(nodes.subarray(from, from + 3), 3 * vertex)
    }
    this.test.update(this.positions)
    return this.test.pairs().pairs.length / 2
  }
}

/** Turns the body, puts it just above whatever it will touch first, and lets it arrive at its speed. */
function place(body: FemBody, { rotation, speed, spheres }: DropScene): void {
  const { positions: x, velocities: v, masses, totalMass, size } = body
  const centre = [0, 0, 0]
  for (let i = 0; i < x.length; i++) centre[i % 3] += (masses[Math.trunc(i / 3)] / totalMass) * x[i]
  const node = new Float64Array(3)
  let lift = -Infinity
  for (let i = 0; i < x.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) node[axis] = x[i + axis] - centre[axis]
    rotateVector(rotation, 0, node, 0, x, i)
    lift = Math.max(lift, liftOver(spheres, x[i], x[i + 1], x[i + 2]))
  }
  for (let i = 1; i < x.length; i += 3) {
    x[i] += lift + CLEARANCE * size
    v[i] = -speed
  }
}

/** How far up a point must go to be above all obstacles [m]; may be negative. */
function liftOver(spheres: DropScene['spheres'], x: number, y: number, z: number): number {
  let top = 0
  for (const { centre, radius } of spheres) {
    const [cx, cy, cz] = centre
    const across = (x - cx) ** 2 + (z - cz) ** 2
    if (across < radius ** 2) top = Math.max(top, cy + Math.sqrt(radius ** 2 - across))
  }
  return top - y
}
