/** The instructions that the kernels use, by type. Offsets and sizes are in bytes. */
import type { Code, F32, F64, I32, Local, Part, Statement, V128, ValueType } from './code.js'
import { signed, unsigned } from './encode.js'

const SIMD = [0xfd]

export const i32 = {
  const: (value: number): I32 => piece('i32', 0x41, ...signed(value)),
  load: load('i32', [0x28], 4),
  store: store<'i32'>([0x36], 4),
  ...binary('i32', [], {
    eq: 0x46,
    ltU: 0x49,
    geU: 0x4f,
    add: 0x6a,
    sub: 0x6b,
    mul: 0x6c,
    divU: 0x6e,
    and: 0x71,
    or: 0x72,
    shl: 0x74,
    shrU: 0x76,
  }),
  /** How many bits are set. */
  popcnt: (a: I32): I32 => piece('i32', a, 0x69),
  /** a where the condition holds, else b; both are computed. */
  select: (a: I32, b: I32, condition: I32): I32 => piece('i32', a, b, condition, 0x1b),
}

export const f32 = {
  const: (value: number): F32 => piece('f32', 0x43, ...floats(value)),
  load: load('f32', [0x2a], 4),
  store: store<'f32'>([0x38], 4),
  add: (a: F32, b: F32): F32 => piece('f32', a, b, 0x92),
  demote: (value: F64): F32 => piece('f32', value, 0xb6),
}

// Apart from the rest of doubles, which a bundler leaves out where only records are used.
export const loadDouble = load('f64', [0x2b], 8, 3)
export const storeDouble = store<'f64'>([0x39], 8, 3)

export const f64 = {
  const: (value: number): F64 => piece('f64', 0x44, ...new Uint8Array(Float64Array.of(value).buffer)),
  load: loadDouble,
  store: storeDouble,
  lt: (a: F64, b: F64): I32 => piece('i32', a, b, 0x63),
  gt: (a: F64, b: F64): I32 => piece('i32', a, b, 0x64),
  le: (a: F64, b: F64): I32 => piece('i32', a, b, 0x65),
  eq: (a: F64, b: F64): I32 => piece('i32', a, b, 0x61),
  abs: (a: F64): F64 => piece('f64', a, 0x99),
  neg: (a: F64): F64 => piece('f64', a, 0x9a),
  sqrt: (a: F64): F64 => piece('f64', a, 0x9f),
  add: (a: F64, b: F64): F64 => piece('f64', a, b, 0xa0),
  sub: (a: F64, b: F64): F64 => piece('f64', a, b, 0xa1),
  mul: (a: F64, b: F64): F64 => piece('f64', a, b, 0xa2),
  div: (a: F64, b: F64): F64 => piece('f64', a, b, 0xa3),
  min: (a: F64, b: F64): F64 => piece('f64', a, b, 0xa4),
  max: (a: F64, b: F64): F64 => piece('f64', a, b, 0xa5),
  /** The first number with the second one's sign. */
  copysign: (a: F64, b: F64): F64 => piece('f64', a, b, 0xa6),
  /** a where the condition holds, else b; both are computed. */
  select: (a: F64, b: F64, condition: I32): F64 => piece('f64', a, b, condition, 0x1b),
}

/** Four lanes of 32 bits, whatever they hold; a lane is a number from 0 to 3. */
export const v128 = {
  load: load('v128', simd(0), 16),
  /** One float, in all four lanes. */
  loadSplat: load('v128', simd(9), 4),
  /** Two floats in the lower lanes, zero in the others. */
  loadPair: load('v128', simd(93), 8),
  loadLane: (address: I32, into: V128, lane: number, offset = 0): V128 =>
    piece('v128', ...access(address, 4, offset, false), into, ...simd(86), 2, ...unsigned(offset), lane),
  store: store<'v128'>(simd(11), 16),
  /** The lower two lanes. */
  storePair: (address: I32, value: V128, offset = 0): Statement =>
    piece('void', ...access(address, 8, offset, true), value, ...simd(91), 2, ...unsigned(offset), 0),
  storeLane: (address: I32, value: V128, lane: number, offset = 0): Statement =>
    piece('void', ...access(address, 4, offset, true), value, ...simd(90), 2, ...unsigned(offset), lane),
  /** andNot: bits of the first where the second has none. */
  ...binary('v128', SIMD, { and: 78, andNot: 79, or: 80 }),
  /** Whether any bit is set. */
  anyTrue: (value: V128): I32 => piece('i32', value, ...simd(83)),
  /** Bits of a where the mask is set, else of b. */
  select: (a: V128, b: V128, mask: V128): V128 => piece('v128', a, b, mask, ...simd(82)),
  /** Lanes 0-3 are those of a, 4-7 those of b. */
  shuffle: (a: V128, b: V128, lanes: readonly [number, number, number, number]): V128 =>
    piece('v128', a, b, ...simd(13), ...lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3])),
  /** Bytes of the first by the numbers that the second holds, zero where one is above 15. */
  swizzle: (bytes: V128, numbers: V128): V128 => piece('v128', bytes, numbers, ...simd(14)),
  /** One lane of a vector in all four. */
  splatLane: ({ get }: Local<'v128'>, lane: number): V128 => v128.shuffle(get, get, [lane, lane, lane, lane]),
}

export const f32x4 = {
  /** The same number in all lanes. */
  const: (value: number): V128 => f32x4.lanes(value, value, value, value),
  lanes: (x: number, y: number, z: number, w: number): V128 => piece('v128', ...simd(12), ...floats(x, y, z, w)),
  splat: (value: F32): V128 => piece('v128', value, ...simd(19)),
  extract: (value: V128, lane: number): F32 => piece('f32', value, ...simd(31), lane),
  replace: (into: V128, value: F32, lane: number): V128 => piece('v128', into, value, ...simd(32), lane),
  ...binary(
    'v128',
    SIMD,
    // pmin(a, b) is b < a ? b : a and pmax(a, b) is a < b ? b : a: one instruction each, and NaN in a stays.
    { eq: 65, lt: 67, gt: 68, le: 69, ge: 70, add: 228, sub: 229, mul: 230, div: 231, pmin: 234, pmax: 235 },
  ),
  abs: (value: V128): V128 => piece('v128', value, ...simd(224)),
  sqrt: (value: V128): V128 => piece('v128', value, ...simd(227)),
  fromI32x4: (value: V128): V128 => piece('v128', value, ...simd(250)),
  /** Two doubles, rounded, in the lower lanes; zero in the others. */
  demote: (value: V128): V128 => piece('v128', value, ...simd(94)),
  /** a * b + c in one rounding or two, as the host likes. */
  relaxedMadd: (a: V128, b: V128, c: V128): V128 => piece('v128', a, b, c, ...simd(0x105)),
}

/** Two lanes of 64 bits. Kinds of rounding, NaN and signed zeros are those of JavaScript's own operators and Math. */
export const f64x2 = {
  /** The same number in both lanes. */
  const: (value: number): V128 => {
    const bytes = new Uint8Array(Float64Array.of(value).buffer)
    return piece('v128', ...simd(12), ...bytes, ...bytes)
  },
  /** One number, in both lanes. */
  splat: (value: F64): V128 => piece('v128', value, ...simd(20)),
  extract: (value: V128, lane: 0 | 1): F64 => piece('f64', value, ...simd(33), lane),
  replace: (into: V128, value: F64, lane: 0 | 1): V128 => piece('v128', into, value, ...simd(34), lane),
  loadSplat: load('v128', simd(10), 8),
  /** One number into the upper lane. */
  loadUpper: (address: I32, into: V128, offset = 0): V128 =>
    piece('v128', ...access(address, 8, offset, false), into, ...simd(87), 3, ...unsigned(offset), 1),
  storeLane: (address: I32, value: V128, lane: 0 | 1, offset = 0): Statement =>
    piece('void', ...access(address, 8, offset, true), value, ...simd(91), 3, ...unsigned(offset), lane),
  ...binary('v128', SIMD, {
    ...{ eq: 71, lt: 73, gt: 74, le: 75, ge: 76 },
    ...{ add: 240, sub: 241, mul: 242, div: 243, min: 244, max: 245 },
    // As those of floats: one instruction where min and max take several, for NaN and signed zeros.
    ...{ pmin: 246, pmax: 247 },
  }),
  abs: (value: V128): V128 => piece('v128', value, ...simd(236)),
  neg: (value: V128): V128 => piece('v128', value, ...simd(237)),
  sqrt: (value: V128): V128 => piece('v128', value, ...simd(239)),
  floor: (value: V128): V128 => piece('v128', value, ...simd(117)),
}

export const i32x4 = {
  lanes: (...values: [number, number, number, number]): V128 =>
    piece('v128', ...simd(12), ...new Uint8Array(Int32Array.from(values).buffer)),
  splat: (value: I32): V128 => piece('v128', value, ...simd(17)),
  extract: (value: V128, lane: number): I32 => piece('i32', value, ...simd(27), lane),
  /** The highest bit of each lane, that of lane 0 lowest. */
  bitmask: (value: V128): I32 => piece('i32', value, ...simd(164)),
  ...binary('v128', SIMD, { eq: 55, add: 174, mul: 181, minS: 182, maxS: 184 }),
  shl: (value: V128, bits: I32): V128 => piece('v128', value, bits, ...simd(171)),
  /** The sign moves in from the left. */
  shrS: (value: V128, bits: I32): V128 => piece('v128', value, bits, ...simd(172)),
  /** Towards zero; NaN gives 0. */
  truncate: (value: V128): V128 => piece('v128', value, ...simd(248)),
}

function piece<T extends ValueType | 'void'>(type: T, ...parts: Part[]): Code<T> {
  return { type, parts }
}

/** @param alignment  logarithm of what addresses are expected to be a multiple of: words, if not said otherwise */
function load<T extends ValueType>(type: T, opcode: number[], bytes: number, alignment = 2) {
  return (address: I32, offset = 0): Code<T> =>
    piece(type, ...access(address, bytes, offset, false), ...opcode, alignment, ...unsigned(offset))
}

function store<T extends ValueType>(opcode: number[], bytes: number, alignment = 2) {
  return (address: I32, value: Code<T>, offset = 0): Statement =>
    piece('void', ...access(address, bytes, offset, true), value, ...opcode, alignment, ...unsigned(offset))
}

function access(address: I32, bytes: number, offset: number, isWrite: boolean): Part[] {
  return [address, { bytes, offset, isWrite }]
}

function binary<T extends ValueType, K extends string>(type: T, prefix: number[], opcodes: Record<K, number>) {
  const entries = Object.entries<number>(opcodes).map(([name, opcode]) => [
    name,
    (a: Code<T>, b: Code<T>): Code<T> => piece(type, a, b, ...prefix, ...unsigned(opcode)),
  ])
  return Object.fromEntries(entries) as Record<K, (a: Code<T>, b: Code<T>) => Code<T>>
}

function simd(opcode: number): number[] {
  return [...SIMD, ...unsigned(opcode)]
}

function floats(...values: number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer)
}
