/**
 * Values and gradients of a tape, a block of points at a time: each step goes over all points of the block before the
 * next, so that what a step is costs nothing per point. Gradients in reverse, in the same pass, as there is one result.
 */
import type { Floats } from '../../math/floats.js'
import type { Input } from './operations.js'
import type { Tape } from './tape.js'
import { type TapeKernel, tapeKernel } from './tape-kernel.js'

/** Points of a block: registers of some hundred steps still fit the second cache. */
const BLOCK = 64
/** A tape that so many points were asked of is compiled, which takes about as long as to answer these. */
const COMPILED_AFTER = 50_000
/** Blocks of fewer points are done in registers of their own, which are as short. */
const NONE: Input = { values: new Float64Array(0), by: new Float64Array(0) }

export class TapeValues {
  readonly #tape: Tape
  /** One per register. */
  readonly #inputs: readonly Input[]
  /** How many points were asked of it, until it is compiled or cannot be. */
  #asked = 0
  #kernel: TapeKernel | undefined

  constructor(tape: Tape) {
    this.#tape = tape
    const room = new Float64Array(2 * BLOCK * tape.registers)
    const block = (at: number): Float64Array => room.subarray(at * BLOCK, (at + 1) * BLOCK)
    this.#inputs = Array.from({ length: tape.registers }, (_, i) => ({
      values: block(i),
      by: block(tape.registers + i),
    }))
    tape.constants.forEach((value, i) => {
      this.#inputs[3 + i].values.fill(value)
    })
  }

  /** As `SignedField.query`, of finite points; others get whatever comes out. */
  query(points: Floats, count: number, values: Floats, gradients?: Floats): void {
    if (this.#asked < COMPILED_AFTER) {
      this.#asked += count
      if (this.#asked >= COMPILED_AFTER) this.#kernel = tapeKernel(this.#tape)
    }
    if (this.#kernel) this.#kernel(points, count, values, gradients)
    else this.#interpret(points, count, values, gradients)
  }

  #interpret(points: Floats, count: number, values: Floats, gradients?: Floats): void {
    const registers = this.#inputs
    const result = registers[this.#tape.result].values
    for (let first = 0; first < count; first += BLOCK) {
      const block = Math.min(BLOCK, count - first)
      for (let axis = 0; axis < 3; axis++) {
        const to = registers[axis].values
        for (let i = 0, from = 3 * first + axis; i < block; i++, from += 3) to[i] = points[from]
      }
      this.#run(block)
      for (let i = 0; i < block; i++) values[first + i] = result[i]
      if (!gradients) continue
      this.#pullBack(block)
      for (let axis = 0; axis < 3; axis++) {
        const { by } = registers[axis]
        for (let i = 0, to = 3 * first + axis; i < block; i++, to += 3) gradients[to] = by[i]
      }
    }
  }

  #run(count: number): void {
    const registers = this.#inputs
    for (const { operation, inputs, out } of this.#tape.steps) {
      const a = registers[inputs[0]].values
      const b = inputs.length > 1 ? registers[inputs[1]].values : NONE.values
      const c = inputs.length > 2 ? registers[inputs[2]].values : NONE.values
      operation.run(count, registers[out].values, a, b, c)
    }
  }

  #pullBack(count: number): void {
    const registers = this.#inputs
    const { steps, result } = this.#tape
    for (const { by } of registers) by.fill(0, 0, count)
    registers[result].by.fill(1, 0, count)
    for (let i = steps.length - 1; i >= 0; i--) {
      const { operation, inputs, out } = steps[i]
      const a = registers[inputs[0]]
      const b = inputs.length > 1 ? registers[inputs[1]] : NONE
      const c = inputs.length > 2 ? registers[inputs[2]] : NONE
      operation.pullBack(count, registers[out].by, registers[out].values, a, b, c)
    }
  }
}
