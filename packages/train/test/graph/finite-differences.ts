/**
 * Gradients and second gradients against finite differences of fourth order. The graph computes in float32; sums over
 * elements are taken here in float64, so that the error of a difference is that of single values: about 1e-5 for values
 * of order 1 and a step of 0.02, well below the tolerance.
 */
import { randomStream } from 'pliant'
import { expect } from 'vitest'
import { add, compileFunction, constant, grad, input, mul, sum, type Tensor } from '../../src/graph/index.js'

const STEP = 0.02
const TOLERANCE = 4e-4

export interface Operand {
  shape: readonly number[]
  /** Values; keep them further than 2 steps (0.04) from any kink. */
  values: Float32Array
}

/**
 * Checks d(w.y)/dx and, unless `first` is set, d(v.dy/dx)/dx for random fixed w, v, at every element of every operand.
 */
export async function expectGradients(
  build: (operands: Tensor[]) => Tensor,
  operands: readonly Operand[],
  options: { seed: number; first?: boolean },
): Promise<void> {
  const random = randomStream(options.seed, 99)
  const weightsFor = (shape: readonly (number | string)[]): Float32Array =>
    Float32Array.from({ length: (shape as number[]).reduce((a, b) => a * b, 1) }, () => random.between(0.5, 1.5))
  const inputs = operands.map(({ shape }, i) => input(`x${i}`, shape))
  const y = build(inputs)
  const w = weightsFor(y.shape)
  const gradients = grad(mul(y, constant(w, y.shape as number[])), inputs)
  const v = gradients.map((g) => weightsFor(g.shape))
  const product = gradients.map((g, i) => sum(mul(g, constant(v[i], g.shape as number[])))).reduce((a, b) => add(a, b))
  const seconds = grad(product, inputs)
  const outputs: Record<string, Tensor> = { y }
  gradients.forEach((g, i) => {
    outputs[`g${i}`] = g
  })
  seconds.forEach((g, i) => {
    outputs[`h${i}`] = g
  })
  const compiled = await compileFunction({ inputs, outputs }, { threads: 1 })
  const at = Object.fromEntries(operands.map(({ values }, i) => [`x${i}`, values]))
  const here = await compiled.run(at)
  const dot = (a: Float32Array, b: Float32Array): number => a.reduce((s, value, i) => s + value * b[i], 0)
  const value = (r: Record<string, Float32Array>): number => dot(r.y, w)
  const slope = (r: Record<string, Float32Array>): number => v.reduce((s, vi, i) => s + dot(r[`g${i}`], vi), 0)
  for (const [i, { values }] of operands.entries()) {
    for (let k = 0; k < values.length; k++) {
      const moved = async (steps: number): Promise<Record<string, Float32Array>> => {
        const shifted = values.slice()
        shifted[k] += steps * STEP
        return compiled.run({ ...at, [`x${i}`]: shifted })
      }
      const [a, b, c, d] = [await moved(-2), await moved(-1), await moved(1), await moved(2)]
      const difference = (f: (r: Record<string, Float32Array>) => number): number =>
        (f(a) - 8 * f(b) + 8 * f(c) - f(d)) / (12 * STEP)
      close(here[`g${i}`][k], difference(value), `gradient, operand ${i}, element ${k}`)
      if (!options.first) close(here[`h${i}`][k], difference(slope), `second gradient, operand ${i}, element ${k}`)
    }
  }
  await compiled.dispose()
}

/** Random values in [lower, upper] whose distance to every kink is at least 0.06. */
export function randomOperand(
  seed: number,
  shape: readonly number[],
  [lower, upper]: readonly [number, number] = [-1, 1],
  kinks: readonly number[] = [],
): Operand {
  const random = randomStream(seed)
  const values = Float32Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => {
    for (;;) {
      const value = random.between(lower, upper)
      if (kinks.every((kink) => Math.abs(value - kink) >= 0.06)) return value
    }
  })
  return { shape, values }
}

function close(actual: number, expected: number, what: string): void {
  const error = Math.abs(actual - expected) / Math.max(1, Math.abs(expected))
  expect(error, `${what}: ${actual}, differences say ${expected}`).toBeLessThan(TOLERANCE)
}
