/** Whole training steps: the optimiser, the checkpoint, repeatability and what happens on bad input. */
import { randomStream } from 'pliant'
import { describe, expect, it } from 'vitest'
import {
  adam,
  add,
  compileFunction,
  compileTrainingStep,
  constant,
  gather,
  grad,
  input,
  intInput,
  matmul,
  mean,
  mul,
  norm,
  parameter,
  silu,
  softplus,
  sqrt,
  square,
  sub,
  sum,
  type Tensor,
  trilinear,
} from '../../src/graph/index.js'

const SEED = 77

const randomArray = (seed: number, length: number, scale = 1): Float32Array => {
  const random = randomStream(seed)
  return Float32Array.from({ length }, () => scale * random.normal())
}

const dense = (name: string, x: Tensor, rows: number, columns: number, seed: number) => {
  const weight = parameter(`${name}.weight`, [rows, columns], randomArray(seed, rows * columns, 1 / Math.sqrt(rows)))
  const bias = parameter(`${name}.bias`, [columns], randomArray(seed + 1, columns, 0.1))
  return { y: add(matmul(x, weight), bias), parameters: [weight, bias] }
}

/** f(x) = a 3-16-1 network, fitted to |x|. */
const network = (points: Tensor, activation = silu) => {
  const first = dense('first', points, 3, 16, SEED)
  const last = dense('last', activation(first.y), 16, 1, SEED + 10)
  return { f: last.y, parameters: [...first.parameters, ...last.parameters] }
}

const batch = (seed: number, n: number) => {
  const points = randomArray(seed, 3 * n, 0.5)
  const target = Float32Array.from({ length: n }, (_, i) => Math.hypot(...points.subarray(3 * i, 3 * i + 3)))
  return { points, target }
}

/** Eikonal and data term, with a feature grid: all that a step may contain. */
const fullStep = async (threads: number) => {
  const points = input('points', [64, 3])
  const target = input('target', [64])
  const index = intInput('index', [64])
  const grid = parameter('grid', [4, 4, 4, 1], randomArray(SEED + 30, 64, 0.1))
  const table = parameter('table', [5, 1], randomArray(SEED + 31, 5, 0.1))
  const { f, parameters } = network(points)
  const box = { lower: [-1, -1, -1], upper: [1, 1, 1] } as const
  const field = sum(add(add(f, trilinear(grid, points, box)), gather(table, index)), 1)
  const [slope] = grad(field, [points])
  const eikonal = mean(square(sub(norm(slope, 1), 1)))
  const loss = add(mean(square(sub(field, target))), mul(0.1, eikonal))
  return compileTrainingStep(
    { loss, metrics: { eikonal }, parameters: [...parameters, grid, table], optimiser: adam({ clipNorm: 0.5 }) },
    { threads },
  )
}
const fullFeeds = (step: number) => ({
  ...batch(1000 + step, 64),
  index: Int32Array.from({ length: 64 }, (_, i) => (i * (step + 3)) % 5),
})

describe('training step', () => {
  it(`Adam with clipping follows a plain float64 Adam over 50 steps, seed ${SEED}`, async () => {
    const beta1 = 0.8
    const beta2 = 0.95
    const epsilon = 1e-3
    const clipNorm = 0.7
    const p = parameter('p', [3], Float32Array.of(1, -2, 0.5))
    const q = parameter('q', [2, 1], Float32Array.of(0.3, 3))
    const scale = input('scale', [])
    // loss = scale * (sum (p - 1)^2 c + sum q^4 / 4): gradients of very different size.
    const c = constant([1, 10, 0.01])
    const loss = mul(scale, add(sum(mul(c, square(sub(p, 1)))), mul(0.25, sum(square(square(q))))))
    const step = await compileTrainingStep(
      { loss, parameters: [p, q], optimiser: adam({ beta1, beta2, epsilon, clipNorm }) },
      { threads: 1 },
    )
    const x = [1, -2, 0.5, 0.3, 3]
    const m = x.map(() => 0)
    const v = x.map(() => 0)
    for (let t = 1; t <= 50; t++) {
      const s = 1 + 0.1 * (t % 4)
      const lr = 0.1 / t
      await step.run({ scale: Float32Array.of(s) }, { learningRate: lr })
      const g = x.map((xi, i) => (i < 3 ? s * 2 * [1, 10, 0.01][i] * (xi - 1) : s * xi ** 3))
      const shrink = Math.min(1, clipNorm / Math.hypot(...g))
      for (let i = 0; i < 5; i++) {
        m[i] = beta1 * m[i] + (1 - beta1) * g[i] * shrink
        v[i] = beta2 * v[i] + (1 - beta2) * (g[i] * shrink) ** 2
        x[i] -= (lr * (m[i] / (1 - beta1 ** t))) / (Math.sqrt(v[i] / (1 - beta2 ** t)) + epsilon)
      }
    }
    const result = [...step.parameters().get('p')!, ...step.parameters().get('q')!]
    result.forEach((value, i) => {
      expect(Math.abs(value - x[i]), `element ${i}: ${value}, plain Adam ${x[i]}`).toBeLessThan(2e-5)
    })
    await step.dispose()
  })

  it(`fits a small regression, seed ${SEED}`, async () => {
    const points = input('points', [256, 3])
    const target = input('target', [256])
    const { f, parameters } = network(points)
    const loss = mean(square(sub(sum(f, 1), target)))
    const step = await compileTrainingStep({ loss, parameters, optimiser: adam() })
    let first = 0
    let last = 0
    for (let i = 0; i < 300; i++) {
      const result = await step.run(batch(i, 256), { learningRate: 1e-2 })
      if (i === 0) first = result.loss
      last = result.loss
    }
    expect(last).toBeLessThan(first / 50)
    await step.dispose()
  })

  it(`the gradient of an eikonal loss with respect to weights equals finite differences, seed ${SEED}`, async () => {
    const points = input('points', [8, 3])
    const weight = input('weight', [3, 16])
    const { f, parameters } = network(points, softplus)
    const hidden = softplus(add(matmul(points, weight), parameters[1]))
    const g = add(matmul(hidden, parameters[2]), mul(f, 0))
    const loss = mean(square(sub(norm(grad(g, [points])[0], 1), 1)))
    const fn = await compileFunction({ inputs: [points, weight], outputs: { loss, slope: grad(loss, [weight])[0] } })
    const feeds = { points: randomArray(5, 24), weight: randomArray(6, 48, 0.6) }
    const { slope } = await fn.run(feeds)
    const step = 0.02
    for (let k = 0; k < 48; k++) {
      const at = async (n: number): Promise<number> => {
        const moved = feeds.weight.slice()
        moved[k] += n * step
        return (await fn.run({ ...feeds, weight: moved })).loss[0]
      }
      const expected = ((await at(-2)) - 8 * (await at(-1)) + 8 * (await at(1)) - (await at(2))) / (12 * step)
      expect(Math.abs(slope[k] - expected), `weight ${k}: ${slope[k]}, differences ${expected}`).toBeLessThan(5e-5)
    }
    expect(Math.max(...slope.map(Math.abs))).toBeGreaterThan(1e-2)
    await fn.dispose()
  })

  for (const threads of [1, 2]) {
    it(`gives the same bits twice, and after a resume in the middle, on ${threads} thread(s)`, async () => {
      const runs: Map<string, Float32Array>[] = []
      let saved: ReturnType<Awaited<ReturnType<typeof fullStep>>['state']> | undefined
      for (let repeat = 0; repeat < 3; repeat++) {
        const step = await fullStep(threads)
        if (repeat === 2) step.restore(saved!)
        for (let i = repeat === 2 ? 10 : 0; i < 20; i++) {
          if (i === 10) saved = step.state()
          await step.run(fullFeeds(i), { learningRate: 1e-2 })
        }
        runs.push(step.state().tensors)
        expect(step.state().step).toBe(20)
        await step.dispose()
      }
      expect(runs[1]).toEqual(runs[0])
      expect(runs[2]).toEqual(runs[0])
    })
  }

  it('stops at an aborted signal and keeps the parameters', async () => {
    const step = await fullStep(1)
    const controller = new AbortController()
    await step.run(fullFeeds(0), { learningRate: 1e-2, signal: controller.signal })
    const before = step.state()
    controller.abort(new Error('stopped by the user'))
    const run = step.run(fullFeeds(1), { learningRate: 1e-2, signal: controller.signal })
    await expect(run).rejects.toThrow('stopped by the user')
    expect(step.state()).toEqual(before)
    await step.dispose()
  })

  it('refuses a loss that is not finite and keeps the parameters of the step before', async () => {
    const step = await fullStep(1)
    await step.run(fullFeeds(0), { learningRate: 1e-2 })
    const before = step.state()
    const bad = fullFeeds(1)
    bad.target[3] = Number.NaN
    await expect(step.run(bad, { learningRate: 1e-2 })).rejects.toThrow(/loss NaN at step 2/)
    expect(step.state()).toEqual(before)
    await step.dispose()
  })

  it('refuses a gradient that is not finite though the loss is, and keeps the parameters', async () => {
    const p = parameter('p', [2], Float32Array.of(1, 0))
    const x = input('x', [2])
    // d sqrt(p x) / dp is infinite at 0, the loss itself is 1.
    const step = await compileTrainingStep({ loss: sum(sqrt(mul(p, x))), parameters: [p], optimiser: adam() })
    const run = step.run({ x: Float32Array.of(1, 1) }, { learningRate: 0.1 })
    await expect(run).rejects.toThrow(/a gradient is not finite at step 1/)
    expect(step.state().step).toBe(0)
    expect([...step.parameters().get('p')!]).toEqual([1, 0])
    await step.dispose()
  })

  it('refuses wrong feeds, learning rates and states with a message that names them', async () => {
    const step = await fullStep(1)
    const feeds = fullFeeds(0)
    const run = (changed: object, learningRate = 1e-2) => step.run({ ...feeds, ...changed }, { learningRate })
    await expect(run({ points: new Float32Array(5) })).rejects.toThrow(/'points' has 5 values, needs \[64, 3\]/)
    await expect(run({ extra: new Float32Array(5) })).rejects.toThrow(/no input 'extra'/)
    await expect(run({ index: new Float32Array(64) })).rejects.toThrow(/'index'; pass a Int32Array/)
    await expect(run({}, Number.NaN)).rejects.toThrow(/learning rate NaN/)
    expect(() => step.restore({ step: 1, tensors: new Map() })).toThrow(/nothing for 'first.weight'/)
    expect(() => step.restore({ ...step.state(), step: 0.5 })).toThrow(/step 0.5/)
    const [first, second] = await Promise.allSettled([run({}), run({})])
    expect([first.status, second.status]).toEqual(['fulfilled', 'rejected'])
    expect(step.state().step).toBe(1)
    await step.dispose()
  })
})
