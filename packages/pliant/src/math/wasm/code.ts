/**
 * Pieces of WebAssembly code that nest like ordinary expressions: operands come first. A piece says in its type what it
 * leaves on the stack, so that `f32x4.add(i32.const(1), ...)` does not compile.
 */
import { unsigned } from './encode.js'

export type ValueType = 'i32' | 'f32' | 'f64' | 'v128'

export interface Code<T extends ValueType | 'void' = ValueType | 'void'> {
  /** What it leaves on the stack. */
  readonly type: T
  readonly parts: readonly Part[]
}

/** A byte, a piece within the piece, or something that depends on the module it ends up in. */
export type Part = number | Code | MemoryAccess | Callee

/** Stands behind the address of a load or store; becomes code only in modules that check addresses. */
export interface MemoryAccess {
  readonly bytes: number
  readonly offset: number
  readonly isWrite: boolean
}

export interface Callee {
  /** Number of the function among those that the module defines, or among those that it takes from the host. */
  readonly callee: number
  readonly isHost?: boolean
}

export type I32 = Code<'i32'>
export type F32 = Code<'f32'>
export type F64 = Code<'f64'>
export type V128 = Code<'v128'>
export type Statement = Code<'void'>

export interface Local<T extends ValueType> {
  readonly get: Code<T>
  set(value: Code<T>): Statement
}

/** Takes the local variables of a function while its body is being written. */
export class Scope {
  readonly locals: ValueType[] = []
  readonly #paramCount: number

  constructor(paramCount: number) {
    this.#paramCount = paramCount
  }

  /** A local variable, zero at first. */
  local<T extends ValueType>(type: T): Local<T> {
    this.locals.push(type)
    return variable(type, this.#paramCount + this.locals.length - 1)
  }

  /** Several of one type, to be taken apart: `const [from, to] = scope.some(2, 'i32')`. */
  some<T extends ValueType>(count: number, type: T): Local<T>[] {
    return Array.from({ length: count }, () => this.local(type))
  }
}

/** A parameter or local variable by its number. */
export function variable<T extends ValueType>(type: T, index: number): Local<T> {
  return {
    get: { type, parts: [0x20, ...unsigned(index)] },
    set: (value) => ({ type: 'void', parts: [value, 0x21, ...unsigned(index)] }),
  }
}
