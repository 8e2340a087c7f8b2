/**
 * A small WebAssembly assembler for the kernels of sparse matrices and elastic bodies: typed pieces of code that nest like
 * expressions, written as a module's bytes in memory (WebAssembly core specification, part 5). Like `net/wasm/assembler.ts`,
 * which rooms before `net` may not import, but for doubles and single lanes.
 */
export type ValueType = 'i32' | 'f32' | 'f64' | 'v128'
export type Code<T extends ValueType | 'void'> = number[] & { readonly leaves?: T }
export type I32 = Code<'i32'>
export type F32 = Code<'f32'>
export type F64 = Code<'f64'>
export type V128 = Code<'v128'>
export type Statement = Code<'void'>

export interface Local<T extends ValueType> {
  readonly get: Code<T>
  set(value: Code<T>): Statement
}

const TYPE_BYTE: Record<ValueType, number> = { i32: 0x7f, f32: 0x7d, f64: 0x7c, v128: 0x7b }
const EMPTY_BLOCK = 0x40

/** Parameters and locals of a function while its body is being written. All parameters come before any local. */
export class Scope {
  readonly params: ValueType[] = []
  readonly locals: ValueType[] = []

  param<T extends ValueType>(type: T): Local<T> {
    this.params.push(type)
    return local(this.params.length - 1)
  }

  /** A local variable, zero at first. */
  local<T extends ValueType>(type: T): Local<T> {
    this.locals.push(type)
    return local(this.params.length + this.locals.length - 1)
  }
}

/** Exported functions over one imported memory ('env', 'memory'). */
export class ModuleBuilder {
  readonly #functions: { scope: Scope; result: ValueType | undefined; body: number[]; name: string }[] = []

  /** @param body declares parameters and locals and returns the statements, of which the last leaves the `result` */
  define(name: string, body: (scope: Scope) => number[][], result?: ValueType): void {
    const scope = new Scope()
    this.#functions.push({ scope, result, body: body(scope).flat(), name })
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const functions = this.#functions
    const types = functions.map(({ scope, result }) => [
      0x60,
      ...vector(scope.params.map((type) => [TYPE_BYTE[type]])),
      ...vector(result ? [[TYPE_BYTE[result]]] : []),
    ])
    const bodies = functions.map(({ scope, body }) => {
      const locals = vector(scope.locals.map((type) => [1, TYPE_BYTE[type]]))
      return [...unsigned(locals.length + body.length + 1), ...locals, ...body, 0x0b]
    })
    return Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      ...section(1, types),
      ...section(2, [[...text('env'), ...text('memory'), 0x02, 0x00, 1]]),
      ...section(3, [...functions.keys()].map(unsigned)),
      ...section(
        7,
        functions.map(({ name }, index) => [...text(name), 0x00, ...unsigned(index)]),
      ),
      ...section(10, bodies),
    ])
  }
}

export const i32 = {
  const: (value: number): I32 => [0x41, ...signed(value)],
  load: (address: I32, offset = 0): I32 => [...address, 0x28, 2, ...unsigned(offset)],
  store: (address: I32, value: I32, offset = 0): Statement => [...address, ...value, 0x36, 2, ...unsigned(offset)],
  ltU: (a: I32, b: I32): I32 => [...a, ...b, 0x49],
  add: (a: I32, b: I32): I32 => [...a, ...b, 0x6a],
  and: (a: I32, b: I32): I32 => [...a, ...b, 0x71],
  or: (a: I32, b: I32): I32 => [...a, ...b, 0x72],
}

export const f32 = {
  add: (a: F32, b: F32): F32 => [...a, ...b, 0x92],
  demote: (value: F64): F32 => [...value, 0xb6],
}

export const f64 = {
  const: (value: number): F64 => [0x44, ...new Uint8Array(Float64Array.of(value).buffer)],
  load: (address: I32, offset = 0): F64 => [...address, 0x2b, 3, ...unsigned(offset)],
  store: (address: I32, value: F64, offset = 0): Statement => [...address, ...value, 0x39, 3, ...unsigned(offset)],
  lt: (a: F64, b: F64): I32 => [...a, ...b, 0x63],
  gt: (a: F64, b: F64): I32 => [...a, ...b, 0x64],
  le: (a: F64, b: F64): I32 => [...a, ...b, 0x65],
  abs: (a: F64): F64 => [...a, 0x99],
  neg: (a: F64): F64 => [...a, 0x9a],
  sqrt: (a: F64): F64 => [...a, 0x9f],
  add: (a: F64, b: F64): F64 => [...a, ...b, 0xa0],
  sub: (a: F64, b: F64): F64 => [...a, ...b, 0xa1],
  mul: (a: F64, b: F64): F64 => [...a, ...b, 0xa2],
  div: (a: F64, b: F64): F64 => [...a, ...b, 0xa3],
  min: (a: F64, b: F64): F64 => [...a, ...b, 0xa4],
  max: (a: F64, b: F64): F64 => [...a, ...b, 0xa5],
  /** The first number with the second one's sign. */
  copysign: (a: F64, b: F64): F64 => [...a, ...b, 0xa6],
  /** a where the condition holds, else b; both are computed. */
  select: (a: F64, b: F64, condition: I32): F64 => [...a, ...b, ...condition, 0x1b],
}

/** Four floats; a lane is a number from 0 to 3. */
export const f32x4 = {
  load: (address: I32, offset = 0): V128 => [...address, ...simd(0), 2, ...unsigned(offset)],
  store: (address: I32, value: V128, offset = 0): Statement => [
    ...[...address, ...value, ...simd(11)],
    ...[2, ...unsigned(offset)],
  ],
  const: (x: number, y: number, z: number, w: number): V128 => [
    ...simd(12),
    ...new Uint8Array(Float32Array.of(x, y, z, w).buffer),
  ],
  /** Lanes 0-3 are those of a, 4-7 those of b. */
  shuffle: (a: V128, b: V128, lanes: readonly [number, number, number, number]): V128 => [
    ...[...a, ...b, ...simd(13)],
    ...lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]),
  ],
  splat: (value: F32): V128 => [...value, ...simd(19)],
  extract: (value: V128, lane: number): F32 => [...value, ...simd(31), lane],
  replace: (into: V128, value: F32, lane: number): V128 => [...into, ...value, ...simd(32), lane],
  add: (a: V128, b: V128): V128 => [...a, ...b, ...simd(228)],
  sub: (a: V128, b: V128): V128 => [...a, ...b, ...simd(229)],
  mul: (a: V128, b: V128): V128 => [...a, ...b, ...simd(230)],
}

/** One lane of a vector in all four. */
export function splatLane(value: Local<'v128'>, lane: number): V128 {
  return f32x4.shuffle(value.get, value.get, [lane, lane, lane, lane])
}

/** Runs the body, and again as long as the condition holds after it. */
export function doWhile(body: number[][], condition: I32): Statement {
  return [0x03, EMPTY_BLOCK, ...body.flat(), ...condition, 0x0d, 0, 0x0b]
}

export function when(condition: I32, body: number[][]): Statement {
  return [...condition, 0x04, EMPTY_BLOCK, ...body.flat(), 0x0b]
}

/** A loop that may run zero times. */
export function whileLoop(condition: I32, body: number[][]): Statement {
  return when(condition, [doWhile(body, condition)])
}

export function increase(variable: Local<'i32'>, by: number): Statement {
  return variable.set(i32.add(variable.get, i32.const(by)))
}

function local<T extends ValueType>(index: number): Local<T> {
  return { get: [0x20, ...unsigned(index)], set: (value) => [...value, 0x21, ...unsigned(index)] }
}

function simd(opcode: number): number[] {
  return [0xfd, ...unsigned(opcode)]
}

function section(id: number, items: number[][]): number[] {
  const content = vector(items)
  return [id, ...unsigned(content.length), ...content]
}

function vector(items: number[][]): number[] {
  return [...unsigned(items.length), ...items.flat()]
}

function text(name: string): number[] {
  return vector([...new TextEncoder().encode(name)].map((byte) => [byte]))
}

/** LEB128: seven bits at a time, lowest first, the eighth says that more follow. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64
  return isLast ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)]
}
