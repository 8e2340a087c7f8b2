/**
 * An elastic body of linear tetrahedra. `step` is the linearly implicit Euler of Baraff and Witkin 1998 for run time: one
 * linear solve per substep, [M (1/h^2 + a/h) + (1 + b/h) K + S] dx = M v/h + f, where a and b are Rayleigh's damping
 * and S the stiffness of contacts, from where the body's spin carries it; both momenta are kept (share-momentum.ts).
 * `NewtonStepper` moves a body by fully implicit Euler.
 *
 * Stays finite by rule: frames longer than `maxFrame` are cut and the rest is done in substeps of at most `substep`; positions,
 * forces, stiffness and pins that are not finite are refused; speeds are scaled down to `maxSpeed` after each substep (to zero if not
 * finite, and the node stays where it was); violent steps go down in energy (violent-steps.ts); inverted tetrahedra are pushed
 * back by the law. Nothing is allocated by `step`, but where a knot is undone (tangles.ts).
 */
import { boxDiagonal, boxOfPoints } from '../../math/box.js'
import type { Floats } from '../../math/floats.js'
import { requireDuration, requireFinite, requireIndices, requireItems, requireMeshArrays } from '../../math/require.js'
import { surfaceOfTets, type TetMesh, type TetSurface } from '../../mesh/tet-mesh.js'
import type { Obstacle } from '../obstacle.js'
import { type BlockMatrix, createBlockMatrix, isConnected } from './block-matrix.js'
import { BlockSolver } from './block-solver.js'
import { Corotated } from './corotated.js'
import type { ElasticLaw } from './elastic-law.js'
import { FemContacts } from './fem-contacts.js'
import { type FemMaterialSettings, femMaterial, materialWarnings } from './fem-material.js'
import { type FemKernel, type FemOptions, type FemSettings, femSettings } from './fem-options.js'
import { NeoHookean } from './neo-hookean.js'
import { RigidMotion } from './rigid-motion.js'
import { MomentumShare } from './share-momentum.js'
import { createSimdSystem, femKernels } from './simd/simd-system.js'
import { PlainSystem, type StepLimits, StepSolver } from './step-system.js'
import { Tangles } from './tangles.js'
import { lumpedMasses, type TetElements, tetElements } from './tet-elements.js'
import { type StepProblem, subtractProducts, ViolentSteps } from './violent-steps.js'

/**
 * Error of accelerations [m/s^2] that a step need not get below. Speeds at rest are about as many m/s: at 0.01, ears of a pinned
 * bunny crept at 9 mm/s; this costs three iterations more.
 */
const ENOUGH = 1e-4
/** In single precision solves reach this tolerance in as many iterations as in doubles; below, doubles are used. */
const SINGLE = 1e-4
/** How far [rad] a step is foreseen to turn the body, at most. */
const LARGEST_TURN = 0.5
/** How far beyond its speed limit a node may go in a single step: turns add to what a violent step is allowed. */
const FARTHEST = 4
/** Strain that spin may leave behind after a violent step. */
const BULGE = 0.01
/** How large the rest shape is that shows a body on a line or in a point the way out; from a smaller one it takes longer. */
const OPENING = 0.1

/**
 * An elastic body of tetrahedra that falls, bends and meets obstacles, by the finite element method. It recovers from
 * any shape, inverted ones too.
 */
export class FemBody {
  /** Current positions [m], xyz triples. May be written between steps. */
  readonly positions: Float64Array
  /** Velocities [m/s]. May be written between steps. */
  readonly velocities: Float64Array
  /** Forces from outside [N], gravity and obstacles excepted; kept from step to step. Yours to write. */
  readonly forces: Float64Array
  /**
   * How fast those forces fall as a node moves [N/m]: a symmetric positive block xx, xy, xz, yy, yz, zz per node, for contacts
   * that are to be implicit. Counted from where the step begins. Yours to write.
   */
  readonly forceStiffness: Float64Array
  /** Masses [kg]. */
  readonly masses: Float64Array
  /** Mass of the whole [kg]. */
  readonly totalMass: number
  /** What it is made of. */
  readonly material: Readonly<FemMaterialSettings>
  /** The options with everything filled in. */
  readonly settings: Readonly<FemSettings>
  /** What may be wrong, one line each: a material that locks, SIMD that the host lacks or forbids. */
  readonly warnings: readonly string[]
  /** Its tetrahedra at rest. @internal */
  readonly elements: TetElements
  /** Its surface at rest, and which nodes that is made of. */
  readonly surface: TetSurface
  /** Where it meets obstacles. @internal */
  readonly contacts: FemContacts
  /** How it resists. @internal */
  readonly law: ElasticLaw
  /** 1 for pinned nodes. */
  readonly pinned: Uint8Array
  /** Length of the diagonal of the box around the body at rest [m]. */
  readonly size: number
  /** What `step` computes with; 'plain' also where the host has no SIMD or forbids it, and for a `tolerance` below 1e-4. */
  readonly kernel: FemKernel
  /** Whether another body touches it, which whoever writes their contact as `forces` tells (tangles.ts). @internal */
  isTouched = false
  /** Iterations that the linear solver took in the last step: for measurements. @internal */
  iterations = 0

  /** The matrix of a step in doubles and its solver, which `NewtonStepper` shares. @internal */
  readonly matrix: BlockMatrix
  /** Solves that matrix. @internal */
  readonly solver: BlockSolver
  private readonly blocks: Float64Array
  private readonly rightSide: Float64Array
  private readonly move: Float64Array
  private readonly limits: StepLimits
  private readonly stepSolver: StepSolver
  private readonly violence: ViolentSteps
  private readonly tangles: Tangles
  private readonly problem: StepProblem
  private readonly rigid: RigidMotion
  private readonly rest: Float64Array
  /** Several pieces have no spin of the whole. */
  private readonly isWhole: boolean
  private readonly momentum = new MomentumShare()
  private readonly lostTorque = new Float64Array(3)
  private pins = new Uint32Array(0)
  private targets = new Float64Array(0)

  /**
   * @param mesh  the body at rest, and the start; copied. Several pieces move each for itself, but what the solver leaves is
   *   shared among them: give each a body of its own where momentum counts
   * @throws RangeError if an option is out of range or the mesh cannot be simulated (tet-elements.ts)
   * @throws Error if the kernel 'simd' is asked for where it cannot run
   */
  constructor(mesh: TetMesh, options: FemOptions = {}) {
    requireMeshArrays('fem', mesh?.positions, mesh?.tetrahedra)
    this.elements = tetElements(mesh)
    this.material = femMaterial(options?.material ?? {})
    const { density, young, poisson, law } = this.material
    this.size = boxDiagonal(boxOfPoints(mesh.positions))
    this.settings = femSettings(options, (20 * young) / this.size)
    const { nodeCount } = this.elements
    this.positions = mesh.positions.slice()
    this.velocities = new Float64Array(3 * nodeCount)
    this.forces = new Float64Array(3 * nodeCount)
    this.forceStiffness = new Float64Array(6 * nodeCount)
    this.masses = lumpedMasses(mesh, density)
    this.surface = surfaceOfTets(mesh)
    this.law =
      law === 'corotated' ? new Corotated(this.elements, young, poisson) : new NeoHookean(this.elements, young, poisson)
    const { contactStiffness: stiffness, friction, slipSpeed, contact } = this.settings
    this.contacts = new FemContacts(this.surface, nodeCount, { stiffness, friction, slipSpeed, contact })
    this.contacts.setObstacles(this.settings.obstacles)
    this.pinned = new Uint8Array(nodeCount)
    this.matrix = createBlockMatrix(this.elements.corners, nodeCount)
    this.solver = new BlockSolver(nodeCount)
    this.blocks = new Float64Array(6 * nodeCount)
    this.rightSide = new Float64Array(3 * nodeCount)
    this.move = new Float64Array(3 * nodeCount)
    this.limits = { tolerance: this.settings.tolerance, floor: 0, iterations: this.settings.iterations }
    this.totalMass = this.masses.reduce((sum, mass) => sum + mass)
    const { kernel, tolerance } = this.settings
    const wantsSingle = kernel !== 'plain' && tolerance >= SINGLE
    const obstacle = wantsSingle && kernel === 'auto' ? femKernels.obstacle : undefined
    this.kernel = wantsSingle && !obstacle ? 'simd' : 'plain'
    this.warnings = [
      ...materialWarnings(this.material),
      ...(obstacle ? [`fem: steps run in plain JavaScript, which is slower, because ${obstacle}.`] : []),
    ]
    const system =
      this.kernel === 'simd'
        ? createSimdSystem(this.elements, this.law, this.matrix)
        : new PlainSystem(this.law, this.matrix, this.solver)
    this.stepSolver = new StepSolver(system, nodeCount)
    this.violence = new ViolentSteps(this, this.stepSolver)
    this.isWhole = isConnected(this.matrix)
    this.tangles = new Tangles(this)
    this.rigid = new RigidMotion(this.masses, this.totalMass)
    this.rest = mesh.positions.slice()
    this.problem = { start: this.rest.slice(), outer: new Float64Array(3 * nodeCount), blocks: this.blocks, inertia: 0 }
  }

  /** How many nodes. */
  get nodeCount(): number {
    return this.masses.length
  }

  /** Whether any node is pinned. */
  get hasPins(): boolean {
    return this.pins.length > 0
  }

  /** What the body meets from the next step on. @throws RangeError naming the first that has no field */
  setObstacles(obstacles: readonly Obstacle[]): void {
    this.contacts.setObstacles(obstacles)
  }

  /**
   * Pins nodes where they are, in place of those pinned before. They then go only where `movePinned` says.
   * @throws RangeError if a number is not a node
   */
  pin(nodes: ArrayLike<number>): void {
    requireIndices('fem', nodes, 'pinned node', this.nodeCount)
    this.pinned.fill(0)
    for (let i = 0; i < nodes.length; i++) this.pinned[nodes[i]] = 1
    this.pins = Uint32Array.from(nodes)
    this.targets = new Float64Array(3 * nodes.length)
    for (let i = 0; i < this.targets.length; i++) {
      this.targets[i] = this.positions[3 * this.pins[Math.trunc(i / 3)] + (i % 3)]
    }
  }

  /**
   * Where pinned nodes are to be at the end of the next step.
   * @param targets  xyz triples [m] in the order given to `pin`
   * @throws RangeError if there are too few, or one is not finite
   */
  movePinned(targets: Floats): void {
    requireItems('fem', targets, 'pin', this.pins.length, 3)
    this.targets.set(targets)
  }

  /**
   * Simulates one frame by linearly implicit Euler.
   * @param frame  its duration [s]; nothing happens for 0 or less, and no more than `maxFrame` is simulated
   * @throws RangeError if the duration is not a number, or naming a node whose position, force or its stiffness is not
   *   finite; nothing has moved then
   */
  step(frame: number): void {
    requireDuration('fem', frame)
    const { settings } = this
    const duration = Math.min(frame, settings.maxFrame)
    if (!(duration > 0)) return
    this.requireFiniteState()
    // A hair less, so that a frame of 1/60 s is one substep of 1/60 s in spite of rounding.
    const substeps = Math.max(1, Math.ceil(duration / settings.substep - 1e-9))
    this.iterations = 0
    for (let s = 0; s < substeps; s++) this.substep(duration / substeps, 1 / (substeps - s))
  }

  /**
   * Looks at what the caller may have written.
   * @throws RangeError naming a node whose position, force from outside or its stiffness is not finite
   * @internal
   */
  requireFiniteState(): void {
    requireFinite('fem', this.positions, 'position of node', 3)
    requireFinite('fem', this.forces, 'force of node', 3)
    requireFinite('fem', this.forceStiffness, 'force stiffness of node', 6)
  }

  /** Adds gravity and the forces from outside. @internal */
  addOuterForces(out: Float64Array): void {
    const { masses, forces } = this
    const [gx, gy, gz] = this.settings.gravity
    for (let node = 0, i = 0; node < masses.length; node++, i += 3) {
      out[i] += forces[i] + masses[node] * gx
      out[i + 1] += forces[i + 1] + masses[node] * gy
      out[i + 2] += forces[i + 2] + masses[node] * gz
    }
  }

  /**
   * Writes what pinned nodes are to move by, towards their targets.
   * @param share of the way
   * @internal
   */
  writePinnedMoves(share: number, out: Float64Array): void {
    const { pins, targets, positions } = this
    for (let k = 0; k < pins.length; k++) {
      for (let axis = 0; axis < 3; axis++) {
        const i = 3 * pins[k] + axis
        out[i] = share * (targets[3 * k + axis] - positions[i])
      }
    }
  }

  private substep(h: number, share: number): void {
    const { positions: x, velocities: v, masses, material, blocks, rightSide, move, stepSolver, problem } = this
    const { start, outer } = problem
    const massFactor = 1 / (h * h) + material.massDamping / h
    const stiffnessFactor = 1 + material.stiffnessDamping / h
    limitSpeeds(v, this.settings.maxSpeed)
    this.predict(h)
    outer.fill(0)
    blocks.set(this.forceStiffness)
    this.contacts.addLinearForces(x, v, this.settings.gravity, h, h / share, outer, blocks)
    this.addOuterForces(outer)
    for (let node = 0, i = 0; node < masses.length; node++, i += 3) {
      blocks[6 * node] += masses[node] * massFactor
      blocks[6 * node + 3] += masses[node] * massFactor
      blocks[6 * node + 5] += masses[node] * massFactor
      outer[i] += (masses[node] * v[i]) / h
      outer[i + 1] += (masses[node] * v[i + 1]) / h
      outer[i + 2] += (masses[node] * v[i + 2]) / h
      move[i] = start[i] - x[i]
      move[i + 1] = start[i + 1] - x[i + 1]
      move[i + 2] = start[i + 2] - x[i + 2]
    }
    subtractProducts(outer, blocks, move, outer)
    for (let i = 0; i < x.length; i++) move[i] = h * v[i] - move[i]
    rightSide.set(outer)
    problem.inertia = (material.density * massFactor) / 8
    stepSolver.system.linearise(start, rightSide, stiffnessFactor, problem.inertia / stiffnessFactor)
    this.writePinnedMoves(share, move)
    stepSolver.system.complete(blocks, this.pinned)
    this.limits.floor = this.totalMass * (ENOUGH * h) ** 2
    this.iterations += stepSolver.solve(blocks, this.pinned, this.hasPins, rightSide, move, this.limits)
    const isViolent = this.violence.isViolent(move)
    if (isViolent) this.iterations += this.violence.descend(problem, move, h * this.settings.maxSpeed, this.limits)
    const turns = this.isWhole && !isViolent
    if (!this.hasPins) this.momentum.add(x, this.rigid, blocks, outer, h, start, turns, move)
    if (isViolent) this.takeLostTorque(h)
    for (let i = 0; i < x.length; i++) v[i] = (start[i] + move[i] - x[i]) / h
    limitSpeeds(v, FARTHEST * this.settings.maxSpeed)
    for (let i = 0; i < x.length; i++) x[i] += h * v[i]
    if (isViolent && !this.hasPins && this.isWhole) this.calm()
    if (!this.hasPins) this.rigid.limitSpeed(x, v, this.settings.maxSpeed)
    limitSpeeds(v, this.settings.maxSpeed)
    if (this.isWhole) this.tangles.look(isViolent, this.rigid)
  }

  /** Where the step is linearised: the body moved on as a whole, as elasticity feels nothing of that. */
  private predict(h: number): void {
    const { positions: x, velocities: v, rigid, hasPins } = this
    const { start } = this.problem
    rigid.measure(x, v)
    if (rigid.isLine) this.openUp()
    start.set(x)
    if (hasPins || rigid.isLine || !this.isWhole) return
    rigid.foresee(h, LARGEST_TURN, x, start)
    this.stepSolver.turnTrend(rigid.turn)
  }

  /** On a line or in a point the law has no way out to offer: the rest shape, very small, shows one. */
  private openUp(): void {
    const { positions: x, rest, rigid, pinned } = this
    const middle = [0, 1, 2].map(
      (axis) => rest.reduce((sum, p, i) => (i % 3 === axis ? sum + p : sum), 0) / this.nodeCount,
    )
    for (let i = 0; i < x.length; i++) {
      if (pinned[Math.trunc(i / 3)] === 0) x[i] += OPENING * (rest[i] - middle[i % 3])
    }
    rigid.measure(x, this.velocities)
  }

  private takeLostTorque(h: number): void {
    const { lostTorque, problem } = this
    const { outer, blocks } = problem
    lostTorque.set(this.momentum.lostTorque(this.positions, this.rigid.centre, blocks, outer, this.move))
    for (let axis = 0; axis < 3; axis++) lostTorque[axis] *= h
  }

  /** What was torn about has no spin that pulls it apart: it shall find its shape again. */
  private calm(): void {
    const { positions: x, velocities: v, rigid, material } = this
    rigid.slowBy(x, v, this.lostTorque)
    rigid.limitSpin(x, v, (2 / this.size) * Math.sqrt((BULGE * material.young) / material.density))
  }
}

/** Scales speeds down to a limit; what is not finite stops. */
function limitSpeeds(v: Float64Array, limit: number): void {
  for (let i = 0; i < v.length; i += 3) {
    const squared = v[i] ** 2 + v[i + 1] ** 2 + v[i + 2] ** 2
    if (squared <= limit * limit) continue
    const scale = squared < Infinity ? limit / Math.sqrt(squared) : 0
    for (let axis = i; axis < i + 3; axis++) v[axis] = scale > 0 ? scale * v[axis] : 0
  }
}
