/** Chunks of a batch must train exactly as the whole would: else a cache setting would change what is learned. */
import { randomStream } from 'pliant'
import { describe, expect, it } from 'vitest'
import {
  adam,
  add,
  chunkBatch,
  compileTrainingStep,
  grad,
  input,
  matmul,
  mean,
  norm,
  parameter,
  silu,
  square,
  sub,
  type Tensor,
} from '../../src/graph/index.js'

const SEED = 31
const ROWS = 48
const random = randomStream(SEED)
const uniform = (length: number): Float32Array => Float32Array.from({ length }, () => random.between(-1, 1))

describe('chunkBatch', () => {
  it(`gives the losses and parameters of the whole batch, seed ${SEED}`, async () => {
    const weight = parameter('weight', [3, 8], uniform(24))
    const bias = parameter('bias', [8], uniform(8))
    const last = parameter('last', [8, 1], uniform(8))
    const points = input('points', [ROWS, 3])
    const target = input('target', [ROWS, 1])
    const build = (p: Tensor, d: Tensor): Tensor => {
      const f = matmul(silu(add(matmul(p, weight), bias)), last)
      return add(mean(square(sub(f, d))), mean(square(sub(norm(grad(f, [p])[0], 1), 1))))
    }
    const parameters = [weight, bias, last]
    const compile = (loss: Tensor | Tensor[]) =>
      compileTrainingStep({ loss, parameters, optimiser: adam({ epsilon: 1e-3 }) }, { threads: 1 })
    const whole = await compile(build(points, target))
    const chunked = await compile(chunkBatch([points, target], 4, build))
    for (let i = 0; i < 5; i++) {
      const feeds = { points: uniform(ROWS * 3), target: uniform(ROWS) }
      const a = await whole.run(feeds, { learningRate: 0.05 })
      const b = await chunked.run(feeds, { learningRate: 0.05 })
      expect(Math.abs(a.loss - b.loss)).toBeLessThan(1e-5 * a.loss)
    }
    for (const [name, values] of whole.parameters()) {
      const other = chunked.parameters().get(name)!
      values.forEach((value, i) => {
        expect(Math.abs(value - other[i]), `${name}[${i}]`).toBeLessThan(1e-5)
      })
    }
    await whole.dispose()
    await chunked.dispose()
  })

  it('refuses a count that does not divide the rows, and open numbers of rows', () => {
    const a = input('a', [6, 3])
    expect(() => chunkBatch([a], 4, (t) => mean(t))).toThrow(/4 chunks of \[6, 3\]/)
    expect(() => chunkBatch([a, input('b', [5, 3])], 2, (t) => mean(t))).toThrow(/\[6, 3\], \[5, 3\]/)
    expect(() => chunkBatch([input('b', ['n', 3])], 2, (t) => mean(t))).toThrow(/\[n, 3\]/)
  })
})
