/**
 * Operations of expressions on two points at once, as WebAssembly: what operations.ts computes, to the last digit. Sines and
 * cosines have no instruction: they are the host's own.
 */
import { f64x2, type V128, v128, type WasmFunction } from '../../math/wasm/assembler.js'
import type { OperationName } from './operations.js'

/** One operation; what it does not take of three inputs is left out. */
export interface LaneOperation {
  /** Values of two points. */
  run(inputs: readonly V128[], waves: Waves): V128
  /**
   * What is added to the gradients by its inputs, in their order; undefined where nothing is.
   * @param keep  computes a value that is used more than once
   */
  pullBack(by: V128, out: V128, inputs: readonly V128[], keep: Keep, waves: Waves): readonly (V128 | undefined)[]
}

type OfNumber = WasmFunction<{ readonly angle: 'f64' }, 'f64'>
/** The host's sine and cosine. */
export interface Waves {
  readonly sin: OfNumber
  readonly cos: OfNumber
}

/** Takes what computes a value, gives what reads it. */
export type Keep = (value: V128) => V128

const { add, sub, mul, div, min, max, abs, neg, sqrt, floor, lt, gt, le, ge, eq } = f64x2
const ZERO = f64x2.const(0)
const ONE = f64x2.const(1)
const TWO = f64x2.const(2)

export const LANE_OPERATIONS: Record<OperationName, LaneOperation> = {
  add: { run: ([a, b]) => add(a, b), pullBack: (by) => [by, by] },
  subtract: { run: ([a, b]) => sub(a, b), pullBack: (by) => [by, neg(by)] },
  multiply: { run: ([a, b]) => mul(a, b), pullBack: (by, _, [a, b]) => [mul(by, b), mul(by, a)] },
  divide: {
    run: ([a, b]) => div(a, b),
    pullBack: (by, out, [, b], keep) => {
      const share = keep(div(by, b))
      return [share, neg(mul(share, out))]
    },
  },
  negate: { run: ([a]) => neg(a), pullBack: (by) => [neg(by)] },
  abs: { run: ([a]) => abs(a), pullBack: (by, _, [a]) => [v128.select(neg(by), by, lt(a, ZERO))] },
  min: { run: ([a, b]) => min(a, b), pullBack: (by, _, [a, b], keep) => shared(by, lt(b, a), keep).reverse() },
  max: { run: ([a, b]) => max(a, b), pullBack: (by, _, [a, b], keep) => shared(by, gt(b, a), keep).reverse() },
  sqrt: {
    run: ([a]) => v128.and(sqrt(a), gt(a, ZERO)),
    pullBack: (by, out) => [v128.and(div(by, mul(TWO, out)), gt(out, ZERO))],
  },
  square: { run: ([a]) => mul(a, a), pullBack: (by, _, [a]) => [mul(mul(TWO, by), a)] },
  length3: {
    run: ([a, b, c]) => sqrt(add(add(mul(a, a), mul(b, b)), mul(c, c))),
    pullBack: (by, out, [a, b, c], keep) => {
      const [share, isNone] = [keep(div(by, out)), keep(eq(out, ZERO))]
      return [
        v128.andNot(mul(share, a), isNone),
        v128.select(by, mul(share, b), isNone),
        v128.andNot(mul(share, c), isNone),
      ]
    },
  },
  length2: {
    run: ([a, b]) => sqrt(add(mul(a, a), mul(b, b))),
    pullBack: (by, out, [a, b], keep) => {
      const [share, isNone] = [keep(div(by, out)), keep(eq(out, ZERO))]
      return [v128.select(by, mul(share, a), isNone), v128.andNot(mul(share, b), isNone)]
    },
  },
  sin: {
    run: ([a], { sin }) => ofBoth(sin, a),
    pullBack: (by, _, [a], __, { cos }) => [mul(by, ofBoth(cos, a))],
  },
  cos: {
    run: ([a], { cos }) => ofBoth(cos, a),
    pullBack: (by, _, [a], __, { sin }) => [neg(mul(by, ofBoth(sin, a)))],
  },
  // Math.round goes up from the middle; the instruction goes to the even one.
  round: {
    run: ([a]) => add(floor(a), v128.and(ONE, ge(sub(a, floor(a)), f64x2.const(0.5)))),
    pullBack: () => [undefined],
  },
  select: {
    run: ([a, b, c]) => v128.select(b, c, le(a, ZERO)),
    pullBack: (by, _, [a], keep) => [undefined, ...shared(by, le(a, ZERO), keep)],
  },
}

/** The gradient for one input where the mask is set, for the other where it is not. */
function shared(by: V128, mask: V128, keep: Keep): V128[] {
  const chosen = keep(mask)
  return [v128.and(by, chosen), v128.andNot(by, chosen)]
}

function ofBoth(wave: OfNumber, angles: V128): V128 {
  const of = (lane: 0 | 1) => wave.call({ angle: f64x2.extract(angles, lane) })
  return f64x2.replace(f64x2.splat(of(0)), of(1), 1)
}
