import { randomStream, type TetMesh } from 'pliant'
import { lumpedMasses, multiplySparse, restStiffness, type SparseMatrix, sparseIndex } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { vibrationModes } from '../../src/modes/vibration-modes.js'
import { besides, boxOfTets } from './box-of-tets.js'

const MATERIAL = { young: 1e5, poisson: 0.3, density: 1000 } as const

function bodyOf(mesh: TetMesh, material: { young: number; poisson: number; density: number } = MATERIAL) {
  return { stiffness: restStiffness(mesh, material), masses: lumpedMasses(mesh, material.density) }
}

/** Eigenvalues of M^-1/2 K M^-1/2 by Jacobi's rotations, slow and sure. */
function denseEigenvalues({ size, starts, columns, values }: SparseMatrix, masses: Float64Array): number[] {
  const a = Array.from({ length: size }, () => new Float64Array(size))
  for (let i = 0; i < size; i++) {
    for (let at = starts[i]; at < starts[i + 1]; at++) {
      const j = columns[at]
      a[i][j] = values[at] / Math.sqrt(masses[Math.floor(i / 3)] * masses[Math.floor(j / 3)])
    }
  }
  for (let sweep = 0; sweep < 9; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) {
        if (a[p][q] === 0) continue
        const half = (a[q][q] - a[p][p]) / (2 * a[p][q])
        const t = (half < 0 ? -1 : 1) / (Math.abs(half) + Math.sqrt(half * half + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        const s = t * c
        for (let k = 0; k < size; k++) {
          const [x, y] = [a[k][p], a[k][q]]
          a[k][p] = c * x - s * y
          a[k][q] = s * x + c * y
        }
        for (let k = 0; k < size; k++) {
          const [x, y] = [a[p][k], a[q][k]]
          a[p][k] = c * x - s * y
          a[q][k] = s * x + c * y
        }
      }
    }
  }
  return a.map((row, i) => row[i]).sort((x, y) => x - y)
}

it('finds the eigenvalues that a dense solver finds', () => {
  const { stiffness, masses } = bodyOf(boxOfTets([3, 2, 2], [0.3, 0.17, 0.2]))
  const expected = denseEigenvalues(stiffness, masses)
  // Few, in a part of the space, and nearly all, where the search goes through the whole of it.
  for (const count of [5, 20, stiffness.size - 6]) {
    const { eigenvalues, rigidEigenvalues } = vibrationModes(stiffness, masses, { count })
    expect(eigenvalues.length).toBe(count)
    for (let k = 0; k < count; k++) expect(eigenvalues[k] / expected[6 + k]).toBeCloseTo(1, 9)
    for (const value of rigidEigenvalues) expect(Math.abs(value)).toBeLessThan(1e-9 * eigenvalues[0])
  }
})

it('finds the axial frequencies of a free bar: k pi sqrt(E / rho) / L', () => {
  const [cells, length] = [[40, 3, 3], 1]
  const material = { young: 1e5, poisson: 0, density: 1000 }
  const mesh = boxOfTets(cells, [length, 0.1, 0.1])
  const { stiffness, masses } = bodyOf(mesh, material)
  const { eigenvalues, modes } = vibrationModes(stiffness, masses, { count: 16 })
  for (const k of [1, 2]) {
    // The mode that moves most along the bar as cos(k pi x / L) does.
    const shares = [...eigenvalues.keys()].map((mode) => {
      let [along, squares] = [0, 0]
      for (let node = 0; node < masses.length; node++) {
        const shape = Math.cos((k * Math.PI * mesh.positions[3 * node]) / length)
        along += masses[node] * shape * modes[mode * stiffness.size + 3 * node]
        squares += masses[node] * shape * shape
      }
      return (along * along) / squares
    })
    const best = shares.indexOf(Math.max(...shares))
    expect(shares[best]).toBeGreaterThan(0.99)
    const frequency = (k * Math.PI * Math.sqrt(material.young / material.density)) / length
    expect(Math.sqrt(eigenvalues[best]) / frequency).toBeGreaterThan(0.99)
    expect(Math.sqrt(eigenvalues[best]) / frequency).toBeLessThan(1.01)
  }
})

it('gives modes of unit mass norm, orthogonal to each other and to rigid motion, that solve K u = lambda M u', () => {
  const mesh = boxOfTets([6, 4, 4], [0.3, 0.17, 0.2])
  const { stiffness, masses } = bodyOf(mesh, { ...MATERIAL, poisson: 0.49 })
  const { size } = stiffness
  const count = 40
  const { eigenvalues, modes, residual } = vibrationModes(stiffness, masses, { count })
  const product = new Float64Array(size)
  for (let a = 0; a < count; a++) {
    const mode = modes.subarray(a * size, (a + 1) * size)
    for (let b = 0; b <= a; b++) {
      let sum = 0
      for (let i = 0; i < size; i++) sum += masses[Math.floor(i / 3)] * mode[i] * modes[b * size + i]
      expect(Math.abs(sum - (a === b ? 1 : 0))).toBeLessThan(1e-11)
    }
    const moments = new Float64Array(6)
    for (let node = 0; node < masses.length; node++) {
      for (let axis = 0; axis < 3; axis++) {
        const [p, q] = [(axis + 1) % 3, (axis + 2) % 3]
        const x = mesh.positions.subarray(3 * node, 3 * node + 3)
        const u = mode.subarray(3 * node, 3 * node + 3)
        moments[axis] += masses[node] * u[axis]
        moments[3 + axis] += masses[node] * (x[p] * u[q] - x[q] * u[p])
      }
    }
    for (const moment of moments) expect(Math.abs(moment)).toBeLessThan(1e-9)
    multiplySparse(stiffness, mode, product)
    let squares = 0
    for (let i = 0; i < size; i++) {
      const mass = masses[Math.floor(i / 3)]
      squares += (product[i] - eigenvalues[a] * mass * mode[i]) ** 2 / mass
    }
    expect(Math.sqrt(squares) / eigenvalues[a]).toBeLessThanOrEqual(residual * 1.01)
  }
  expect(residual).toBeLessThan(1e-7)
})

it('finds both of two equal eigenvalues of a cube', () => {
  // Turned by a third about the diagonal that its cells are cut along, the cube is itself again: modes come in twos.
  const { stiffness, masses } = bodyOf(boxOfTets([2, 2, 2], [0.1, 0.1, 0.1]))
  const { eigenvalues } = vibrationModes(stiffness, masses, { count: 10 })
  const twins = [...eigenvalues.keys()].filter((k) => k > 0 && eigenvalues[k] / eigenvalues[k - 1] < 1 + 1e-9)
  expect(twins.length).toBeGreaterThan(1)
  const expected = denseEigenvalues(stiffness, masses)
  for (let k = 0; k < 10; k++) expect(eigenvalues[k] / expected[6 + k]).toBeCloseTo(1, 9)
})

it('gives the same bytes for the same input, and the same modes and signs from another start', () => {
  const { stiffness, masses } = bodyOf(boxOfTets([5, 4, 3], [0.3, 0.17, 0.11]))
  const first = vibrationModes(stiffness, masses, { count: 20 })
  expect(vibrationModes(stiffness, masses, { count: 20 })).toEqual(first)
  const other = vibrationModes(stiffness, masses, { count: 20, seed: 2 })
  const largest = Math.max(...first.modes)
  for (let i = 0; i < first.modes.length; i++) {
    expect(Math.abs(first.modes[i] - other.modes[i])).toBeLessThan(1e-7 * largest)
  }
})

it('says so when a mesh is two bodies, or two that meet in one node', () => {
  const box = boxOfTets([2, 2, 2], [0.1, 0.1, 0.1])
  const moved = { ...box, positions: box.positions.map((x) => x + 0.1) }
  const apart = bodyOf(besides(box, { ...box, positions: box.positions.map((x) => x + 1) }))
  expect(() => vibrationModes(apart.stiffness, apart.masses, { count: 10 })).toThrow(/at least \d+ motions.*several/)
  expect(() => vibrationModes(apart.stiffness, apart.masses, { count: 1 })).toThrow('several bodies')
  const joined = besides(box, moved)
  const last = box.positions.length / 3 - 1
  // The second box's first node becomes the first box's last; all after it move up by one.
  const hinged = bodyOf({
    positions: Float64Array.of(...box.positions, ...moved.positions.subarray(3)),
    tetrahedra: joined.tetrahedra.map((node) => (node === last + 1 ? last : node > last ? node - 1 : node)),
  })
  expect(() => vibrationModes(hinged.stiffness, hinged.masses, { count: 10 })).toThrow(
    'several bodies, or into parts that meet in a point',
  )
})

it('refuses a body that is held, massless nodes, and more modes than it has', () => {
  const { stiffness, masses } = bodyOf(boxOfTets([2, 2, 2], [0.1, 0.1, 0.1]))
  const held = { ...stiffness, values: stiffness.values.slice() }
  for (let i = 0; i < 27; i++) held.values[sparseIndex(held, i, i)] *= 10
  expect(() => vibrationModes(held, masses, { count: 3 })).toThrow('without held nodes')
  expect(() => vibrationModes(stiffness, masses.with(4, 0), { count: 3 })).toThrow('node 4 has mass 0')
  expect(() => vibrationModes(stiffness, masses, { count: 76 })).toThrow('it has 75')
  expect(() => vibrationModes(stiffness, masses.subarray(1))).toThrow('26 masses')
  const inside = { ...stiffness, values: stiffness.values.map((value) => -value) }
  expect(() => vibrationModes(inside, masses, { count: 3 })).toThrow('inverted or flat')
})

it('takes crooked elements and uneven masses (seed 3)', () => {
  const random = randomStream(3)
  const box = boxOfTets([3, 2, 2], [0.3, 0.2, 0.2])
  const mesh = { ...box, positions: box.positions.map((x) => x + 0.01 * random.normal()) }
  const { stiffness, masses } = bodyOf(mesh, { ...MATERIAL, poisson: 0.49 })
  const uneven = masses.map((mass) => mass * random.between(0.1, 10))
  const { eigenvalues } = vibrationModes(stiffness, uneven, { count: 30 })
  const expected = denseEigenvalues(stiffness, uneven)
  for (let k = 0; k < 30; k++) expect(eigenvalues[k] / expected[6 + k]).toBeCloseTo(1, 8)
})
