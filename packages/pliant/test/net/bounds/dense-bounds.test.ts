import { describe, expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { DenseBounds, type Symbols } from '../../../src/net/bounds/dense-bounds.js'
import { type Activation, type DenseShape, denseTensors } from '../../../src/net/dense/dense-shape.js'
import { ScalarDenseNetwork } from '../../../src/net/dense/scalar-dense-network.js'
import { ACTIVATIONS } from '../random-network.js'

/** Weights that keep values of one size through relu. */
function randomDense(shape: DenseShape, seed: number): Map<string, Float32Array> {
  const random = randomStream(seed, 3)
  return new Map(
    [...denseTensors(shape)].map(([name, dims]) => {
      const scale = dims.length > 1 ? Math.sqrt(2 / dims[0]) : 0.1
      return [name, Float32Array.from({ length: dims.reduce((a, b) => a * b) }, () => scale * random.normal())]
    }),
  )
}

const deep = (activation: Activation): DenseShape => ({
  inputs: 3,
  outputs: 1,
  hidden: Array(8).fill(32),
  activation,
  output: 'linear',
})

/** Medians over boxes: width of the bounds over that of the values seen; and how many values lie outside. */
function fuzz(activation: Activation, symbols: Symbols, half = 0.0125) {
  const ratios: number[] = []
  let outside = 0
  for (let seed = 0; seed < 2; seed++) {
    const shape = deep(activation)
    const tensors = randomDense(shape, seed)
    const bounds = new DenseBounds(shape, tensors, symbols)
    const network = new ScalarDenseNetwork(shape, tensors)
    const random = randomStream(seed, 4)
    const [count, out] = [100, new Float64Array(2)]
    const [points, values] = [new Float64Array(3 * count), new Float64Array(count)]
    for (let n = 0; n < 5; n++) {
      const centre = [0, 1, 2].map(() => random.between(-1, 1))
      expect(bounds.of(centre, [half, 0, 0, 0, half, 0, 0, 0, half], 3, out)).toBe(true)
      for (let i = 0; i < 3 * count; i++) {
        const corner = (Math.floor(i / 3) >> (i % 3)) & 1 ? 1 : -1
        points[i] = centre[i % 3] + half * 0.999999 * (i < 24 ? corner : random.between(-1, 1))
      }
      network.evaluate(points, count, values)
      for (const value of values) if (!(value >= out[0] && value <= out[1])) outside++
      ratios.push((out[1] - out[0]) / (Math.max(...values) - Math.min(...values)))
    }
  }
  return { outside, ratio: ratios.sort((a, b) => a - b)[ratios.length >> 1] }
}

describe('bounds of a dense network', () => {
  it.each(ACTIVATIONS)('hold for 8 x 32 of %s: near by all symbols, far by few, useless by intervals', (activation) => {
    const [all, some, fixed, plain] = (['all', 32, 'fixed', 0] as const).map((symbols) => fuzz(activation, symbols))
    for (const { outside } of [all, some, fixed, plain]) expect(outside).toBe(0)
    // algorithms.md 6.3: 1.2 to 1.3; 160 to 520; 1e5, by other weights.
    expect(all.ratio).toBeLessThan(1.6)
    expect(fixed.ratio).toBeGreaterThan(40)
    expect(plain.ratio).toBeGreaterThan(100)
    expect(some.ratio).toBeLessThan(1.01 * fixed.ratio)
  })

  it('take boxes that are turned, and few edges: less than the straight box around them', () => {
    const shape = deep('silu')
    const bounds = new DenseBounds(shape, randomDense(shape, 7))
    const [turned, around, edge] = [new Float64Array(2), new Float64Array(2), new Float64Array(2)]
    const h = 0.02 * Math.SQRT1_2
    bounds.of([0.1, 0.2, 0.3], [h, h, 0, -h, h, 0, 0, 0, 0.02], 3, turned)
    bounds.of([0.1, 0.2, 0.3], [2 * h, 0, 0, 0, 2 * h, 0, 0, 0, 0.02], 3, around)
    bounds.of([0.1, 0.2, 0.3], [h, h, 0], 1, edge)
    expect(turned[1] - turned[0]).toBeLessThan(0.95 * (around[1] - around[0]))
    expect(turned[0]).toBeGreaterThan(around[0])
    expect(turned[1]).toBeLessThan(around[1])
    expect(edge[1] - edge[0]).toBeLessThan(turned[1] - turned[0])
  })

  it('are the value of an affine map at a point, of every output, behind its activation', () => {
    const shape: DenseShape = { inputs: 2, outputs: 3, hidden: [], activation: 'relu', output: 'silu' }
    const tensors = new Map([
      ['dense.0.weight', Float32Array.of(1, -1, 0, 2, 0.5, 0)],
      ['dense.0.bias', Float32Array.of(0, 1, -3)],
    ])
    const out = new Float64Array(6)
    new DenseBounds(shape, tensors).of([1, 2], [0.5, 0, 0, 0.25], 2, out)
    const silu = (x: number): number => x / (1 + Math.exp(-x))
    // 5 +- 1, 1 +- .625, -3.
    const expected = [silu(4), silu(6), silu(0.375), silu(1.625), silu(-3), silu(-3)]
    for (const [i, value] of expected.entries()) expect(out[i]).toBeCloseTo(value, 10)
  })

  it('promise nothing where numbers are not finite or beyond single precision, and refuse other symbols', () => {
    const shape = deep('relu')
    const bounds = new DenseBounds(shape, randomDense(shape, 1))
    const out = new Float64Array(2)
    const edges = [1, 0, 0, 0, 1, 0, 0, 0, 1]
    expect(bounds.of([Number.NaN, 0, 0], edges, 3, out)).toBe(false)
    expect(bounds.of([0, Infinity, 0], edges, 3, out)).toBe(false)
    expect(bounds.of([1e35, 0, 0], edges, 3, out)).toBe(false)
    expect(bounds.of([1e5, 0, 0], edges, 3, out)).toBe(true)
    expect(() => new DenseBounds(shape, new Map(), 1.5)).toThrow(
      "symbols is 1.5; give 'all', 'fixed' or a whole number",
    )
  })
})
