/** Compiled functions and exported files: open dimensions, repeated runs, threads, messages. */
import { createHash } from 'node:crypto'
import { InferenceSession, Tensor as OrtTensor } from 'onnxruntime-node'
import { randomStream } from 'pliant'
import { describe, expect, it } from 'vitest'
import {
  abs,
  add,
  compileFunction,
  constant,
  exportOnnx,
  gather,
  grad,
  greater,
  input,
  intInput,
  matmul,
  mean,
  mul,
  norm,
  parameter,
  reshape,
  silu,
  softmax,
  sub,
  sum,
  trilinear,
  trilinearBatch,
  where,
} from '../../src/graph/index.js'

const SEED = 4242
const randomArray = (seed: number, length: number, scale = 1): Float32Array => {
  const random = randomStream(seed)
  return Float32Array.from({ length }, () => random.between(-scale, scale))
}

/** Distance and gradient of a small network with a feature grid, for any number of points. */
const field = () => {
  const points = input('points', ['n', 3])
  const grid = parameter('grid', [3, 3, 3, 2], randomArray(SEED, 54))
  const weight = parameter('weight', [2, 8], randomArray(SEED + 1, 16))
  const bias = parameter('bias', [8], randomArray(SEED + 2, 8))
  const last = parameter('last', [8, 1], randomArray(SEED + 3, 8))
  const features = trilinear(grid, points, { lower: [-1, -1, -1], upper: [1, 1, 1] })
  const f = matmul(silu(add(matmul(features, weight), bias)), last)
  const distance = add(reshape(f, [-1]), mul(0.1, norm(points, 1)))
  const [gradient] = grad(distance, [points])
  // The mean and its gradient need the open dimension itself, not only its name.
  const [ofMean] = grad(mean(distance), [points])
  return { points, outputs: { distance, gradient, ofMean } }
}

const runFile = async (bytes: Uint8Array, points: Float32Array) => {
  const session = await InferenceSession.create(bytes, { logSeverityLevel: 3 })
  const results = await session.run({ points: new OrtTensor('float32', points, [points.length / 3, 3]) })
  await session.release()
  return results
}

describe('exported file', () => {
  it(`runs for 1 and for 777 points and agrees point by point, seed ${SEED}`, async () => {
    const { points, outputs } = field()
    const bytes = exportOnnx({ inputs: [points], outputs, parametersAsConstants: true })
    const all = randomArray(SEED + 4, 777 * 3, 1.2)
    const many = await runFile(bytes, all)
    expect(many.distance.dims).toEqual([777])
    expect(many.gradient.dims).toEqual([777, 3])
    for (const i of [0, 1, 400, 776]) {
      const single = await runFile(bytes, all.slice(3 * i, 3 * i + 3))
      expect(single.distance.dims).toEqual([1])
      expect(Number(single.distance.data[0])).toBeCloseTo(Number(many.distance.data[i]), 5)
      for (let axis = 0; axis < 3; axis++) {
        const whole = Number(many.gradient.data[3 * i + axis])
        expect(Number(single.gradient.data[axis])).toBeCloseTo(whole, 4)
        expect(Number(single.ofMean.data[axis])).toBeCloseTo(whole, 4)
        expect(Number(many.ofMean.data[3 * i + axis]) * 777).toBeCloseTo(whole, 3)
      }
    }
  })

  it('names its inputs, outputs and open dimensions', async () => {
    const { points, outputs } = field()
    const session = await InferenceSession.create(exportOnnx({ inputs: [points], outputs }))
    expect(session.inputMetadata).toMatchObject([{ name: 'points', type: 'float32', shape: ['n', 3] }])
    expect(session.outputMetadata[1]).toMatchObject({ name: 'gradient', type: 'float32', shape: ['n', 3] })
    await session.release()
  })

  it('takes trained values in place of initial ones', async () => {
    const w = parameter('w', [1], Float32Array.of(2))
    const points = input('points', ['n', 3])
    const outputs = { y: mul(points, w) }
    const bytes = exportOnnx({ inputs: [points], outputs, parameters: new Map([['w', Float32Array.of(5)]]) })
    const { y } = await runFile(bytes, Float32Array.of(1, 2, 3))
    expect([...(y.data as Float32Array)]).toEqual([5, 10, 15])
  })
})

describe('compiled function', () => {
  it(`sums gathered gradients of duplicate rows exactly, 50 times on 2 threads, seed ${SEED}`, async () => {
    const rows = 300
    const count = 20_000
    const channels = 4
    const table = input('table', [rows, channels])
    const index = intInput('index', ['n'])
    const weight = input('weight', ['n', channels])
    const taken = gather(table, index)
    const [slope] = grad(sum(mul(taken, weight)), [table])
    const fn = await compileFunction({ inputs: [table, index, weight], outputs: { slope } }, { threads: 2 })
    const random = randomStream(SEED)
    const indices = Int32Array.from({ length: count }, () => random.below(rows))
    // Whole numbers: sums are exact in float32 whatever their order, so a lost update cannot hide in rounding.
    const weights = Float32Array.from({ length: count * channels }, () => random.below(100) - 50)
    const expected = new Float32Array(rows * channels)
    for (let i = 0; i < count * channels; i++) {
      expected[indices[Math.floor(i / channels)] * channels + (i % channels)] += weights[i]
    }
    for (let repeat = 0; repeat < 50; repeat++) {
      const result = await fn.run({ table: new Float32Array(rows * channels), index: indices, weight: weights })
      expect(result.slope).toEqual(expected)
    }
    await fn.dispose()
  })

  it(`gives the same bits for a trilinear scatter gradient in 20 runs on 2 threads, seed ${SEED}`, async () => {
    const count = 8192
    const grid = input('grid', [8, 8, 8, 4])
    const points = input('points', [count, 3])
    const f = trilinear(grid, points, { lower: [-1, -1, -1], upper: [1, 1, 1] })
    const loss = mean(norm(f, 1))
    const [g, p] = grad(loss, [grid, points])
    const fn = await compileFunction({ inputs: [grid, points], outputs: { g, p } }, { threads: 2 })
    const feeds = { grid: randomArray(SEED, 2048), points: randomArray(SEED + 1, count * 3, 1.1) }
    const first = await fn.run(feeds)
    expect(first.g.some((value) => value !== 0)).toBe(true)
    const bits = ({ g, p }: typeof first): string => createHash('sha256').update(g).update(p).digest('hex')
    for (let repeat = 0; repeat < 20; repeat++) expect(bits(await fn.run(feeds))).toBe(bits(first))
    await fn.dispose()
  })

  it(`looks up one grid per pose as one lookup per pose would, with open counts, seed ${SEED}`, async () => {
    const box = { lower: [0, -1, -2], upper: [1, 1, 3] } as const
    const nodes = 3 * 4 * 2
    const grids = input('grids', ['poses', 2, 4, 3, 2])
    const points = input('points', ['5*poses', 3])
    const together = trilinearBatch(grids, points, box)
    const outputs = { together, slope: grad(together, [grids])[0] }
    const batch = await compileFunction({ inputs: [grids, points], outputs })
    const grid = input('grid', [2, 4, 3, 2])
    const some = input('some', ['n', 3])
    const alone = trilinear(grid, some, box)
    const single = await compileFunction({ inputs: [grid, some], outputs: { alone, slope: grad(alone, [grid])[0] } })
    for (const poses of [1, 3]) {
      const g = randomArray(SEED + poses, poses * nodes * 2)
      const p = randomArray(SEED + 9, poses * 15, 2)
      const result = await batch.run({ grids: g, points: p })
      for (let i = 0; i < poses; i++) {
        const feeds = { grid: g.slice(i * nodes * 2, (i + 1) * nodes * 2), some: p.slice(i * 15, (i + 1) * 15) }
        const part = await single.run(feeds)
        expect(result.together.slice(i * 10, (i + 1) * 10)).toEqual(part.alone)
        expect(result.slope.slice(i * nodes * 2, (i + 1) * nodes * 2)).toEqual(part.slope)
      }
    }
    await batch.dispose()
    await single.dispose()
  })

  it('interpolates as the formula says, and clamps outside the box', async () => {
    // f(i, j, k) = 100 i + 10 j + k at node (i, j, k) is linear, so trilinear lookup is exact everywhere.
    const data = new Float32Array(4 * 3 * 2)
    for (let k = 0; k < 4; k++)
      for (let j = 0; j < 3; j++) for (let i = 0; i < 2; i++) data[(k * 3 + j) * 2 + i] = 100 * i + 10 * j + k
    const points = input('points', ['n', 3])
    const value = trilinear(constant(data, [4, 3, 2, 1]), points, { lower: [0, 0, 0], upper: [1, 2, 3] })
    const [slope] = grad(value, [points])
    const fn = await compileFunction({ inputs: [points], outputs: { value, slope } })
    const result = await fn.run({ points: Float32Array.of(0.25, 1.5, 2.75, -1, 0.5, 9, 1, 2, 3) })
    expect([...result.value]).toEqual([42.75, 8, 123])
    expect([...result.slope.slice(0, 6)]).toEqual([100, 10, 1, 0, 10, 0])
    await fn.dispose()
  })

  it('broadcasts open dimensions by name and sums them back', async () => {
    const x = input('x', ['n', 3])
    const row = input('row', [3])
    const column = input('column', ['n', 1])
    const y = add(mul(x, row), column)
    const masked = where(greater(y, 0), y, mul(row, 0.5))
    const [dx, drow, dcolumn] = grad(masked, [x, row, column])
    const fn = await compileFunction({ inputs: [x, row, column], outputs: { masked, dx, drow, dcolumn } })
    const result = await fn.run({
      x: Float32Array.of(1, 2, 3, -4, -5, -6),
      row: Float32Array.of(1, 10, 100),
      column: Float32Array.of(0.5, 7),
    })
    expect([...result.masked]).toEqual([1.5, 20.5, 300.5, 3, 5, 50])
    expect([...result.dx]).toEqual([1, 10, 100, 1, 0, 0])
    expect([...result.drow]).toEqual([1 - 4, 2 + 0.5, 3 + 0.5])
    expect([...result.dcolumn]).toEqual([3, 1])
    await fn.dispose()
  })

  it('has zero gradients at the kinks of abs, norm and for inputs it does not depend on', async () => {
    const x = input('x', [2])
    const unused = input('unused', [3])
    const [dabs] = grad(abs(x), [x])
    const [dnorm, none] = grad(norm(x), [x, unused])
    const fn = await compileFunction({ inputs: [x, unused], outputs: { dabs, dnorm, none } })
    const result = await fn.run({ x: new Float32Array(2), unused: new Float32Array(3) })
    expect(result).toEqual({ dabs: new Float32Array(2), dnorm: new Float32Array(2), none: new Float32Array(3) })
    await fn.dispose()
  })

  it('stops before it runs when the signal is aborted', async () => {
    const x = input('x', [1])
    const fn = await compileFunction({ inputs: [x], outputs: { y: mul(x, 2) } })
    const run = fn.run({ x: Float32Array.of(1) }, { signal: AbortSignal.abort(new Error('enough')) })
    await expect(run).rejects.toThrow('enough')
    expect((await fn.run({ x: Float32Array.of(1) })).y[0]).toBe(2)
    await fn.dispose()
  })

  it('says which shape, input or name is wrong', async () => {
    const a = input('a', ['n', 3])
    const b = input('b', [4, 2])
    expect(() => matmul(a, b)).toThrow(/matmul: shapes \[n, 3\] and \[4, 2\]/)
    expect(() => add(a, input('c', ['m', 3]))).toThrow(/add: shapes \[n, 3\] and \[m, 3\]/)
    expect(() => reshape(b, [3, -1])).toThrow(/reshape: \[4, 2\] to \[3, -1\]/)
    expect(() => softmax(a, 2)).toThrow(/softmax: axis 2 of shape \[n, 3\]/)
    expect(() => parameter('p', [2, 2], new Float32Array(3))).toThrow(/parameter 'p': 3 values for shape \[2, 2\]/)
    expect(() => gather(b, a)).toThrow(/indices of type float32/)
    expect(() => input('1bad', [1])).toThrow(/'1bad'/)
    expect(() => input('bad', [-2])).toThrow(/dimension -2/)
    await expect(compileFunction({ inputs: [b], outputs: { y: sub(a, 1) } })).rejects.toThrow(/input 'a' is used but/)
    const twice = { inputs: [a, input('a', [1])], outputs: { y: sub(a, 1) } }
    await expect(compileFunction(twice)).rejects.toThrow(/two inputs or outputs named 'a'/)
    await expect(compileFunction({ inputs: [a], outputs: { y: a } }, { threads: 0 })).rejects.toThrow(/threads 0/)
    const fn = await compileFunction({ inputs: [a, input('d', ['n'])], outputs: { y: sum(a, 1) } })
    const disagree = fn.run({ a: new Float32Array(6), d: new Float32Array(3) })
    await expect(disagree).rejects.toThrow(/input 'd' has 3 values/)
    await fn.dispose()
  })
})
