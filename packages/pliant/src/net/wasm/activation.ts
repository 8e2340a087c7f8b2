/**
 * Activation passes: each replaces sums x by activation(x) in place and writes the derivative beside, four at a time.
 * The exponential is our own polynomial, 1e-7 relative, so that every host gives the same values.
 */
import {
  doWhile,
  f32x4,
  i32,
  i32x4,
  increase,
  type Local,
  type ModuleBuilder,
  type Scope,
  type Statement,
  type V128,
  v128,
  type WasmFunction,
} from '../../math/wasm/assembler.js'
import type { Madd } from './madd.js'

/** Statements that turn `x` into the activation's value, and fill `slope`. */
type Formula = (scope: Scope, madd: Madd, x: Local<'v128'>, slope: Local<'v128'>) => Statement[]

const { add, sub, mul, div, pmin, pmax, lt, gt, abs } = f32x4
const one = f32x4.const(1)
const zero = f32x4.const(0)

const silu: Formula = (scope, madd, x, slope) => {
  const s = scope.local('v128')
  return [
    ...sigmoid(scope, madd, x.get, s),
    x.set(mul(x.get, s.get)),
    // s + x s (1 - s)
    slope.set(madd(x.get, sub(one, s.get), s.get)),
  ]
}

const tanh: Formula = (scope, madd, x, slope) => {
  const [e, square, near] = scope.some(3, 'v128')
  // Near zero 1 - 2 / (e^2x + 1) cancels: there, the odd Taylor series up to x^11, 6e-8 relative at 0.4.
  const series = [1, -1 / 3, 2 / 15, -17 / 315, 62 / 2835, -1382 / 155925]
  return [
    ...exponential(scope, madd, add(x.get, x.get), e),
    square.set(mul(x.get, x.get)),
    near.set(mul(x.get, polynomial(madd, square.get, series))),
    e.set(sub(one, div(f32x4.const(2), add(e.get, one)))),
    x.set(v128.select(near.get, e.get, lt(abs(x.get), f32x4.const(0.4)))),
    slope.set(sub(one, mul(x.get, x.get))),
  ]
}

const elu: Formula = (scope, madd, x, slope) => {
  const [e, isPositive] = scope.some(2, 'v128')
  return [
    isPositive.set(gt(x.get, zero)),
    ...exponential(scope, madd, pmin(x.get, zero), e),
    slope.set(v128.select(one, e.get, isPositive.get)),
    x.set(v128.select(x.get, sub(e.get, one), isPositive.get)),
  ]
}

const softplus: Formula = (scope, madd, x, slope) => {
  const [e, s] = scope.some(2, 'v128')
  // log(1 + u) = 2 artanh(s), s = u / (2 + u) <= 1/3: seven terms leave 1.3e-8.
  const series = [2, 2 / 3, 2 / 5, 2 / 7, 2 / 9, 2 / 11, 2 / 13]
  return [
    ...sigmoid(scope, madd, x.get, slope),
    ...exponential(scope, madd, sub(zero, abs(x.get)), e),
    s.set(div(e.get, add(e.get, f32x4.const(2)))),
    // max(x, 0) + log(1 + e^-|x|) does not overflow.
    x.set(madd(s.get, polynomial(madd, mul(s.get, s.get), series), pmax(x.get, zero))),
  ]
}

export const FORMULAS = { silu, tanh, elu, softplus } as const

/** `end` is that of the values. Addresses in bytes, a multiple of 16 apart; at least one vector. */
const PASS = { values: 'i32', slopes: 'i32', end: 'i32' } as const

export type ActivationFunction = WasmFunction<typeof PASS>

/** Adds a pass; that of tanh is exported, for the work per pose. */
export function defineActivation(module: ModuleBuilder, madd: Madd, name: keyof typeof FORMULAS): ActivationFunction {
  return module.define(name, { params: PASS, isExported: name === 'tanh' }, ({ values, slopes, end }, scope) => {
    const [x, slope] = scope.some(2, 'v128')
    const step = [
      x.set(v128.load(values.get)),
      ...FORMULAS[name](scope, madd, x, slope),
      v128.store(values.get, x.get),
      v128.store(slopes.get, slope.get),
      increase(values, 16),
      increase(slopes, 16),
    ]
    return [doWhile(step, i32.ltU(values.get, end.get))]
  })
}

function sigmoid(scope: Scope, madd: Madd, x: V128, out: Local<'v128'>): Statement[] {
  // Not one over 1 + e^-x: the exponential is held below overflow, so this way is as good and needs no minus.
  return [...exponential(scope, madd, x, out), out.set(div(out.get, add(one, out.get)))]
}

/**
 * e^x = 2^n 2^f with n = round(x / ln 2) and |f| <= 1/2; the polynomial of least relative error, 1e-7, with value 1 at 0.
 * x is held within the range of normal floats; NaN stays. Rounding x / ln 2 adds 6e-8 |x|, where e^x is next to nothing
 * or about to be divided by.
 */
export function exponential(scope: Scope, madd: Madd, x: V128, out: Local<'v128'>): Statement[] {
  const [held, shifted, square] = scope.some(3, 'v128')
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits; the 127 makes it the exponent of 2^n.
  const magic = f32x4.const(12582912 + 127)
  const series = [1, 0.6931469776, 0.2402224209, 0.05550733743, 0.00967151264, 0.001326472718]
  // In pairs (Estrin's scheme), not by Horner's rule: the terms do not wait for each other.
  const pair = (i: number): V128 => madd(held.get, f32x4.const(series[i + 1]), f32x4.const(series[i]))
  return [
    held.set(pmin(pmax(mul(x, f32x4.const(Math.LOG2E)), f32x4.const(-126)), f32x4.const(127))),
    shifted.set(add(held.get, magic)),
    held.set(sub(held.get, sub(shifted.get, magic))),
    square.set(mul(held.get, held.get)),
    out.set(mul(madd(square.get, madd(square.get, pair(4), pair(2)), pair(0)), i32x4.shl(shifted.get, i32.const(23)))),
  ]
}

/** Horner's rule; coefficients from the constant up. `x` is repeated, so it should be a local or cheap. */
function polynomial(madd: Madd, x: V128, coefficients: readonly number[]): V128 {
  return coefficients.reduceRight<V128 | undefined>(
    (sum, c) => (sum ? madd(sum, x, f32x4.const(c)) : f32x4.const(c)),
    undefined,
  )!
}
