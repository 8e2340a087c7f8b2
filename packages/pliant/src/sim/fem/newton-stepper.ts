/**
 * Fully implicit Euler: each step is the minimum of the incremental potential, found by Newton's method with projected
 * stiffness and a line search that always goes down. For making poses, and for statics with long steps.
 *
 * A step that does not converge is taken back and done in two halves, and these again, `halvings` times at most; what
 * then does not converge is kept as far as it came, for it went down all the way, and is reported.
 */
import { requireFinite, shown } from '../../math/require.js'
import { BELOW_ONE, COUNT, COUNT_OR_ZERO, POSITIVE, type Rules, settingsOf } from '../../math/settings.js'
import type { FemBody } from './fem-body.js'
import { IncrementalPotential } from './incremental-potential.js'
import { shareResidual } from './share-residual.js'

export interface NewtonOptions {
  /** Converged when no node moves more than this part of the body's size in an iteration. */
  tolerance?: number
  /** Most Newton iterations before a step is halved. */
  iterations?: number
  /** How much of the gradient the linear solver may leave, in (0, 1); small for quadratic convergence. */
  solverTolerance?: number
  /** Most iterations of the linear solver. */
  solverIterations?: number
  /** How often a step that does not converge may be halved. */
  halvings?: number
}

export const NEWTON_DEFAULTS = {
  tolerance: 1e-5,
  iterations: 30,
  solverTolerance: 1e-2,
  solverIterations: 500,
  halvings: 3,
} as const

const RULES: Rules<NewtonOptions> = {
  tolerance: POSITIVE,
  iterations: COUNT,
  solverTolerance: BELOW_ONE,
  solverIterations: COUNT,
  halvings: COUNT_OR_ZERO,
}

export interface NewtonReport {
  converged: boolean
  /** Newton iterations, those of all halves included. */
  iterations: number
  /** Iterations of the linear solver. */
  solverIterations: number
  /** Largest motion of a node [m] in each iteration of the last part of the step. */
  moves: number[]
}

/** Shortening a move this often finds a way down wherever there is one above rounding. */
const SHORTENINGS = 24
/** A move must give this part of what its slope promises. */
const ARMIJO = 1e-4
/** Of the body's size: below this the gain of a move drowns in rounding, and it is taken as it is. */
const TINY = 1e-7

export class NewtonStepper {
  private readonly potential: IncrementalPotential
  private readonly before: Float64Array
  private readonly move: Float64Array

  constructor(private readonly body: FemBody) {
    this.potential = new IncrementalPotential(body)
    this.before = new Float64Array(3 * body.nodeCount)
    this.move = new Float64Array(3 * body.nodeCount)
  }

  /**
   * Moves the body on.
   * @param h duration [s], positive
   * @throws RangeError if the duration is not a positive number, or forces, positions or velocities are not finite
   */
  step(h: number, options: NewtonOptions = {}): NewtonReport {
    if (!POSITIVE.fits(h)) {
      throw new RangeError(`fem: the step lasts ${shown(h)}; pass a positive number of seconds.`)
    }
    this.body.requireFiniteState()
    requireFinite('fem', this.body.velocities, 'velocity of node', 3)
    const settings = settingsOf<Required<NewtonOptions>>('fem', options, NEWTON_DEFAULTS, RULES)
    const report: NewtonReport = { converged: true, iterations: 0, solverIterations: 0, moves: [] }
    this.advance(h, 1, settings.halvings, settings, report)
    return report
  }

  /** @param share of the way that pins have left which this part of the step is to go */
  private advance(h: number, share: number, halvings: number, settings: Settings, report: NewtonReport): void {
    const { positions: x, velocities: v } = this.body
    const { start } = this.potential
    this.potential.begin(h)
    this.guess(h, share)
    const converged = this.minimise(h, settings, report)
    if (!converged && halvings > 0) {
      x.set(start)
      this.advance(h / 2, share / 2, halvings - 1, settings, report)
      this.advance(h / 2, share / (2 - share), halvings - 1, settings, report)
      return
    }
    report.converged &&= converged
    for (let i = 0; i < x.length; i++) v[i] = (x[i] - start[i]) / h
  }

  /** Puts pins where they are to be, and the rest where it would fly: nearly right in the air, too far at an impact. */
  private guess(h: number, share: number): void {
    const { body, before, move, potential } = this
    const { positions: x, velocities: v } = body
    move.fill(0)
    body.writePinnedMoves(share, move)
    for (let i = 0; i < x.length; i++) x[i] += move[i]
    before.set(x)
    const staying = potential.energy()
    for (let i = 0; i < x.length; i++) if (body.pinned[Math.trunc(i / 3)] === 0) x[i] += h * v[i]
    if (!(potential.energy() < staying)) x.set(before)
  }

  private minimise(h: number, settings: Settings, report: NewtonReport): boolean {
    const { body, potential, move } = this
    const { solver, matrix, size, totalMass } = body
    // A hundredth of the move that counts as none, in the measure of the masses.
    const floor = totalMass * ((0.01 * settings.tolerance * size) / h) ** 2
    const limits = { tolerance: settings.solverTolerance, floor, iterations: settings.solverIterations }
    report.moves = []
    let energy = potential.energy()
    for (let iteration = 0; iteration < settings.iterations; iteration++) {
      report.iterations++
      potential.linearise()
      solver.prepare(matrix, body.pinned)
      move.fill(0)
      // What the body does as a whole first: gravity alone then leaves nothing to solve.
      if (!body.hasPins) shareResidual(potential.blocks, potential.descent, move)
      report.solverIterations += solver.solve(matrix, potential.descent, move, limits)
      if (!body.hasPins) shareResidual(potential.blocks, solver.residual, move)
      const largest = largestOf(move)
      report.moves.push(largest)
      const lower = this.search(energy, largest <= TINY * size)
      if (lower === undefined) return largest <= settings.tolerance * size
      energy = lower
      if (largest <= settings.tolerance * size) return true
    }
    return false
  }

  /** Goes along `move`, shortened until it pays; stays if it never does. @returns the energy there */
  private search(energy: number, anyway: boolean): number | undefined {
    const { before, move, potential } = this
    const { positions: x } = this.body
    let slope = 0
    for (let i = 0; i < move.length; i++) slope -= potential.descent[i] * move[i]
    before.set(x)
    let length = 1
    for (let tries = 0; tries < SHORTENINGS; tries++, length /= 2) {
      for (let i = 0; i < x.length; i++) x[i] = before[i] + length * move[i]
      const lower = potential.energy()
      if (lower <= energy + ARMIJO * length * slope || (anyway && Number.isFinite(lower))) return lower
    }
    x.set(before)
    return undefined
  }
}

type Settings = Required<NewtonOptions>

function largestOf(move: Float64Array): number {
  let squared = 0
  for (let i = 0; i < move.length; i += 3) {
    squared = Math.max(squared, move[i] ** 2 + move[i + 1] ** 2 + move[i + 2] ** 2)
  }
  return Math.sqrt(squared)
}
