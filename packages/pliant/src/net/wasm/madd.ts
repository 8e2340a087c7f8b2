/** Multiply and add, the kernels' one hot operation: fused where the host has relaxed SIMD, else in two steps. */
import { f32x4, type V128 } from '../../math/wasm/assembler.js'

/** a * b + c per lane. */
export type Madd = (a: V128, b: V128, c: V128) => V128

export const plainMadd: Madd = (a, b, c) => f32x4.add(f32x4.mul(a, b), c)

export const relaxedMadd: Madd = f32x4.relaxedMadd
