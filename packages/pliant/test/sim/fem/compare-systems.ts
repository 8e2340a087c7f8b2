/** The two systems of a step on the same state: what SIMD computes in single precision against doubles. */
import { expect } from 'vitest'
import { randomStream } from '../../../src/index.js'
import type { AddressCheck } from '../../../src/math/wasm/address-check.js'
import { createBlockMatrix } from '../../../src/sim/fem/block-matrix.js'
import { BlockSolver } from '../../../src/sim/fem/block-solver.js'
import { Corotated } from '../../../src/sim/fem/corotated.js'
import { NeoHookean } from '../../../src/sim/fem/neo-hookean.js'
import { createSimdSystem } from '../../../src/sim/fem/simd/simd-system.js'
import { PlainSystem, type StepSystem } from '../../../src/sim/fem/step-system.js'
import { tetElements } from '../../../src/sim/fem/tet-elements.js'
import { bar } from './bars.js'

const [YOUNG, POISSON, FACTOR, INERTIA] = [1e4, 0.45, 1.3, 2e4]

export interface ComparedSystems {
  /** How many tetrahedra each had to decompose. */
  decomposed: number[]
  iterations: number[]
}

/**
 * @param scramble        by which nodes are moved at random [m], in a bar with edges of 5 cm
 * @param checkAddresses  asked before every load and store of the kernels
 */
export function compareSystems(
  law: 'neo-hookean' | 'corotated',
  scramble: number,
  seed: number,
  checkAddresses?: AddressCheck,
): ComparedSystems {
  const mesh = bar([0.3, 0.2, 0.1], [6, 4, 2])
  const elements = tetElements(mesh)
  const { nodeCount } = elements
  const laws = [0, 1].map(() => new (law === 'corotated' ? Corotated : NeoHookean)(elements, YOUNG, POISSON))
  const matrix = createBlockMatrix(elements.corners, nodeCount)
  const plain = new PlainSystem(laws[0], matrix, new BlockSolver(nodeCount))
  const simd = createSimdSystem(elements, laws[1], createBlockMatrix(elements.corners, nodeCount), checkAddresses)
  const random = randomStream(seed)
  const positions = mesh.positions.map((x) => x + random.between(-scramble, scramble))
  const systems: StepSystem[] = [plain, simd]

  const forces = systems.map((system) => {
    const out = new Float64Array(3 * nodeCount).fill(0.5)
    system.linearise(positions, out, FACTOR, INERTIA)
    return out
  })
  expectClose(forces[1], forces[0], 1e-11)

  const blocks = new Float64Array(6 * nodeCount)
  for (let d = 0; d < blocks.length; d++) blocks[d] = [2, 0.3, -0.2, 3, 0.1, 2.5][d % 6]
  const fixed = Uint8Array.from({ length: nodeCount }, (_, node) => (node % 17 === 0 ? 1 : 0))
  const vector = Float64Array.from({ length: 3 * nodeCount }, () => random.between(-1, 1))
  const products = systems.map((system) => {
    system.complete(blocks, fixed)
    const out = new Float64Array(3 * nodeCount)
    system.multiply(vector, out)
    return out
  })
  expectClose(products[1], products[0], 1e-5)
  const [weight, single] = systems.map((system) => system.weigh(vector))
  expect(single / weight).toBeCloseTo(1, 5)

  const iterations: number[] = []
  const solutions = systems.map((system) => {
    const out = vector.slice()
    iterations.push(system.improve(vector, out, 1e-6 * weight, 500))
    return out
  })
  expectClose(solutions[1], solutions[0], 1e-3)
  for (let i = 0; i < vector.length; i++) {
    if (fixed[Math.trunc(i / 3)] === 1) expect(solutions[1][i]).toBe(vector[i])
  }
  return { iterations, decomposed: laws.map((one) => (one instanceof NeoHookean ? one.decomposed : 0)) }
}

function expectClose(values: Float64Array, truth: Float64Array, tolerance: number): void {
  const size = truth.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  for (let i = 0; i < truth.length; i++) expect(Math.abs(values[i] - truth[i])).toBeLessThan(tolerance * size)
}
