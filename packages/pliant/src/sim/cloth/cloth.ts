/**
 * Triangle cloth by extended position-based dynamics with small steps (Macklin et al. 2019, "Small Steps in Physics
 * Simulation"): many substeps, one Gauss-Seidel pass each, in a fixed order, so that the same calls give the same bits.
 *
 * Of ours: positions leap-frog (the first kick is half a substep, and a change of substep kicks by the mean), so a free
 * fall is exact at any frame rate; bending is linear (bend.ts); body contacts are linear between batched queries
 * (body-contacts.ts). Nothing is allocated by `step`.
 *
 * Stays finite by rule: frames longer than `maxFrame` are cut, speeds are scaled down to `maxSpeed` each substep (to zero if not finite),
 * answers of an obstacle that are not finite are left out, and positions, attachments and wind that are not are refused.
 */
import type { Vec3 } from '../../math/box.js'
import type { Floats } from '../../math/floats.js'
import { requireDuration, requireFinite, requireIndices, requireItems, requireMeshArrays } from '../../math/require.js'
import { isVector } from '../../math/settings.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import type { Obstacle } from '../obstacle.js'
import { type Bend, createBend, triangleArea } from './bend.js'
import { BodyContacts } from './body-contacts.js'
import { type ClothKernel, type ClothOptions, type ClothSettings, clothSettings } from './cloth-options.js'
import { type ClothSweeps, PlainSweeps } from './cloth-sweeps.js'
import { type ClothEdges, clothEdges } from './hinges.js'
import { SelfContacts } from './self-contacts.js'
import { createSimdSweeps, sweepKernels } from './simd/simd-sweeps.js'
import { Squeezed } from './squeezed.js'
import { createStretch, type Stretch } from './stretch.js'
import { SurfaceContacts } from './surface-contacts.js'
import { createTethers, layTethers, solveTethers, type Tethers } from './tethers.js'
import { addWind } from './wind.js'

/**
 * Cloth of triangles that falls, bends, meets obstacles and itself. The same calls give the same bits, and it stays
 * finite whatever it is given.
 */
export class Cloth {
  /** Current positions [m], xyz triples. May be written between steps. */
  readonly positions: Float64Array
  /** Velocities [m/s] in the middle of the last substep. May be written between steps. */
  readonly velocities: Float64Array
  /** Vertex numbers, three per triangle. */
  readonly triangles: Uint32Array
  /** 1 / mass of each vertex [1/kg]; 0 where attached. */
  readonly inverseMasses: Float64Array
  /** Masses [kg], attached or not: a third of the triangles around. */
  readonly masses: Float64Array
  /** Velocity of the air [m/s]; set it as the weather goes. */
  wind: Vec3 | Float64Array = [0, 0, 0]
  /** The options with everything filled in. */
  readonly settings: Readonly<ClothSettings>
  /** What moves, bends and stretches it; 'plain' also where the host has no SIMD or forbids it. */
  readonly kernel: ClothKernel
  /** How its edges stretch. @internal */
  readonly stretch: Stretch
  /** How its hinges bend. @internal */
  readonly bend: Bend
  /** What the last step met: for measurements and tests. @internal */
  readonly contacts: BodyContacts
  /** Where it met itself in the last step. @internal */
  readonly selfContacts: SelfContacts
  /** What it meets between vertices; undefined with `contact: 'points'`. @internal */
  readonly surfaceContacts: SurfaceContacts | undefined
  private readonly squeezed: Squeezed

  private readonly edges: ClothEdges
  private readonly rest: Float64Array
  private readonly sweeps: ClothSweeps
  private readonly previous: Float64Array
  private readonly accelerations: Float64Array
  private readonly tethers: Tethers
  private attached = new Uint32Array(0)
  private targets = new Float64Array(0)
  /** Where attachments were when the frame began. */
  private origins = new Float64Array(0)
  /** Substep that shares are prepared for; 0 when they must be prepared again. */
  private preparedFor = 0
  private lastSubstep = 0

  /**
   * @param mesh  the cloth at rest: its lengths and angles; the start as well. Copied.
   * @throws RangeError if an option is out of range, the mesh is no cloth (hinges.ts), a position is not finite, or a
   *   vertex belongs to no triangle of any area
   * @throws Error if the kernel 'simd' is asked for where it cannot run
   */
  constructor(mesh: TriangleMesh, options: ClothOptions = {}) {
    requireMeshArrays('cloth', mesh?.positions, mesh?.triangles)
    const settings = clothSettings(options)
    const count = mesh.positions.length / 3
    this.settings = settings
    this.triangles = mesh.triangles.slice()
    this.rest = Float64Array.from(mesh.positions)
    requireFinite('cloth', this.rest, 'position of vertex', 3)
    this.edges = clothEdges(this.triangles, count)
    this.masses = lumpedMasses(this.rest, this.triangles, settings.density)
    this.stretch = createStretch(this.rest, this.edges, areasBeside(this.rest, this.edges), settings)
    this.bend = createBend(this.rest, this.edges, settings)
    this.kernel = settings.kernel === 'auto' ? (sweepKernels.obstacle ? 'plain' : 'simd') : settings.kernel
    this.sweeps =
      this.kernel === 'simd'
        ? createSimdSweeps(count, this.stretch, this.bend)
        : new PlainSweeps(count, this.stretch, this.bend)
    const { positions, previous, velocities, accelerations, inverseMasses } = this.sweeps
    this.positions = positions
    this.positions.set(this.rest)
    this.previous = previous
    this.previous.set(this.rest)
    this.velocities = velocities
    this.accelerations = accelerations
    this.inverseMasses = inverseMasses
    this.inverseMasses.set(this.masses.map((mass) => 1 / mass))
    this.sweeps.weigh()
    this.tethers = createTethers(count)
    this.contacts = new BodyContacts(this.triangles, this.inverseMasses, settings)
    this.surfaceContacts =
      settings.contact === 'surface' ? new SurfaceContacts(this.triangles, this.inverseMasses, settings) : undefined
    this.squeezed = new Squeezed(count, this.stretch, settings.thickness, settings.releaseStrain)
    this.selfContacts = new SelfContacts(this.rest, this.inverseMasses, settings)
  }

  /** How many vertices. */
  get vertexCount(): number {
    return this.masses.length
  }

  /**
   * Pins vertices where they are, in place of those pinned before. They then go only where `moveAttached` says.
   * @throws RangeError if a number is not a vertex
   */
  attach(vertices: ArrayLike<number>): void {
    requireIndices('cloth', vertices, 'attached vertex', this.vertexCount)
    const marks = new Uint8Array(this.vertexCount)
    for (let i = 0; i < vertices.length; i++) marks[vertices[i]] = 1
    this.attached = Uint32Array.from(vertices)
    this.targets = new Float64Array(3 * vertices.length)
    this.origins = new Float64Array(3 * vertices.length)
    for (let i = 0; i < 3 * vertices.length; i++) {
      this.targets[i] = this.positions[3 * this.attached[Math.trunc(i / 3)] + (i % 3)]
    }
    for (let v = 0; v < this.vertexCount; v++) this.inverseMasses[v] = marks[v] === 1 ? 0 : 1 / this.masses[v]
    this.sweeps.weigh()
    if (this.settings.tethers) layTethers(this.tethers, this.rest, this.edges, marks)
    this.preparedFor = 0
  }

  /**
   * Where attached vertices are to be at the end of the next step; they go there evenly over its substeps.
   * @param targets  xyz triples [m] in the order given to `attach`
   * @throws RangeError if there are too few, or one is not finite
   */
  moveAttached(targets: Floats): void {
    requireItems('cloth', targets, 'attachment', this.attached.length, 3)
    this.targets.set(targets)
  }

  /**
   * Simulates one frame.
   * @param frame     its duration [s]; nothing happens for 0 or less, and no more than `maxFrame` is simulated
   * @param obstacle  what the cloth meets, as it is at the end of the frame
   * @throws RangeError if the duration is not a number, the wind is not finite, or naming a vertex whose position is
   *   not; nothing has moved then
   */
  step(frame: number, obstacle?: Obstacle): void {
    requireDuration('cloth', frame)
    requireFinite('cloth', this.positions, 'position of vertex', 3)
    if (!isVector(this.wind)) throw new RangeError(`cloth: wind is ${this.wind}; give three finite numbers.`)
    const { settings, sweeps, positions: x, previous, velocities: v } = this
    const duration = Math.min(frame, settings.maxFrame)
    if (!(duration > 0)) return
    // A hair less, so that a frame of 1/60 s is 10 substeps of 1/600 s in spite of rounding.
    const substeps = Math.max(1, Math.ceil(duration / settings.substep - 1e-9))
    const dt = duration / substeps
    this.prepare(dt)
    limitSpeeds(v, settings.maxSpeed)
    this.accelerate(duration)
    this.damp(duration)
    if (obstacle) {
      this.contacts.gather(obstacle, x, v, duration)
      this.surfaceContacts?.gather(obstacle, x, duration, this.contacts)
      this.squeezed.look(obstacle, x, this.contacts)
    } else {
      this.contacts.forget()
      this.surfaceContacts?.forget()
      this.squeezed.forget()
    }
    this.selfContacts.gather(x)
    this.rememberOrigins()
    const { swept, released } = this.contacts
    for (let s = 1; s <= substeps; s++) {
      const remaining = (duration * (substeps - s)) / substeps
      this.drift(dt, s / substeps)
      sweeps.bend()
      sweeps.solveStretch(settings.releaseStrain, this.squeezed.isSqueezed, swept, released)
      solveTethers(this.tethers, x)
      this.selfContacts.solve(x, previous)
      // Last, so that the body has the last word.
      this.contacts.solve(x, previous, dt, remaining)
      this.surfaceContacts?.solve(x, previous, dt, remaining, this.contacts)
      if (obstacle && s < substeps && s % settings.requeryEvery === 0) {
        this.contacts.requery(obstacle, x, remaining)
        this.surfaceContacts?.requery(obstacle, x, remaining, this.contacts)
      }
      sweeps.finish(dt)
    }
  }

  private prepare(dt: number): void {
    if (this.preparedFor === dt) return
    this.sweeps.prepare(dt)
    this.preparedFor = dt
  }

  private accelerate(duration: number): void {
    const { settings, accelerations } = this
    const [gx, gy, gz] = settings.gravity
    for (let i = 0; i < accelerations.length; i += 3) {
      accelerations[i] = gx
      accelerations[i + 1] = gy
      accelerations[i + 2] = gz
    }
    addWind(
      this.positions,
      this.velocities,
      this.triangles,
      this.inverseMasses,
      this.wind,
      settings,
      duration,
      accelerations,
    )
  }

  private damp(duration: number): void {
    const share = 1 - Math.exp(-this.settings.damping * duration)
    if (share !== 0) this.sweeps.damp(share)
  }

  private rememberOrigins(): void {
    const { attached, origins, positions } = this
    for (let k = 0; k < attached.length; k++) {
      for (let axis = 0; axis < 3; axis++) origins[3 * k + axis] = positions[3 * attached[k] + axis]
    }
  }

  /** Kick by forces, then move freely; attached vertices go their way. @param fraction  of the frame gone at the end */
  private drift(dt: number, fraction: number): void {
    const { positions: x, sweeps, settings, attached, origins, targets } = this
    const kick = (this.lastSubstep + dt) / 2
    this.lastSubstep = dt
    sweeps.drift(dt, kick, Math.exp(-settings.drag * dt), settings.maxSpeed)
    for (let k = 0; k < attached.length; k++) {
      for (let axis = 0; axis < 3; axis++) {
        const from = origins[3 * k + axis]
        x[3 * attached[k] + axis] = from + fraction * (targets[3 * k + axis] - from)
      }
    }
  }
}

/** What was written between steps must not overflow before the first substep limits it; not a number counts as zero. */
function limitSpeeds(v: Float64Array, limit: number): void {
  for (let i = 0; i < v.length; i += 3) {
    const squared = v[i] ** 2 + v[i + 1] ** 2 + v[i + 2] ** 2
    if (squared <= limit * limit) continue
    const scale = squared < Infinity ? limit / Math.sqrt(squared) : 0
    for (let axis = i; axis < i + 3; axis++) v[axis] = scale > 0 ? scale * v[axis] : 0
  }
}

function lumpedMasses(rest: Floats, triangles: Uint32Array, density: number): Float64Array {
  const masses = new Float64Array(rest.length / 3)
  for (let i = 0; i < triangles.length; i += 3) {
    const share = (density * triangleArea(rest, triangles[i], triangles[i + 1], triangles[i + 2])) / 3
    for (let corner = i; corner < i + 3; corner++) masses[triangles[corner]] += share
  }
  const bare = masses.findIndex((mass) => !(mass > 0))
  if (bare >= 0) throw new RangeError(`cloth: vertex ${bare} has no triangle of any area; remove it.`)
  return masses
}

function areasBeside(rest: Floats, edges: ClothEdges): Float64Array {
  return Float64Array.from({ length: edges.count }, (_, edge) => {
    let area = 0
    for (let side = 0; side < 2; side++) {
      const apex = edges.opposite[2 * edge + side]
      if (apex >= 0) area += triangleArea(rest, edges.vertices[2 * edge], edges.vertices[2 * edge + 1], apex)
    }
    return area
  })
}
