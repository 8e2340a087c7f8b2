/**
 * Linear modes of a free elastic body (Zesch et al. 2022, section 3.1.1): the smallest eigenpairs of K U = M U Lambda,
 * U^T M U = I, without the six rigid motions. With S = M^-1/2 this is the standard problem of A = S K S; its pairs nearest to a small
 * negative shift are the largest of (A - shift)^-1, which is factorised once.
 */
import {
  multiplySparse,
  NotPositiveDefinite,
  type OnProgress,
  SparseCholesky,
  type SparseMatrix,
  sparseIndex,
} from 'pliant/unstable'
import { BadInput } from '../input/bad-input.js'
import { largestEigenpairs } from './block-lanczos.js'

export interface VibrationModesOptions {
  /** Modes wanted, rigid ones not counted. */
  count?: number
  /** Largest residual of a mode, as `VibrationModes.residual` measures it; a mode above it is an error. */
  tolerance?: number
  /** Of the vectors that the search begins with. */
  seed?: number
  /** Told about which part of the search is done. */
  onProgress?: OnProgress
}
export const VIBRATION_MODES_DEFAULTS = { count: 128, tolerance: 1e-6, seed: 1 } as const

export interface VibrationModes {
  /** Squared angular frequencies [1/s^2], ascending. */
  eigenvalues: Float64Array
  /**
   * Displacement fields [m per unit of code], one after the other, each 3n numbers; unit mass norm. The largest entry of
   * each is positive. Modes of one eigenvalue are any basis of its space, always the same for the same input.
   */
  modes: Float64Array
  /** Eigenvalues of the six motions left out: zero but for rounding. */
  rigidEigenvalues: Float64Array
  /** Largest |K u - lambda M u| of all modes in the norm of M^-1, relative to lambda. */
  residual: number
  /** Vectors that the search went through. */
  basisSize: number
}

const RIGID = 6

/** How far below zero the shift is, as a share of the mean eigenvalue tr K / tr M. */
const SHIFT = 1e-6

/** The last rigid eigenvalue must lie below this share of the first elastic one. */
const RIGID_GAP = 1e-3

/** What rounding leaves of a rigid eigenvalue, as a share of the shift: 1e-7 was seen. */
const ROUNDING = 1e-6

/** Entries this near to the largest count as equal to it when the sign is chosen, so that rounding does not decide. */
const SIGN_TIE = 1e-5

/**
 * @param stiffness  K [N/m], symmetric, 3n x 3n, row 3 node + axis, as `restStiffness` gives
 * @param masses     lumped masses [kg], length n
 * @throws BadInput if the body is not free, or falls into several, or has too few nodes for so many modes
 */
export function vibrationModes(
  stiffness: SparseMatrix,
  masses: Float64Array,
  options: VibrationModesOptions = {},
): VibrationModes {
  const { count, tolerance, seed } = { ...VIBRATION_MODES_DEFAULTS, ...options }
  const { size } = stiffness
  checkInput(stiffness, masses, count)
  const scales = Float64Array.from({ length: size }, (_, i) => 1 / Math.sqrt(masses[Math.floor(i / 3)]))
  const scaled = scaleMatrix(stiffness, scales)
  let trace = 0
  let massTrace = 0
  for (let i = 0; i < size; i++) {
    trace += stiffness.values[sparseIndex(stiffness, i, i)]
    massTrace += masses[Math.floor(i / 3)]
  }
  const shift = (-SHIFT * trace) / massTrace
  const solver = factoriseShifted(scaled, shift)
  const invert = (block: Float64Array, sides: number, out: Float64Array): void => solver.solve(block, out, sides)
  // Rigid motions are one eigenvalue six times over, so they are looked for first, in a wider block than the rest need.
  // They stand out so far that they are exact long before the first elastic mode is known to this tolerance.
  const lowest = largestEigenpairs(size, invert, { count: RIGID + 1, block: RIGID + 2, tolerance: 1e-6, seed })
  checkRigid(rayleighQuotients(scaled, lowest.vectors).eigenvalues, shift)
  const start = lowest.vectors.subarray(0, RIGID * size)
  const { onProgress } = options
  const { vectors, basisSize } = largestEigenpairs(size, invert, { count: count + RIGID, start, seed, onProgress })
  const { eigenvalues, residuals } = rayleighQuotients(scaled, vectors)
  checkRigid(eigenvalues, shift)
  const elastic = eigenvalues.subarray(RIGID)
  const residual = residuals.subarray(RIGID).reduce((most, value, k) => Math.max(most, value / elastic[k]), 0)
  if (!(residual <= tolerance)) {
    throw new Error(
      `modes: a mode's residual is ${residual.toExponential(1)}, allowed are ${tolerance}; the mesh may have nearly flat tetrahedra, which 'pliant inspect' lists.`,
    )
  }
  const modes = vectors.slice(RIGID * size)
  for (let k = 0; k < count; k++) finishMode(modes.subarray(k * size, (k + 1) * size), scales)
  return { eigenvalues: elastic.slice(), modes, rigidEigenvalues: eigenvalues.slice(0, RIGID), residual, basisSize }
}

function checkInput({ size }: SparseMatrix, masses: Float64Array, count: number): void {
  if (size !== 3 * masses.length) {
    throw new RangeError(`modes: stiffness of ${size} unknowns and ${masses.length} masses; give one mass per node.`)
  }
  if (!(Number.isInteger(count) && count > 0)) {
    throw new BadInput(`modes: ${count} modes; ask for a whole number of at least 1.`)
  }
  if (count + RIGID > size) {
    throw new BadInput(
      `modes: ${count} modes of a body of ${masses.length} nodes; it has ${Math.max(0, size - RIGID)}, ask for no more.`,
    )
  }
  const massless = masses.findIndex((mass) => !(mass > 0 && mass < Number.POSITIVE_INFINITY))
  if (massless >= 0) {
    throw new BadInput(
      `modes: node ${massless} has mass ${masses[massless]}; drop nodes that no tetrahedron uses, and mend tetrahedra without volume.`,
    )
  }
}

/** S K S. */
function scaleMatrix(matrix: SparseMatrix, scales: Float64Array): SparseMatrix {
  const { size, starts, columns } = matrix
  const values = matrix.values.slice()
  for (let row = 0; row < size; row++) {
    for (let at = starts[row]; at < starts[row + 1]; at++) values[at] *= scales[row] * scales[columns[at]]
  }
  return { size, starts, columns, values }
}

function factoriseShifted(matrix: SparseMatrix, shift: number): SparseCholesky {
  const shifted = { ...matrix, values: matrix.values.slice() }
  for (let i = 0; i < matrix.size; i++) shifted.values[sparseIndex(matrix, i, i)] -= shift
  const solver = new SparseCholesky(shifted, { block: 3 })
  try {
    solver.factorise(shifted)
  } catch (error) {
    if (!(error instanceof NotPositiveDefinite)) throw error
    throw new BadInput(
      `modes: the stiffness is not positive at node ${Math.floor(error.unknown / 3)}; mend tetrahedra that are inverted or flat, and keep Poisson's ratio below 0.5.`,
    )
  }
  return solver
}

/** y^T A y of each unit vector, and |A y - (y^T A y) y|. */
function rayleighQuotients(matrix: SparseMatrix, vectors: Float64Array) {
  const { size } = matrix
  const count = vectors.length / size
  const eigenvalues = new Float64Array(count)
  const residuals = new Float64Array(count)
  const product = new Float64Array(size)
  for (let k = 0; k < count; k++) {
    const vector = vectors.subarray(k * size, (k + 1) * size)
    multiplySparse(matrix, vector, product)
    let quotient = 0
    for (let i = 0; i < size; i++) quotient += vector[i] * product[i]
    let squares = 0
    for (let i = 0; i < size; i++) squares += (product[i] - quotient * vector[i]) ** 2
    eigenvalues[k] = quotient
    residuals[k] = Math.sqrt(squares)
  }
  return { eigenvalues, residuals }
}

/** @throws BadInput if there are more or fewer than six motions without resistance */
function checkRigid(eigenvalues: Float64Array, shift: number): void {
  const firstElastic = eigenvalues[RIGID]
  let lastRigid = ROUNDING * Math.abs(shift)
  for (let k = 0; k < RIGID; k++) lastRigid = Math.max(lastRigid, Math.abs(eigenvalues[k]))
  if (lastRigid < RIGID_GAP * firstElastic) return
  const free = eigenvalues.filter((value) => Math.abs(value) < RIGID_GAP * Math.abs(shift)).length
  throw new BadInput(
    free > RIGID
      ? `modes: at least ${free} motions meet no resistance, one body has ${RIGID}; the mesh falls into several bodies, or into parts that meet in a point or an edge only: join them or keep one.`
      : `modes: eigenvalue ${RIGID} is ${lastRigid.toExponential(2)}, not far below eigenvalue ${RIGID + 1}, ${firstElastic.toExponential(2)}; the stiffness must leave the body free, give it without held nodes.`,
  )
}

/** From a unit vector y of A to the mode S y, with its sign. */
function finishMode(mode: Float64Array, scales: Float64Array): void {
  let most = 0
  for (let i = 0; i < mode.length; i++) {
    mode[i] *= scales[i]
    most = Math.max(most, Math.abs(mode[i]))
  }
  const first = mode.findIndex((value) => Math.abs(value) >= (1 - SIGN_TIE) * most)
  if (mode[first] < 0) for (let i = 0; i < mode.length; i++) mode[i] = -mode[i]
}
