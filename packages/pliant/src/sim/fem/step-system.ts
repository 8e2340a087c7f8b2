/**
 * The linear system of a step of linearly implicit Euler, and how it is solved. What a system is made of (`StepSystem`) exists
 * twice: in doubles (`PlainSystem`), and in single precision on SIMD WebAssembly (simd/simd-system.ts).
 *
 * Conjugate gradients start from where inertia would carry the nodes, plus the motion of the whole that balances all
 * forces (bodies without pins), plus as much of how accelerations go on as serves: a body at rest and one that falls begin with
 * nothing left to solve. Started from free fall, pinned bodies at rest trembled for ever (docs/notes/fem.md).
 */
import { rotateVector } from '../../math/quaternion.js'
import { type BlockMatrix, clearBlocks, multiplyBlocks, scaleBlocks } from './block-matrix.js'
import type { BlockSolver, SolveLimits } from './block-solver.js'
import type { ElasticLaw } from './elastic-law.js'
import { subtractWhole, wholeMotion } from './share-residual.js'

export interface StepSystem {
  /**
   * Begins a step: the matrix becomes `factor` times the stiffness at these positions, and elastic forces are added to `forces`.
   * @param inertia as in `ElasticLaw.addForcesAndStiffness`
   */
  linearise(positions: Float64Array, forces: Float64Array, factor: number, inertia: number): void
  /** Adds the nodes' own blocks (xx, xy, xz, yy, yz, zz each). @param fixed 1 for nodes that do not move */
  complete(blocks: Float64Array, fixed: Uint8Array): void
  /** out = matrix * vector */
  multiply(vector: Float64Array, out: Float64Array): void
  /** The square of a residual [J], weighed by the preconditioner. */
  weigh(residual: Float64Array): number
  /**
   * Adds to `solution` what a residual asks for, until what is left weighs no more than `enough` [J].
   * @returns iterations
   */
  improve(residual: Float64Array, solution: Float64Array, enough: number, iterations: number): number
}

export class PlainSystem implements StepSystem {
  private readonly correction: Float64Array
  private readonly limits: SolveLimits = { tolerance: 0, floor: 0, iterations: 0 }

  constructor(
    private readonly law: ElasticLaw,
    private readonly matrix: BlockMatrix,
    private readonly solver: BlockSolver,
  ) {
    this.correction = new Float64Array(3 * matrix.nodeCount)
  }

  linearise(positions: Float64Array, forces: Float64Array, factor: number, inertia: number): void {
    clearBlocks(this.matrix)
    this.law.addForcesAndStiffness(positions, forces, this.matrix, inertia)
    scaleBlocks(this.matrix, factor)
  }

  complete(blocks: Float64Array, fixed: Uint8Array): void {
    const { diagonal } = this.matrix
    for (let i = 0; i < blocks.length; i++) diagonal[i] += blocks[i]
    this.solver.prepare(this.matrix, fixed)
  }

  multiply(vector: Float64Array, out: Float64Array): void {
    multiplyBlocks(this.matrix, vector, out)
  }

  weigh(residual: Float64Array): number {
    return this.solver.weigh(this.matrix, residual)
  }

  improve(residual: Float64Array, solution: Float64Array, enough: number, iterations: number): number {
    const { correction, limits } = this
    correction.fill(0)
    limits.floor = enough
    limits.iterations = iterations
    const taken = this.solver.solve(this.matrix, residual, correction, limits)
    for (let i = 0; i < solution.length; i++) solution[i] += correction[i]
    return taken
  }
}

export interface StepLimits {
  /** Ends when what is left of the imbalance of forces, weighed by the preconditioner, is this part of all of it... */
  tolerance: number
  /** ...or when its square [J] is below this. */
  floor: number
  iterations: number
}

export class StepSolver {
  private readonly residual: Float64Array
  private readonly image: Float64Array
  /** What the last step changed about each node's way, how that differed from the step before, and what is expected next. */
  private readonly change: Float64Array
  private readonly growth: Float64Array
  private readonly trend: Float64Array
  private readonly inertial: Float64Array
  private readonly motion = new Float64Array(3)

  constructor(
    readonly system: StepSystem,
    nodeCount: number,
  ) {
    this.residual = new Float64Array(3 * nodeCount)
    this.image = new Float64Array(3 * nodeCount)
    this.change = new Float64Array(3 * nodeCount)
    this.growth = new Float64Array(3 * nodeCount)
    this.trend = new Float64Array(3 * nodeCount)
    this.inertial = new Float64Array(3 * nodeCount)
  }

  /**
   * @param blocks  the nodes' own part of the matrix: mass, contacts; already in the system
   * @param fixed   1 for nodes that do not move, and whether there are any
   * @param move    the nodes' way by inertia alone, and that of fixed nodes; receives the solution
   * @returns iterations
   */
  solve(
    blocks: Float64Array,
    fixed: Uint8Array,
    hasFixed: boolean,
    rightSide: Float64Array,
    move: Float64Array,
    limits: StepLimits,
  ): number {
    const { system, residual, image, inertial, motion } = this
    inertial.set(move)
    system.multiply(move, image)
    for (let i = 0; i < residual.length; i++) residual[i] = rightSide[i] - image[i]
    // A stiff body that spins stretches far less than by inertia: between what that would cost and what standing still would.
    let imbalance = system.weigh(residual)
    if (!hasFixed) imbalance = Math.min(imbalance, Math.sqrt(imbalance * system.weigh(rightSide)))
    const enough = Math.max(limits.floor, limits.tolerance ** 2 * imbalance)
    if (!hasFixed) {
      sumOf(residual, motion)
      this.moveWhole(blocks, move)
      subtractWhole(blocks, motion, residual)
    }
    this.followTrend(fixed, move)
    const iterations = system.improve(residual, move, enough, limits.iterations)
    if (!hasFixed) {
      // Forces between nodes add up to nothing, so momentum is what these sums say, whatever the solver left.
      sumOf(rightSide, motion)
      subtractMoved(blocks, move, motion)
      this.moveWhole(blocks, move)
    }
    this.expect(move)
    return iterations
  }

  /** What steps do turns with the body. @param turn quaternion xyzw */
  turnTrend(turn: Float64Array): void {
    for (const vectors of [this.change, this.growth, this.trend]) {
      for (let i = 0; i < vectors.length; i += 3) rotateVector(turn, 0, vectors, i, vectors, i)
    }
  }

  /** Adds to `move` what forces ask for, from nothing. @returns iterations */
  refine(forces: Float64Array, move: Float64Array, limits: StepLimits): number {
    const enough = Math.max(limits.floor, limits.tolerance ** 2 * this.system.weigh(forces))
    return this.system.improve(forces, move, enough, limits.iterations)
  }

  /** Moves all nodes by what the sum of forces in `motion` asks for. */
  private moveWhole(blocks: Float64Array, move: Float64Array): void {
    const { motion } = this
    wholeMotion(blocks, motion)
    for (let i = 0; i < move.length; i += 3) {
      move[i] += motion[0]
      move[i + 1] += motion[1]
      move[i + 2] += motion[2]
    }
  }

  /**
   * What steps change goes on as it grew, by the share that would have foretold this step from the two before: nearly all in
   * smooth motion, nothing where bodies vibrate. Always all of it: a spun cube took 49 iterations instead of 43.
   */
  private expect(move: Float64Array): void {
    const { inertial, change, growth, trend } = this
    let along = 0
    let squared = 0
    for (let i = 0; i < move.length; i++) {
      along += (move[i] - inertial[i] - change[i]) * growth[i]
      squared += growth[i] * growth[i]
    }
    // Written so that what is not a number foretells nothing.
    const share = along > 0 && squared > 0 ? Math.min(1, along / squared) : 0
    for (let i = 0; i < move.length; i++) {
      const now = move[i] - inertial[i]
      growth[i] = now - change[i]
      change[i] = now
      trend[i] = now + share * growth[i]
    }
  }

  /** Goes on along the expected change of way as far as that lowers the energy. */
  private followTrend(fixed: Uint8Array, move: Float64Array): void {
    const { system, residual, image, trend } = this
    for (let node = 0, i = 0; i < trend.length; node++, i += 3) if (fixed[node] === 1) trend.fill(0, i, i + 3)
    system.multiply(trend, image)
    let slope = 0
    let curvature = 0
    for (let i = 0; i < trend.length; i++) {
      slope += residual[i] * trend[i]
      curvature += image[i] * trend[i]
    }
    const length = slope / curvature
    if (!(curvature > 0 && Number.isFinite(length))) return
    for (let i = 0; i < trend.length; i++) {
      move[i] += length * trend[i]
      residual[i] -= length * image[i]
    }
  }
}

function sumOf(vectors: Float64Array, out: Float64Array): void {
  out.fill(0)
  for (let i = 0; i < vectors.length; i += 3) {
    out[0] += vectors[i]
    out[1] += vectors[i + 1]
    out[2] += vectors[i + 2]
  }
}

/** sum -= sum over the nodes of their block times their move. */
function subtractMoved(blocks: Float64Array, move: Float64Array, sum: Float64Array): void {
  for (let i = 0, d = 0; i < move.length; i += 3, d += 6) {
    const x = move[i]
    const y = move[i + 1]
    const z = move[i + 2]
    sum[0] -= blocks[d] * x + blocks[d + 1] * y + blocks[d + 2] * z
    sum[1] -= blocks[d + 1] * x + blocks[d + 3] * y + blocks[d + 4] * z
    sum[2] -= blocks[d + 2] * x + blocks[d + 4] * y + blocks[d + 5] * z
  }
}
