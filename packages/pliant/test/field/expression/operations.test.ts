import { describe, expect, it } from 'vitest'
import { OPERATIONS, type Operation } from '../../../src/field/expression/operations.js'
import { Range } from '../../../src/field/expression/range.js'
import { type Random, randomStream } from '../../../src/math/random.js'

const NONE = new Float64Array(0)

describe.each(Object.entries<Operation>(OPERATIONS))('operation %s', (name, operation) => {
  const { arity } = operation

  it('pulls back what finite differences show', () => {
    const random = randomStream(3, 1)
    for (let n = 0; n < 200; n++) {
      const inputs = Array.from({ length: arity }, () => random.between(-2, 2))
      const derivatives = pulledBack(operation, inputs)
      inputs.forEach((value, k) => {
        const step = 1e-6
        const difference =
          (computed(operation, inputs.with(k, value + step)) - computed(operation, inputs.with(k, value - step))) /
          (2 * step)
        // Kinks and steps that lie within the difference show as more than any slope is.
        if (isNearKink(name, inputs)) return
        expect(derivatives[k]).toBeCloseTo(difference, 4)
      })
    }
  })

  it('bounds values and derivatives of all that its inputs may be', () => {
    const random = randomStream(4, 1)
    const ranges = Array.from({ length: 3 }, () => new Range())
    const slopes = Array.from({ length: 3 }, () => new Range())
    const out = new Range()
    const violations: string[] = []
    for (let n = 0; n < 4000; n++) {
      for (let k = 0; k < arity; k++) {
        const [a, b] = [corner(random), corner(random)]
        ranges[k].set(Math.min(a, b), Math.max(a, b))
      }
      operation.bounds(out, ranges[0], ranges[1], ranges[2])
      operation.slopes(out, ranges, slopes)
      for (let m = 0; m < 6; m++) {
        const inputs = Array.from({ length: arity }, (_, k) => within(ranges[k], random, m))
        const value = computed(operation, inputs)
        if (value < out.low || value > out.high) violations.push(`${inputs}: ${value} of ${out.low} to ${out.high}`)
        pulledBack(operation, inputs).forEach((derivative, k) => {
          const slack = 1e-9 * (1 + Math.abs(derivative))
          const { low, high } = slopes[k]
          if (derivative < low - slack || derivative > high + slack) {
            violations.push(`${inputs}, derivative by ${k}: ${derivative} of ${low} to ${high}`)
          }
        })
      }
    }
    expect(violations).toEqual([])
  })
})

function computed(operation: Operation, inputs: readonly number[]): number {
  const out = new Float64Array(1)
  const [a, b, c] = [0, 1, 2].map((k) => (k < inputs.length ? Float64Array.of(inputs[k]) : NONE))
  operation.run(1, out, a, b, c)
  return out[0]
}

function pulledBack(operation: Operation, inputs: readonly number[]): number[] {
  const registers = [0, 1, 2].map((k) => ({ values: Float64Array.of(inputs[k] ?? 0), by: new Float64Array(1) }))
  const [a, b, c] = registers
  operation.pullBack(1, Float64Array.of(1), Float64Array.of(computed(operation, inputs)), a, b, c)
  return inputs.map((_, k) => registers[k].by[0])
}

function isNearKink(name: string, inputs: readonly number[]): boolean {
  const [a, b = 0] = inputs
  if (name === 'abs' || name === 'select' || name === 'sqrt') return Math.abs(a) < 1e-4
  if (name === 'min' || name === 'max') return Math.abs(a - b) < 1e-4
  if (name === 'round') return Math.abs(a - Math.floor(a) - 0.5) < 1e-4
  if (name === 'divide') return Math.abs(b) < 0.1
  return name.startsWith('length') && Math.hypot(...inputs) < 0.05
}

/** Often a number at which something changes, and of any size. */
function corner(random: Random): number {
  const pick = random.uniform()
  if (pick < 0.1) return 0
  if (pick < 0.2) return Math.round(random.between(-3, 3))
  return random.between(-1, 1) * 10 ** random.between(-3, 2)
}

function within({ low, high }: Range, random: Random, m: number): number {
  return m === 0 ? low : m === 1 ? high : Math.min(high, low + random.uniform() * (high - low))
}
