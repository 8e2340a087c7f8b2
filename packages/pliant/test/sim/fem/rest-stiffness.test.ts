import { describe, expect, it } from 'vitest'
import { multiplySparse } from '../../../src/math/sparse/sparse-matrix.js'
import { restStiffness } from '../../../src/sim/fem/rest-stiffness.js'
import { lumpedMasses } from '../../../src/sim/fem/tet-elements.js'
import { bar } from './bars.js'

const mesh = bar([0.3, 0.2, 0.1], [3, 2, 2])
const material = { young: 2e5, poisson: 0.3 }

/** u^T K u / 2 of a displacement given as a function of the point. */
function energyOf(field: (x: number, y: number, z: number) => number[]): number {
  const matrix = restStiffness(mesh, material)
  const u = new Float64Array(matrix.size)
  for (let i = 0; i < u.length; i += 3) u.set(field(mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]), i)
  const force = new Float64Array(u.length)
  multiplySparse(matrix, u, force)
  return force.reduce((sum, f, i) => sum + f * u[i], 0) / 2
}

describe('rest stiffness', () => {
  it('is symmetric, or modes would be complex', () => {
    const { size, starts, columns, values } = restStiffness(mesh, material)
    const entries = new Map<number, number>()
    for (let row = 0; row < size; row++) {
      for (let k = starts[row]; k < starts[row + 1]; k++) entries.set(row * size + columns[k], values[k])
    }
    for (const [key, value] of entries) {
      const [row, column] = [Math.floor(key / size), key % size]
      expect(Math.abs(entries.get(column * size + row)! - value)).toBeLessThan(1e-9 * 2e5)
    }
  })

  it('does not feel rigid motions', () => {
    for (const rigid of [
      () => [1, 0, 0],
      (_x: number, y: number, z: number) => [0, -z, y],
      (x: number, y: number) => [-y, x, 0],
    ]) {
      expect(Math.abs(energyOf(rigid))).toBeLessThan(1e-9)
    }
  })

  it('stores the energy of uniform strains: Young along one axis, shear modulus aslant', () => {
    const volume = 0.3 * 0.2 * 0.1
    const { young, poisson } = material
    const stretch = energyOf((x, y, z) => [0.01 * x, -0.01 * poisson * y, -0.01 * poisson * z])
    expect(stretch / ((volume * young * 0.01 ** 2) / 2)).toBeCloseTo(1, 9)
    const shear = energyOf((_x, y) => [0.01 * y, 0, 0])
    expect(shear / ((volume * (young / (2 * (1 + poisson))) * 0.01 ** 2) / 2)).toBeCloseTo(1, 9)
  })

  it('refuses what cannot be simulated, and says what to do', () => {
    expect(() => restStiffness(mesh, { poisson: 0.5 })).toThrow(
      /poisson is 0.5; give a number above -1 and at most 0.49/,
    )
    expect(() => restStiffness(mesh, { young: Number.NaN })).toThrow(/young is NaN/)
    const inverted = { ...mesh, tetrahedra: mesh.tetrahedra.slice() }
    inverted.tetrahedra.set([mesh.tetrahedra[1], mesh.tetrahedra[0]], 0)
    expect(() => restStiffness(inverted)).toThrow(/inverted.*: 0/)
    const unused = { positions: Float64Array.of(...mesh.positions, 9, 9, 9), tetrahedra: mesh.tetrahedra }
    expect(() => restStiffness(unused)).toThrow(/dropUnusedNodes/)
    expect(() => restStiffness({ positions: new Float64Array(0), tetrahedra: new Uint32Array(0) })).toThrow(
      /no tetrahedra/,
    )
  })
})

describe('lumped masses', () => {
  it('sum to density times volume and are positive', () => {
    const masses = lumpedMasses(mesh, 1200)
    expect(masses.reduce((sum, mass) => sum + mass)).toBeCloseTo(1200 * 0.3 * 0.2 * 0.1, 9)
    expect(Math.min(...masses)).toBeGreaterThan(0)
    expect(() => lumpedMasses(mesh, 0)).toThrow(/density is 0/)
  })
})
