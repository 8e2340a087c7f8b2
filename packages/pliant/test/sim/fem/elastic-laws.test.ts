import { describe, expect, it } from 'vitest'
import { type Random, randomStream } from '../../../src/index.js'
import { type BlockMatrix, createBlockMatrix, multiplyBlocks } from '../../../src/sim/fem/block-matrix.js'
import { Corotated } from '../../../src/sim/fem/corotated.js'
import type { ElasticLaw } from '../../../src/sim/fem/elastic-law.js'
import { NeoHookean } from '../../../src/sim/fem/neo-hookean.js'
import { restStiffness } from '../../../src/sim/fem/rest-stiffness.js'
import { type TetElements, tetElements } from '../../../src/sim/fem/tet-elements.js'
import { bar } from './bars.js'

const mesh = bar([0.3, 0.2, 0.2], [2, 1, 2])
const elements = tetElements(mesh)
const LAWS: [string, (e: TetElements, young: number, poisson: number) => ElasticLaw][] = [
  ['neo-Hookean', (e, young, poisson) => new NeoHookean(e, young, poisson)],
  ['corotated', (e, young, poisson) => new Corotated(e, young, poisson)],
]

function shaken(random: Random, amount: number): Float64Array {
  return mesh.positions.map((x) => x + amount * random.between(-1, 1))
}

/** What mass would hold up if there were no end of it: the second derivative as it is. */
const UNPROJECTED = 1e15

function matrixAt(law: ElasticLaw, e: TetElements, x: Float64Array, inertia: number): BlockMatrix {
  const matrix = createBlockMatrix(e.corners, e.nodeCount)
  law.addForcesAndStiffness(x, new Float64Array(x.length), matrix, inertia)
  return matrix
}

describe.each(LAWS)('%s', (name, make) => {
  const law = make(elements, 1e4, 0.4)

  it.each([1, 2, 3])('has forces that are minus the gradient of its energy (seed %i)', (seed) => {
    const random = randomStream(seed)
    const x = shaken(random, 0.04)
    const forces = new Float64Array(x.length)
    law.addForces(x, forces)
    const way = x.map(() => random.between(-1, 1))
    const at = (t: number) => law.energy(x.map((value, i) => value + t * way[i]))
    const slope = forces.reduce((sum, f, i) => sum - f * way[i], 0)
    expect((at(1e-6) - at(-1e-6)) / 2e-6 / slope).toBeCloseTo(1, 5)
  })

  it.each([4, 5, 6])('has a stiffness that is minus the gradient of its forces (seed %i)', (seed) => {
    const random = randomStream(seed)
    const x = shaken(random, 0.02)
    const way = x.map(() => random.between(-1, 1))
    const product = new Float64Array(x.length)
    multiplyBlocks(matrixAt(law, elements, x, UNPROJECTED), way, product)
    const forcesAt = (t: number) => {
      const forces = new Float64Array(x.length)
      law.addForces(
        x.map((value, i) => value + t * way[i]),
        forces,
      )
      return forces
    }
    const [before, after] = [forcesAt(-1e-6), forcesAt(1e-6)]
    const scale = Math.max(...product.map(Math.abs))
    for (let i = 0; i < x.length; i++) {
      expect(Math.abs((before[i] - after[i]) / 2e-6 - product[i])).toBeLessThan(1e-5 * scale)
    }
  })

  it('is linear elasticity at rest', () => {
    const way = mesh.positions.map((_, i) => Math.sin(7 * i))
    const product = new Float64Array(way.length)
    multiplyBlocks(matrixAt(law, elements, mesh.positions, 0), way, product)
    const { starts, columns, values } = restStiffness(mesh, { young: 1e4, poisson: 0.4 })
    for (let row = 0; row < way.length; row++) {
      let sum = 0
      for (let k = starts[row]; k < starts[row + 1]; k++) sum += values[k] * way[columns[k]]
      expect(Math.abs(sum - product[row])).toBeLessThan(1e-6 * 1e4)
    }
    expect(law.energy(mesh.positions)).toBeCloseTo(0, 9)
  })

  it.each([0, 0.3, 0.49])('never has a negative stiffness, inverted or crushed (Poisson %d)', (poisson) => {
    const random = randomStream(11)
    const corner = Float64Array.of(0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1)
    const one = tetElements({ positions: corner, tetrahedra: Uint32Array.of(0, 1, 2, 3) })
    const law = make(one, 1e4, poisson)
    for (let n = 0; n < 300; n++) {
      const spread = 10 ** random.between(-2, 0.3)
      const x = corner.map((value) => value + 0.1 * spread * random.between(-1, 1))
      expect(isPositive(matrixAt(law, one, x, 0), 1e-7), `${name}, case ${n}`).toBe(true)
    }
  })

  it('stays finite where everything is in one point', () => {
    const x = mesh.positions.map(() => 0.3)
    const forces = new Float64Array(x.length)
    law.addForces(x, forces)
    expect(law.energy(x)).toBeGreaterThan(0)
    expect(forces.every(Number.isFinite)).toBe(true)
    expect(matrixAt(law, elements, x, 0).values.every(Number.isFinite)).toBe(true)
  })
})

/** Whether a Cholesky factorisation goes through after a shift by a part of the largest diagonal entry. */
function isPositive(matrix: BlockMatrix, shift: number): boolean {
  const n = 3 * matrix.nodeCount
  const rows = Array.from({ length: n }, (_, row) => {
    const unit = new Float64Array(n)
    unit[row] = 1
    const column = new Float64Array(n)
    multiplyBlocks(matrix, unit, column)
    return column
  })
  const raise = shift * Math.max(...rows.map((row, i) => row[i]))
  for (let j = 0; j < n; j++) {
    rows[j][j] += raise
    for (let k = 0; k < j; k++) rows[j][j] -= rows[j][k] ** 2
    if (!(rows[j][j] > 0)) return false
    rows[j][j] = Math.sqrt(rows[j][j])
    for (let i = j + 1; i < n; i++) {
      for (let k = 0; k < j; k++) rows[i][j] -= rows[i][k] * rows[j][k]
      rows[i][j] /= rows[j][j]
    }
  }
  return true
}
