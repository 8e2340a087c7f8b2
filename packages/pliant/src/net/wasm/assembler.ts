/**
 * A small WebAssembly assembler: functions are composed from typed pieces of code and written as the bytes of a module
 * in memory. Only what the kernels need; the binary format is that of the WebAssembly core specification, part 5.
 *
 * A piece of code is its bytes, in a type that says what it leaves on the stack, so that `f32x4.add(i32.const(1), ...)`
 * does not compile. Operands come first: pieces nest like ordinary expressions.
 */
export type ValueType = 'i32' | 'f32' | 'v128'
export type Code<T extends ValueType | 'void'> = number[] & { readonly leaves?: T }
export type I32 = Code<'i32'>
export type F32 = Code<'f32'>
export type V128 = Code<'v128'>
export type Statement = Code<'void'>

const TYPE_BYTE: Record<ValueType, number> = { i32: 0x7f, f32: 0x7d, v128: 0x7b }
const EMPTY_BLOCK = 0x40

export interface Local<T extends ValueType> {
  readonly get: Code<T>
  set(value: Code<T>): Statement
}

export interface WasmFunction {
  readonly index: number
  /** A call with the arguments in order; typed by the caller, who knows what the function returns. */
  call<T extends ValueType | 'void' = 'void'>(...args: Code<ValueType>[]): Code<T>
}

/** Parameters and locals of a function while its body is being written. */
export class Scope {
  readonly params: ValueType[] = []
  readonly locals: ValueType[] = []

  param<T extends ValueType>(type: T): Local<T> {
    this.params.push(type)
    return local(this.params.length - 1)
  }

  /** A local variable, zero at first. All parameters must have been declared before. */
  local<T extends ValueType>(type: T): Local<T> {
    this.locals.push(type)
    return local(this.params.length + this.locals.length - 1)
  }
}

/** Functions over one imported memory ('env', 'memory'). */
export class ModuleBuilder {
  readonly #functions: { scope: Scope; result: ValueType | undefined; body: number[]; name: string | undefined }[] = []

  /**
   * Adds a function.
   * @param body    declares parameters and locals on the scope and returns the statements, the result last
   * @param name    exported under this name, if given
   * @param result  type that the body leaves on the stack, if any
   */
  define(body: (scope: Scope) => number[][], name?: string, result?: ValueType): WasmFunction {
    const scope = new Scope()
    const index = this.#functions.length
    this.#functions.push({ scope, result, body: body(scope).flat(), name })
    return { index, call: (...args) => [...args.flat(), 0x10, ...unsigned(index)] }
  }

  /** The module's binary, for instances whose memory is shared between threads or not. */
  bytes(memory: { shared: boolean }): Uint8Array<ArrayBuffer> {
    const functions = this.#functions
    // A shared memory must name its largest size; 65536 pages is all that 32 bits can address.
    const limits = memory.shared ? [0x03, ...unsigned(1), ...unsigned(65536)] : [0x00, ...unsigned(1)]
    const types = functions.map(({ scope, result }) => [
      0x60,
      ...vector(scope.params.map((type) => [TYPE_BYTE[type]])),
      ...vector(result ? [[TYPE_BYTE[result]]] : []),
    ])
    const exported = functions.flatMap(({ name }, index) => (name ? [[...text(name), 0x00, ...unsigned(index)]] : []))
    const bodies = functions.map(({ scope, body }) => {
      const locals = vector(scope.locals.map((type) => [1, TYPE_BYTE[type]]))
      return [...unsigned(locals.length + body.length + 1), ...locals, ...body, 0x0b]
    })
    return Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      ...section(1, types),
      ...section(2, [[...text('env'), ...text('memory'), 0x02, ...limits]]),
      ...section(3, [...functions.keys()].map(unsigned)),
      ...section(7, exported),
      ...section(10, bodies),
    ])
  }
}

export const i32 = {
  const: (value: number): I32 => [0x41, ...signed(value)],
  load: (address: I32, offset = 0): I32 => [...address, 0x28, 2, ...unsigned(offset)],
  store: (address: I32, value: I32, offset = 0): Statement => [...address, ...value, 0x36, 2, ...unsigned(offset)],
  ...i32Binary({
    eq: 0x46,
    ltU: 0x49,
    geU: 0x4f,
    add: 0x6a,
    sub: 0x6b,
    mul: 0x6c,
    and: 0x71,
    shl: 0x74,
    shrU: 0x76,
  }),
}

export const f32 = {
  const: (value: number): F32 => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)],
  load: (address: I32, offset = 0): F32 => [...address, 0x2a, 2, ...unsigned(offset)],
  store: (address: I32, value: F32, offset = 0): Statement => [...address, ...value, 0x38, 2, ...unsigned(offset)],
  add: (a: F32, b: F32): F32 => [...a, ...b, 0x92],
}

export const v128 = {
  load: (address: I32, offset = 0): V128 => [...address, ...simd(0), 2, ...unsigned(offset)],
  /** One float, in all four lanes. */
  loadSplat: (address: I32, offset = 0): V128 => [...address, ...simd(9), 2, ...unsigned(offset)],
  /** Two floats in the lower lanes, zero in the others. */
  loadPair: (address: I32, offset = 0): V128 => [...address, ...simd(93), 2, ...unsigned(offset)],
  loadLane: (address: I32, into: V128, lane: number, offset = 0): V128 => [
    ...[...address, ...into, ...simd(86), 2, ...unsigned(offset)],
    lane,
  ],
  store: (address: I32, value: V128, offset = 0): Statement => [
    ...address,
    ...value,
    ...simd(11),
    2,
    ...unsigned(offset),
  ],
  storePair: (address: I32, value: V128, offset = 0): Statement => [
    ...[...address, ...value, ...simd(91), 2, ...unsigned(offset)],
    0,
  ],
  storeLane: (address: I32, value: V128, lane: number, offset = 0): Statement => [
    ...[...address, ...value, ...simd(90), 2, ...unsigned(offset)],
    lane,
  ],
  ...v128Binary({ and: 78, or: 80 }),
  /** Bits of a where the mask is set, else of b. */
  select: (a: V128, b: V128, mask: V128): V128 => [...a, ...b, ...mask, ...simd(82)],
  /** Lanes 0-3 are those of a, 4-7 those of b. */
  shuffle: (a: V128, b: V128, lanes: readonly [number, number, number, number]): V128 => [
    ...[...a, ...b, ...simd(13)],
    ...lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]),
  ],
}

export const f32x4 = {
  const: (value: number): V128 => {
    const lane = [...new Uint8Array(Float32Array.of(value).buffer)]
    return [...simd(12), ...lane, ...lane, ...lane, ...lane]
  },
  splat: (value: F32): V128 => [...value, ...simd(19)],
  extract: (value: V128, lane: number): F32 => [...value, ...simd(31), lane],
  ...v128Binary(
    // pmin(a, b) is b < a ? b : a and pmax(a, b) is a < b ? b : a: one instruction each, and NaN in a stays.
    { eq: 65, lt: 67, gt: 68, le: 69, ge: 70, add: 228, sub: 229, mul: 230, div: 231, pmin: 234, pmax: 235 },
  ),
  abs: (value: V128): V128 => [...value, ...simd(224)],
  sqrt: (value: V128): V128 => [...value, ...simd(227)],
  fromI32x4: (value: V128): V128 => [...value, ...simd(250)],
  /** a * b + c in one rounding or two, as the host likes. */
  relaxedMadd: (a: V128, b: V128, c: V128): V128 => [...a, ...b, ...c, ...simd(0x105)],
}

export const i32x4 = {
  splat: (value: I32): V128 => [...value, ...simd(17)],
  extract: (value: V128, lane: number): I32 => [...value, ...simd(27), lane],
  ...v128Binary({ add: 174, mul: 181, minS: 182 }),
  shl: (value: V128, bits: I32): V128 => [...value, ...bits, ...simd(171)],
  /** Towards zero; NaN gives 0. */
  truncate: (value: V128): V128 => [...value, ...simd(248)],
}

/** Computes a value to no end but what computing it does, say that it is read from memory. */
export function drop(value: Code<ValueType>): Statement {
  return [...value, 0x1a]
}

/** Runs the body, and again as long as the condition holds after it. */
export function doWhile(body: number[][], condition: I32): Statement {
  return [0x03, EMPTY_BLOCK, ...body.flat(), ...condition, 0x0d, 0, 0x0b]
}

export function when(condition: I32, body: number[][], otherwise: number[][] = []): Statement {
  const alternative = otherwise.length > 0 ? [0x05, ...otherwise.flat()] : []
  return [...condition, 0x04, EMPTY_BLOCK, ...body.flat(), ...alternative, 0x0b]
}

/** A loop that may run zero times. */
export function whileLoop(condition: I32, body: number[][]): Statement {
  return when(condition, [doWhile(body, condition)])
}

export function increase(variable: Local<'i32'>, by: I32 | number): Statement {
  return variable.set(i32.add(variable.get, typeof by === 'number' ? i32.const(by) : by))
}

function i32Binary<K extends string>(opcodes: Record<K, number>): Record<K, (a: I32, b: I32) => I32> {
  return mapValues(
    opcodes,
    (opcode) =>
      (a: I32, b: I32): I32 => [...a, ...b, opcode],
  )
}

function v128Binary<K extends string>(opcodes: Record<K, number>): Record<K, (a: V128, b: V128) => V128> {
  return mapValues(
    opcodes,
    (opcode) =>
      (a: V128, b: V128): V128 => [...a, ...b, ...simd(opcode)],
  )
}

function mapValues<K extends string, T>(values: Record<K, number>, change: (value: number) => T): Record<K, T> {
  const entries = Object.entries<number>(values).map(([name, value]) => [name, change(value)])
  return Object.fromEntries(entries) as Record<K, T>
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
