import { describe, expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import type { NetworkShape } from '../../../src/net/network-shape.js'
import { ScalarNetwork } from '../../../src/net/scalar/scalar-network.js'
import { ACTIVATIONS, randomCode, randomPoints, randomShape, randomTensors } from '../random-network.js'

/** Step of the central differences; a power of two, so that the shifted points are exact in single precision. */
const STEP = 2 ** -10

/**
 * Share of the components at which the gradient contradicts differences. Where a kink (relu, the face of a grid cell)
 * lies within a step, or the function curves, the two one-sided differences differ; the gradient is then one of them,
 * at most half that difference from their mean.
 */
function contradictions(network: ScalarNetwork, points: Float32Array): number {
  const count = points.length / 3
  const values = new Float64Array(count)
  const gradients = new Float64Array(3 * count)
  network.query(points, count, values, gradients)
  const shifted = new Float64Array(3)
  const at = new Float64Array(1)
  const value = (i: number, axis: number, step: number): number => {
    for (let a = 0; a < 3; a++) shifted[a] = points[3 * i + a] + (a === axis ? step : 0)
    network.query(shifted, 1, at)
    return at[0]
  }
  let wrong = 0
  for (let i = 0; i < count; i++) {
    for (let axis = 0; axis < 3; axis++) {
      const right = (value(i, axis, STEP) - values[i]) / STEP
      const left = (values[i] - value(i, axis, -STEP)) / STEP
      const error = Math.abs((right + left) / 2 - gradients[3 * i + axis])
      if (!(error <= Math.abs(right - left) / 2 + 1e-4 * (1 + Math.abs(right)))) wrong++
    }
  }
  return wrong / (3 * count)
}

describe('ScalarNetwork', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = randomStream(seed)
    const shape: NetworkShape = { ...randomShape(random), activation: ACTIVATIONS[seed % ACTIVATIONS.length] }
    it(`has the gradient that central differences show (${shape.activation}, seed ${seed})`, () => {
      const network = new ScalarNetwork(shape, randomTensors(shape, seed))
      network.pose(randomCode(shape, seed))
      // Points on a lattice of 2^-6, away from which the shifted points stay exact.
      const points = randomPoints(40, seed).map((x) => Math.round(x * 64) / 64)
      // Two kinks that cancel within one step look like a contradiction; smooth networks have none.
      const isSmooth = shape.activation !== 'relu' && shape.grids.length === 0 && !shape.warp
      expect(contradictions(network, points)).toBeLessThanOrEqual(isSmooth ? 0 : 0.02)
    })
  }

  it('agrees with a two-layer network worked out by hand', () => {
    const shape: NetworkShape = {
      code: 1,
      conditioning: { kind: 'input' },
      warp: null,
      grids: [],
      hidden: [2],
      activation: 'relu',
      output: 'linear',
    }
    const tensors = new Map([
      // Rows: x, y, z, code.
      ['dense.0.weight', Float32Array.of(1, 0, 0, 1, 2, 0, 0, -3)],
      ['dense.0.bias', Float32Array.of(0.5, 0.25)],
      ['dense.1.weight', Float32Array.of(2, 10)],
      ['dense.1.bias', Float32Array.of(-1)],
    ])
    const network = new ScalarNetwork(shape, tensors)
    network.pose([0.5])
    const values = new Float64Array(1)
    const gradients = new Float64Array(3)
    // Hidden: 1 + 2 * 0.5 + 0.5 = 2.5, and 1 + 0.25 - 1.5 = -0.25, which relu cuts off.
    network.query(Float64Array.of(1, 1, 0.5), 1, values, gradients)
    expect([values[0], ...gradients]).toEqual([4, 2, 0, 4])
  })

  it('blends the warp grid with the coefficients of the code', () => {
    const grid = { resolution: [2, 2, 2], channels: 3, lower: [0, 0, 0], upper: [1, 1, 1] } as const
    const shape: NetworkShape = {
      code: 1,
      conditioning: { kind: 'blend', coefficients: 1, hidden: 0, layers: 0 },
      warp: grid,
      grids: [],
      hidden: [],
      activation: 'relu',
      output: 'linear',
    }
    // Displacement along x of z times the code: every node with z = 1 moves by one unit of the code.
    const basis = Float32Array.from({ length: 24 }, (_, i) => (i >= 12 && i % 3 === 0 ? 1 : 0))
    const tensors = new Map([
      ['code.linear', Float32Array.of(2)],
      ['code.offset', Float32Array.of(0)],
      ['warp.base', new Float32Array(24)],
      ['warp.basis', basis],
      // The answer is X.x, the warped point's first coordinate.
      ['dense.0.weight', Float32Array.of(0, 0, 0, 1, 0, 0)],
      ['dense.0.bias', Float32Array.of(0)],
    ])
    const network = new ScalarNetwork(shape, tensors)
    network.pose([0.25])
    const values = new Float64Array(1)
    const gradients = new Float64Array(3)
    network.query(Float64Array.of(0.75, 0.5, 0.5), 1, values, gradients)
    // X.x = x - 2 * 0.25 * z.
    expect(values[0]).toBeCloseTo(0.5, 12)
    expect([...gradients]).toEqual([1, 0, -0.5])
  })

  it('answers NaN for a NaN point instead of a number that looks like a distance', () => {
    const shape = { ...randomShape(randomStream(5)), activation: 'relu' } as const
    const network = new ScalarNetwork(shape, randomTensors(shape, 5))
    network.pose(randomCode(shape, 5))
    const values = new Float64Array(1)
    network.query(Float64Array.of(0, Number.NaN, 0), 1, values)
    expect(values[0]).toBeNaN()
  })
})
