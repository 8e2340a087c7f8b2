/**
 * What a single linear solve cannot do. Where it would stretch or squash an edge by three tenths of its length, its move
 * is taken as a direction only: the step goes down the energy that implicit Euler minimises, by further solves and a
 * search along each (as newton-stepper.ts does, but on the run-time system and for a few rounds). So energy does not
 * grow of itself, and inverted tetrahedra find back: the law has a way out of any inversion. Before, moves were shortened
 * only while they cost more than motion could pay, which let motion be paid twice: a hand with scrambled nodes gained
 * energy without end.
 */
import type { BlockMatrix } from './block-matrix.js'
import type { FemBody } from './fem-body.js'
import type { StepLimits, StepSolver } from './step-system.js'

/** Change of an edge's length in a step, of its length at rest, up to which one solve is trusted. */
const CALM = 0.3
/** Solves in a violent step, at most. Of a stiff box inside out one step leaves 27 J, with two 1,700, with none 70,000. */
const ROUNDS = 4
/** Halving a move this often leaves nothing of it. */
const HALVINGS = 16

/** A step as its solver sees it: minus the gradient at a move d from `start` is outer - blocks d + elastic forces there. */
export interface StepProblem {
  /** Positions that moves are counted from [m]. */
  readonly start: Float64Array
  /** Forces of inertia and from outside at `start` [N]. */
  readonly outer: Float64Array
  /** What acts on single nodes: mass, contacts [N/m]. */
  readonly blocks: Float64Array
  /** As in `ElasticLaw.addForcesAndStiffness`, for a stiffness that counts once. */
  inertia: number
}

export class ViolentSteps {
  private readonly trial: Float64Array
  private readonly direction: Float64Array
  private readonly forces: Float64Array
  /** One over the square of each edge's length at rest [1/m^2]. */
  private readonly perSquare: Float64Array

  /** @param body at rest */
  constructor(
    private readonly body: FemBody,
    private readonly solver: StepSolver,
  ) {
    this.trial = new Float64Array(3 * body.nodeCount)
    this.direction = new Float64Array(3 * body.nodeCount)
    this.forces = new Float64Array(3 * body.nodeCount)
    this.perSquare = edgesOf(body.positions, body.matrix)
  }

  isViolent(move: Float64Array): boolean {
    const { perSquare, body } = this
    const { nodeCount, starts, columns } = body.matrix
    for (let a = 0; a < nodeCount; a++) {
      const x = move[3 * a]
      const y = move[3 * a + 1]
      const z = move[3 * a + 2]
      for (let k = starts[a]; k < starts[a + 1]; k++) {
        const b = 3 * columns[k]
        const squared = (move[b] - x) ** 2 + (move[b + 1] - y) ** 2 + (move[b + 2] - z) ** 2
        // Written so that what is not a number is violent.
        if (!(squared * perSquare[k] < CALM * CALM)) return true
      }
    }
    return false
  }

  /**
   * Replaces a violent move by one that lowers the step's energy; pinned nodes go where they must.
   * @param reach  how far a node may go [m]
   * @returns iterations of the linear solver
   */
  descend(problem: StepProblem, move: Float64Array, reach: number, limits: StepLimits): number {
    const { body, solver, direction, forces } = this
    const { pinned } = body
    const { start, outer, blocks } = problem
    let iterations = 0
    for (let i = 0; i < move.length; i++) {
      const isPinned = pinned[Math.trunc(i / 3)] === 1
      direction[i] = isPinned || !Number.isFinite(move[i]) ? 0 : move[i]
      if (!isPinned) move[i] = 0
    }
    let energy = this.energyAt(problem, move)
    for (let round = 0; ; round++) {
      const lower = this.search(problem, move, reach, energy)
      const isDone = lower !== undefined && !this.isViolent(direction)
      energy = lower ?? energy
      if (isDone || round === ROUNDS) return iterations
      subtractProducts(outer, blocks, move, forces)
      for (let i = 0; i < move.length; i++) this.trial[i] = start[i] + move[i]
      solver.system.linearise(this.trial, forces, 1, problem.inertia)
      solver.system.complete(blocks, pinned)
      direction.fill(0)
      iterations += solver.refine(forces, direction, limits)
    }
  }

  /** Goes along `direction` as far as that lowers the energy. @returns the energy there */
  private search(problem: StepProblem, move: Float64Array, reach: number, energy: number): number | undefined {
    const { direction } = this
    let length = Math.min(1, (reach - longest(move)) / longest(direction))
    if (!(length > 0)) return undefined
    for (let i = 0; i < move.length; i++) move[i] += length * direction[i]
    for (let halving = 0; halving < HALVINGS; halving++) {
      const lower = this.energyAt(problem, move)
      if (lower < energy) return lower
      length /= 2
      for (let i = 0; i < move.length; i++) move[i] -= length * direction[i]
    }
    for (let i = 0; i < move.length; i++) move[i] -= length * direction[i]
    return undefined
  }

  /** [J], but for a constant. */
  private energyAt({ start, outer, blocks }: StepProblem, move: Float64Array): number {
    const { trial, body } = this
    let work = 0
    for (let i = 0, d = 0; i < move.length; i += 3, d += 6) {
      const x = move[i]
      const y = move[i + 1]
      const z = move[i + 2]
      trial[i] = start[i] + x
      trial[i + 1] = start[i + 1] + y
      trial[i + 2] = start[i + 2] + z
      work +=
        x * (outer[i] - (blocks[d] * x) / 2 - blocks[d + 1] * y - blocks[d + 2] * z) +
        y * (outer[i + 1] - (blocks[d + 3] * y) / 2 - blocks[d + 4] * z) +
        z * (outer[i + 2] - (blocks[d + 5] * z) / 2)
    }
    return body.law.energy(trial) - work
  }
}

/** out = forces - blocks * move, node by node. */
export function subtractProducts(
  forces: Float64Array,
  blocks: Float64Array,
  move: Float64Array,
  out: Float64Array,
): void {
  for (let i = 0, d = 0; i < move.length; i += 3, d += 6) {
    const x = move[i]
    const y = move[i + 1]
    const z = move[i + 2]
    out[i] = forces[i] - blocks[d] * x - blocks[d + 1] * y - blocks[d + 2] * z
    out[i + 1] = forces[i + 1] - blocks[d + 1] * x - blocks[d + 3] * y - blocks[d + 4] * z
    out[i + 2] = forces[i + 2] - blocks[d + 2] * x - blocks[d + 4] * y - blocks[d + 5] * z
  }
}

/** Length of the longest of vectors. */
function longest(vectors: Float64Array): number {
  let squared = 0
  for (let i = 0; i < vectors.length; i += 3) {
    squared = Math.max(squared, vectors[i] ** 2 + vectors[i + 1] ** 2 + vectors[i + 2] ** 2)
  }
  return Math.sqrt(squared)
}

function edgesOf(p: Float64Array, { nodeCount, starts, columns }: BlockMatrix): Float64Array {
  const perSquare = new Float64Array(columns.length)
  for (let a = 0; a < nodeCount; a++) {
    for (let k = starts[a]; k < starts[a + 1]; k++) {
      const b = columns[k]
      perSquare[k] =
        1 / ((p[3 * a] - p[3 * b]) ** 2 + (p[3 * a + 1] - p[3 * b + 1]) ** 2 + (p[3 * a + 2] - p[3 * b + 2]) ** 2)
    }
  }
  return perSquare
}
