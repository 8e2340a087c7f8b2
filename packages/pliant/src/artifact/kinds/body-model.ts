/** What manifests say of a body of tetrahedra, whichever kind has one: sizes, material, and what filling did to it. */
import { finite, object, positive, size32 } from '../checks.js'

/** How much of a body of tetrahedra a file holds, and what it is made of. */
export interface TetBodyModel {
  /** Number of the surface's vertices; a count. */
  vertices: number
  /** Number of the surface's triangles; a count. */
  triangles: number
  /** Nodes of the tetrahedra. */
  nodes: number
  /** How many. */
  tetrahedra: number
  /** What it was made of in the simulation that it was trained on. */
  material: BodyMaterial
  /** If it was made by filling a surface: how far the body's own lies from that one, mean and largest [m]. */
  moved?: { mean: number; max: number }
}

/** As `FemMaterial` of pliant/sim takes it. */
export interface BodyMaterial {
  /** Mass per volume [kg/m^3]. */
  density: number
  /** Young's modulus [Pa]. */
  young: number
  /** Poisson's ratio. */
  poisson: number
  /** Rayleigh damping by mass [1/s]. */
  massDamping: number
  /** Rayleigh damping by stiffness [s]. */
  stiffnessDamping: number
}

/** @throws Error naming the first field that is missing or wrong */
export function checkTetBody(model: Record<string, unknown>): void {
  for (const key of ['vertices', 'triangles', 'nodes', 'tetrahedra']) size32(model[key], `model.${key}`)
  const material = object(model['material'], 'model.material')
  for (const key of ['density', 'young']) positive(material[key], `model.material.${key}`)
  for (const key of ['poisson', 'massDamping', 'stiffnessDamping']) finite(material[key], `model.material.${key}`)
  if (model['moved'] === undefined) return
  const moved = object(model['moved'], 'model.moved')
  for (const key of ['mean', 'max']) finite(moved[key], `model.moved.${key}`)
}

/** @throws Error if the surface of the tetrahedra is not as large as the manifest says */
export function requireSurface(
  surface: { vertexCount: number; triangles: Uint32Array },
  { vertices, triangles }: Pick<TetBodyModel, 'vertices' | 'triangles'>,
): void {
  const [found, wanted] = [
    [surface.vertexCount, surface.triangles.length / 3],
    [vertices, triangles],
  ].map(([v, t]) => `${v} vertices and ${t} triangles`)
  if (found === wanted) return
  throw new Error(`artifact: its tetrahedra have ${found} outside, should be ${wanted}; train it again.`)
}
