/** Activations and their derivatives, one value at a time, in double precision. */
import type { Activation } from '../network-shape.js'

export interface ScalarActivation {
  value(x: number): number
  /** Derivative at x, given x and value(x). */
  slope(x: number, value: number): number
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

export const scalarActivations: Record<Activation | 'linear', ScalarActivation> = {
  linear: { value: (x) => x, slope: () => 1 },
  relu: { value: (x) => Math.max(x, 0), slope: (x) => (x > 0 ? 1 : 0) },
  silu: {
    value: (x) => x * sigmoid(x),
    slope: (x) => {
      const s = sigmoid(x)
      return s * (1 + x * (1 - s))
    },
  },
  tanh: { value: Math.tanh, slope: (_x, value) => 1 - value * value },
  elu: { value: (x) => (x > 0 ? x : Math.expm1(x)), slope: (x) => (x > 0 ? 1 : Math.exp(x)) },
  // max(x, 0) + log(1 + e^-|x|) does not overflow.
  softplus: { value: (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))), slope: sigmoid },
}
