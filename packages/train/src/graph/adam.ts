/**
 * Adam (Kingma and Ba 2015, algorithm 1, with the step size of its section 2 so that the bias corrections are two
 * scalars), written as graph over all parameters laid end to end in one vector.
 * We keep the moments divided by (1 - beta), M = sum beta^(t-i) g_i, which saves two passes over the parameters a step;
 * the scalars make up for it.
 */
import { add, div, mul, square, sub } from './arithmetic.js'
import { sqrt } from './pointwise.js'
import { norm } from './reduce.js'
import { minimum } from './select.js'
import type { Tensor } from './tensor.js'

/** How parameters change, given their gradient. All tensors are vectors over all parameters, scalars have shape []. */
export interface Optimiser {
  /** Vectors kept between steps beside the parameters, zero at first. */
  readonly slots: readonly string[]
  /** Scalars fed at each step. */
  readonly scalars: readonly string[]
  /** Values of the scalars at a step, counted from 1. */
  scalarValues(step: number, learningRate: number): number[]
  /** Graph of one step. */
  update(
    parameters: Tensor,
    gradient: Tensor,
    slots: readonly Tensor[],
    scalars: readonly Tensor[],
  ): { parameters: Tensor; slots: Tensor[] }
}

export interface AdamOptions {
  /** Decay of the mean of gradients, in [0, 1). */
  beta1?: number
  /** Decay of the mean of squared gradients, in [0, 1). */
  beta2?: number
  /** Added to the root of the mean square, above 0. */
  epsilon?: number
  /** Longest allowed gradient over all parameters together; longer ones are scaled down to it. */
  clipNorm?: number
}
export const ADAM_DEFAULTS = { beta1: 0.9, beta2: 0.999, epsilon: 1e-8 } as const

/** @throws RangeError if an option is out of its range */
export function adam(options: AdamOptions = {}): Optimiser {
  const { beta1, beta2, epsilon } = { ...ADAM_DEFAULTS, ...options }
  const { clipNorm } = options
  for (const [name, beta] of Object.entries({ beta1, beta2 })) {
    if (!(beta >= 0 && beta < 1)) throw new RangeError(`adam: ${name} ${beta}; use a number in [0, 1).`)
  }
  if (!(epsilon > 0)) throw new RangeError(`adam: epsilon ${epsilon}; use a number above 0.`)
  if (clipNorm !== undefined && !(clipNorm > 0)) throw new RangeError(`adam: clipNorm ${clipNorm}; use one above 0.`)
  return {
    slots: ['first', 'second'],
    scalars: ['stepSize', 'epsilon'],
    scalarValues(step, learningRate) {
      const first = (1 - beta1) / (1 - beta1 ** step)
      const second = Math.sqrt((1 - beta2) / (1 - beta2 ** step))
      return [(learningRate * first) / second, epsilon / second]
    },
    update(parameters, gradient, [first, second], [stepSize, offset]) {
      const clipped = clipNorm === undefined ? gradient : clipByNorm(gradient, clipNorm)
      const nextFirst = add(mul(first, beta1), clipped)
      const nextSecond = add(mul(second, beta2), square(clipped))
      const change = mul(div(nextFirst, add(sqrt(nextSecond), offset)), stepSize)
      return { parameters: sub(parameters, change), slots: [nextFirst, nextSecond] }
    },
  }
}

/** The vector scaled down to at most the given Euclidean length. */
function clipByNorm(vector: Tensor, longest: number): Tensor {
  // longest / 0 is infinite and the minimum 1: a zero gradient stays zero.
  return mul(vector, minimum(div(longest, norm(vector)), 1))
}
