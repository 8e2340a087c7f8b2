/** Kernels that tell whether numbers are finite: zero times a finite number is zero, times any other NaN. */
import { doWhile, f32x4, f64x2, i32, i32x4, increase, type ModuleBuilder, v128 } from '../../../math/wasm/assembler.js'

/** Bytes that a check takes at a time: what is checked is padded with zeros to a multiple of it, as an arena does. */
export const CHECK_STEP = 64

/** Whether all numbers from `at` up to `end` are finite, 1 or 0; at least one step. */
export type FiniteCheck = (at: number, end: number) => number

const OPERATIONS = { areFinite: f64x2, areFiniteFloats: f32x4 }

/** Exports a check: 'areFinite' of doubles, 'areFiniteFloats' of floats. */
export function defineFinite(module: ModuleBuilder, name: keyof typeof OPERATIONS): void {
  const { add, mul, eq } = OPERATIONS[name]
  const params = { at: 'i32', end: 'i32' } as const
  module.define(name, { params, result: 'i32', isExported: true }, ({ at, end }, scope) => {
    const sums = scope.some(CHECK_STEP / 16, 'v128')
    // Of floats and doubles alike.
    const zero = f32x4.const(0)
    const total = sums.slice(1).reduce((sum, { get }) => add(sum, get), sums[0].get)
    return [
      doWhile(
        [
          ...sums.map((sum, i) => sum.set(add(sum.get, mul(v128.load(at.get, 16 * i), zero)))),
          increase(at, CHECK_STEP),
        ],
        i32.ltU(at.get, end.get),
      ),
      i32.eq(i32x4.bitmask(eq(total, zero)), i32.const(15)),
    ]
  })
}
