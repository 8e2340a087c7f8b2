/** Values of every operation against plain JavaScript in float64; finite differences alone would not see them wrong. */
import { randomStream } from 'pliant'
import { describe, expect, it } from 'vitest'
import type { Tensor } from '../../src/graph/index.js'
import * as g from '../../src/graph/index.js'

const SEED = 9
const random = randomStream(SEED)
const uniform = (length: number, lower = -3, upper = 3): Float32Array =>
  Float32Array.from({ length }, () => random.between(lower, upper))

const evaluate = async (y: Tensor, feeds: Record<string, Float32Array>, inputs: Tensor[]): Promise<Float32Array> => {
  const fn = await g.compileFunction({ inputs, outputs: { y } }, { threads: 1 })
  const result = await fn.run(feeds)
  await fn.dispose()
  return result.y
}
const expectClose = (actual: Float32Array, expected: readonly number[], tolerance = 2e-6): void => {
  expect(actual.length).toBe(expected.length)
  expected.forEach((value, i) => {
    const error = Math.abs(actual[i] - value) / Math.max(1, Math.abs(value))
    expect(error, `element ${i}: ${actual[i]}, expected ${value}`).toBeLessThanOrEqual(tolerance)
  })
}

/** Far out as well: a stable form must stay exact where the plain one overflows or cancels. */
const FAR = [-100, -30, -18.5, -9, -1e-3, 0, 1e-3, 9, 18.5, 30, 80]
const logistic = (x: number): number => 1 / (1 + Math.exp(-x))
const unary: Record<string, [(t: Tensor) => Tensor, (x: number) => number]> = {
  neg: [g.neg, (x) => -x],
  square: [g.square, (x) => x * x],
  abs: [g.abs, Math.abs],
  sign: [g.sign, Math.sign],
  floor: [g.floor, Math.floor],
  sin: [g.sin, Math.sin],
  cos: [g.cos, Math.cos],
  relu: [g.relu, (x) => Math.max(x, 0)],
  elu: [g.elu, (x) => (x > 0 ? x : Math.expm1(x))],
  'elu 0.3': [(t) => g.elu(t, 0.3), (x) => (x > 0 ? x : 0.3 * Math.expm1(x))],
  'celu 0.3': [(t) => g.celu(t, 0.3), (x) => (x > 0 ? x : 0.3 * Math.expm1(x / 0.3))],
  softplus: [g.softplus, (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))],
  'slope of softplus': [(t) => g.grad(g.softplus(t), [t])[0], logistic],
  silu: [g.silu, (x) => x * logistic(x)],
  'slope of silu': [(t) => g.grad(g.silu(t), [t])[0], (x) => logistic(x) * (1 + x * (1 - logistic(x)))],
  sigmoid: [g.sigmoid, logistic],
  tanh: [g.tanh, Math.tanh],
  clamp: [(t) => g.clamp(t, -0.5, 2), (x) => Math.min(Math.max(x, -0.5), 2)],
  'pow 3': [(t) => g.pow(t, 3), (x) => x ** 3],
  'maximum, number': [(t) => g.maximum(t, 0.25), (x) => Math.max(x, 0.25)],
  'minimum, number': [(t) => g.minimum(t, 0.25), (x) => Math.min(x, 0.25)],
  stopGradient: [g.stopGradient, (x) => x],
}
const positive: typeof unary = {
  log: [g.log, Math.log],
  sqrt: [g.sqrt, Math.sqrt],
  'pow -0.5': [(t) => g.pow(t, -0.5), (x) => x ** -0.5],
}

describe(`values, seed ${SEED}`, () => {
  for (const [name, [build, reference]] of Object.entries(unary)) {
    it(`${name} of one value`, async () => {
      const values = Float32Array.of(...FAR, ...uniform(30))
      const x = g.input('x', [values.length])
      expectClose(await evaluate(build(x), { x: values }, [x]), Array.from(values, reference), 4e-6)
    })
  }
  for (const [name, [build, reference]] of Object.entries(positive)) {
    it(`${name} of one value`, async () => {
      const values = Float32Array.of(1e-6, 1, 1e6, ...uniform(30, 0.1, 4))
      const x = g.input('x', [values.length])
      expectClose(await evaluate(build(x), { x: values }, [x]), Array.from(values, reference))
    })
  }
  it('exp of one value', async () => {
    const values = uniform(30)
    const x = g.input('x', [30])
    expectClose(await evaluate(g.exp(x), { x: values }, [x]), Array.from(values, Math.exp))
  })

  const binary: Record<string, [(a: Tensor, b: Tensor) => Tensor, (a: number, b: number) => number]> = {
    add: [g.add, (a, b) => a + b],
    sub: [g.sub, (a, b) => a - b],
    mul: [g.mul, (a, b) => a * b],
    div: [g.div, (a, b) => a / b],
    maximum: [g.maximum, Math.max],
    minimum: [g.minimum, Math.min],
    'where greater': [(a, b) => g.where(g.greater(a, b), a, 7), (a, b) => (a > b ? a : 7)],
    'where less': [(a, b) => g.where(g.less(a, b), 7, b), (a, b) => (a < b ? 7 : b)],
    'where not below': [(a, b) => g.where(g.greaterOrEqual(a, b), 1, b), (a, b) => (a >= b ? 1 : b)],
    'where equal': [(a, b) => g.where(g.equal(a, b), 1, 0), (a, b) => (a === b ? 1 : 0)],
  }
  for (const [name, [build, reference]] of Object.entries(binary)) {
    it(`${name} of a column and a row`, async () => {
      const left = uniform(4)
      const right = Float32Array.of(...uniform(4), left[2])
      const a = g.input('a', [4, 1])
      const b = g.input('b', [5])
      const expected = Array.from({ length: 20 }, (_, i) => reference(left[Math.floor(i / 5)], right[i % 5]))
      expectClose(await evaluate(build(a, b), { a: left, b: right }, [a, b]), expected)
    })
  }

  const rows = (f: (row: number[]) => number[]) => (values: Float32Array) =>
    [0, 1, 2].flatMap((i) => f(Array.from(values.subarray(4 * i, 4 * i + 4))))
  const total = (row: number[]): number => row.reduce((a, b) => a + b, 0)
  const reductions: Record<string, [(t: Tensor) => Tensor, (values: Float32Array) => number[]]> = {
    'sum, axis 1': [(t) => g.sum(t, 1), rows((r) => [total(r)])],
    'sum, axis 0': [(t) => g.sum(t, 0), (v) => [0, 1, 2, 3].map((j) => v[j] + v[4 + j] + v[8 + j])],
    'mean, all': [(t) => g.mean(t), (v) => [total([...v]) / 12]],
    'mean, axis 1 kept': [(t) => g.mean(t, 1, true), rows((r) => [total(r) / 4])],
    'max, axis -1': [(t) => g.max(t, -1), rows((r) => [Math.max(...r)])],
    'min, axis -1': [(t) => g.min(t, -1), rows((r) => [Math.min(...r)])],
    'norm, axis 1': [(t) => g.norm(t, 1), rows((r) => [Math.hypot(...r)])],
    'softmax, axis 1': [
      (t) => g.softmax(t, 1),
      rows((r) => r.map((x) => Math.exp(x) / total(r.map((y) => Math.exp(y))))),
    ],
    transpose: [(t) => g.transpose(t), (v) => [...v].map((_, i) => v[(i % 3) * 4 + Math.floor(i / 3)])],
    'slice, axis 1': [(t) => g.slice(t, 1, 1, 3), rows((r) => [r[1], r[2]])],
    'pad, axis 1': [(t) => g.pad(t, 1, 2, 1), rows((r) => [0, 0, ...r, 0])],
    'concat, axis 1': [(t) => g.concat([t, g.mul(t, 2)], 1), rows((r) => [...r, ...r.map((x) => 2 * x)])],
    'expand, leading': [(t) => g.expand(t, [2, 3, 4]), (v) => [...v, ...v]],
    'reshape, row sums': [
      (t) => g.sum(g.reshape(t, [-1, 2]), 1),
      (v) => [0, 1, 2, 3, 4, 5].map((i) => v[2 * i] + v[2 * i + 1]),
    ],
    'gather, twice a row': [
      (t) => g.gather(t, g.intConstant([2, 0, 2])),
      (v) => [...v.subarray(8, 12), ...v.subarray(0, 4), ...v.subarray(8, 12)],
    ],
    'scatterAdd, twice a row': [
      (t) => g.scatterAdd(2, g.intConstant([1, 0, 1]), t),
      (v) => [...v.subarray(4, 8), ...[0, 1, 2, 3].map((j) => v[j] + v[8 + j])],
    ],
  }
  for (const [name, [build, reference]] of Object.entries(reductions)) {
    it(`${name} of a matrix`, async () => {
      const values = uniform(12)
      const x = g.input('x', [3, 4])
      expectClose(await evaluate(build(x), { x: values }, [x]), reference(values))
    })
  }

  it('matrix products, with groups and with transposes', async () => {
    const [va, vb] = [uniform(2 * 3 * 4), uniform(2 * 4 * 5)]
    const product = (group: number): number[] =>
      Array.from({ length: 15 }, (_, i) => {
        const [r, c] = [Math.floor(i / 5), i % 5]
        return total([0, 1, 2, 3].map((k) => va[group * 12 + r * 4 + k] * vb[group * 20 + k * 5 + c]))
      })
    const a = g.input('a', [2, 3, 4])
    const b = g.input('b', [2, 4, 5])
    const feeds = { a: va, b: vb }
    expectClose(await evaluate(g.batchMatmul(a, b), feeds, [a, b]), [...product(0), ...product(1)], 4e-6)
    const first = (t: Tensor): Tensor => g.reshape(g.slice(t, 0, 0, 1), t.shape.slice(1))
    expectClose(await evaluate(g.matmul(first(a), first(b)), feeds, [a, b]), product(0), 4e-6)
    const flipped = g.transpose(g.matmul(g.transpose(first(b)), g.transpose(first(a))))
    expectClose(await evaluate(flipped, feeds, [a, b]), product(0), 4e-6)
  })

  it('equal largest values share the gradient', async () => {
    const x = g.input('x', [4])
    const slope = await evaluate(g.grad(g.max(x), [x])[0], { x: Float32Array.of(2, 5, 5, 1) }, [x])
    expect([...slope]).toEqual([0, 0.5, 0.5, 0])
  })

  it('refuses an index beyond the table', async () => {
    const table = g.input('table', [3, 2])
    const index = g.intInput('index', ['n'])
    const fn = await g.compileFunction({ inputs: [table, index], outputs: { y: g.gather(table, index) } })
    await expect(fn.run({ table: uniform(6), index: Int32Array.of(0, 3) })).rejects.toThrow(
      /indices element out of data/,
    )
    await fn.dispose()
  })
})
