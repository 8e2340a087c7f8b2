/** Loops, conditions, and what else is a statement by itself. */
import type { Code, I32, Local, Part, Statement, ValueType } from './code.js'
import { i32 } from './instructions.js'

const EMPTY_BLOCK = 0x40

/** Runs the body, and again as long as the condition holds after it. */
export function doWhile(body: readonly Statement[], condition: I32): Statement {
  return statement(0x03, EMPTY_BLOCK, ...body, condition, 0x0d, 0, 0x0b)
}

export function when(condition: I32, body: readonly Statement[], otherwise: readonly Statement[] = []): Statement {
  const alternative = otherwise.length > 0 ? [0x05, ...otherwise] : []
  return statement(condition, 0x04, EMPTY_BLOCK, ...body, ...alternative, 0x0b)
}

/** A loop that may run zero times. */
export function whileLoop(condition: I32, body: readonly Statement[]): Statement {
  return when(condition, [doWhile(body, condition)])
}

export function increase(variable: Local<'i32'>, by: I32 | number): Statement {
  return variable.set(i32.add(variable.get, typeof by === 'number' ? i32.const(by) : by))
}

/** Computes a value for its side effect, say that it is read from memory into the cache; the result is unused. */
export function drop(value: Code<ValueType>): Statement {
  return statement(value, 0x1a)
}

function statement(...parts: Part[]): Statement {
  return { type: 'void', parts }
}
