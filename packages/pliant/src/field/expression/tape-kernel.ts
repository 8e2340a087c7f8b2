/**
 * A tape as WebAssembly, made for it at run time: all steps of two points, then of the next two, with every register a local
 * variable, where tape-values.ts reads and writes memory for each. Answers are the same to the last digit.
 */
import type { Floats } from '../../math/floats.js'
import {
  doWhile,
  f64x2,
  type I32,
  i32,
  increase,
  type Local,
  ModuleBuilder,
  type Scope,
  type Statement,
  type V128,
} from '../../math/wasm/assembler.js'
import { mayCompile } from '../../math/wasm/compile-permission.js'
import { LANE_OPERATIONS, type Waves } from './lane-operations.js'
import type { Tape } from './tape.js'

/** Steps of the longest tape that is compiled: beyond, what it costs to compile grows faster than what it saves. */
const MOST_STEPS = 2000
/** Points at a time: what goes in and comes out stays in the first cache. */
const BLOCK = 512
const DOUBLE = 8

/** As `SignedField.query`, of finite points; others get whatever comes out. */
export type TapeKernel = (points: Floats, count: number, values: Floats, gradients?: Floats) => void

/** @returns undefined if the tape is too long, or the host does not compile it */
export function tapeKernel(tape: Tape): TapeKernel | undefined {
  if (tape.steps.length > MOST_STEPS) return undefined
  if (typeof WebAssembly === 'undefined' || !mayCompile()) return undefined
  const bytes = moduleOf(tape)
  return WebAssembly.validate(bytes) ? kernelOf(new WebAssembly.Module(bytes)) : undefined
}

/** Where points, values and gradients of a block lie [bytes], all within one page of memory. */
const AT = { points: 0, values: 3 * DOUBLE * BLOCK, gradients: 4 * DOUBLE * BLOCK } as const

function kernelOf(module: WebAssembly.Module): TapeKernel {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 })
  const { exports } = new WebAssembly.Instance(module, { env: { memory }, host: { sin: Math.sin, cos: Math.cos } })
  const run = exports as unknown as Record<'values' | 'gradients', (count: number) => void>
  const view = (at: number, numbers: number): Float64Array => new Float64Array(memory.buffer, at, numbers)
  const inputs = view(AT.points, 3 * BLOCK)
  const outputs = view(AT.values, BLOCK)
  const slopes = view(AT.gradients, 3 * BLOCK)
  return (points, count, values, gradients) => {
    for (let first = 0; first < count; first += BLOCK) {
      const block = Math.min(BLOCK, count - first)
      for (let i = 0, from = 3 * first; i < 3 * block; i++, from++) inputs[i] = points[from]
      if (gradients) run.gradients(block)
      else run.values(block)
      for (let i = 0; i < block; i++) values[first + i] = outputs[i]
      if (gradients) for (let i = 0, to = 3 * first; i < 3 * block; i++, to++) gradients[to] = slopes[i]
    }
  }
}

/** Two functions that go over a block; the last pair of an odd one has a point too many, of whatever was there before. */
function moduleOf(tape: Tape): Uint8Array<ArrayBuffer> {
  const module = new ModuleBuilder()
  const number = { params: { angle: 'f64' }, result: 'f64' } as const
  const waves: Waves = { sin: module.take('sin', number), cos: module.take('cos', number) }
  for (const name of ['values', 'gradients'] as const) {
    module.define(name, { params: { count: 'i32' }, isExported: true }, ({ count }, scope) => {
      const [point, value, pairs] = scope.some(3, 'i32')
      const registers = registersOf(tape, scope)
      return [
        pairs.set(i32.shrU(i32.add(count.get, i32.const(1)), i32.const(1))),
        point.set(i32.const(AT.points)),
        value.set(i32.const(AT.values)),
        doWhile(
          [
            ...[0, 1, 2].map((axis) => writable(registers[axis]).set(pairAt(point.get, DOUBLE * axis))),
            ...forward(tape, registers, waves),
            ...storePair(value.get, registers[tape.result].get, 0, DOUBLE),
            ...(name === 'gradients' ? backward(tape, registers, waves, point.get, scope) : []),
            increase(point, 6 * DOUBLE),
            increase(value, 2 * DOUBLE),
            increase(pairs, -1),
          ],
          pairs.get,
        ),
      ]
    })
  }
  return module.bytes()
}

/** A local variable, or a constant, which is only read. */
type Register = Local<'v128'> | { readonly get: V128 }

function registersOf({ constants, steps }: Tape, scope: Scope): readonly Register[] {
  return [
    ...scope.some(3, 'v128'),
    ...constants.map((value) => ({ get: f64x2.const(value) })),
    ...scope.some(steps.length, 'v128'),
  ]
}

function forward({ steps }: Tape, registers: readonly Register[], waves: Waves): Statement[] {
  return steps.map(({ name, inputs, out }) => {
    const values = inputs.map((input) => registers[input].get)
    return writable(registers[out]).set(LANE_OPERATIONS[name].run(values, waves))
  })
}

/** What of the result is due to each register, from the result back to the point; constants are left out. */
function backward(
  { steps, result }: Tape,
  registers: readonly Register[],
  waves: Waves,
  point: I32,
  scope: Scope,
): Statement[] {
  const statements: Statement[] = []
  const by = new Map<number, Local<'v128'>>()
  const addTo = (register: number, share: V128): void => {
    if (!('set' in registers[register])) return
    const sum = by.get(register)
    const local = sum ?? scope.local('v128')
    statements.push(local.set(sum ? f64x2.add(sum.get, share) : share))
    by.set(register, local)
  }
  const keep = (value: V128): V128 => {
    const local = scope.local('v128')
    statements.push(local.set(value))
    return local.get
  }
  addTo(result, f64x2.const(1))
  for (let i = steps.length - 1; i >= 0; i--) {
    const { name, inputs, out } = steps[i]
    const own = by.get(out)
    if (!own) continue
    const values = inputs.map((input) => registers[input].get)
    const shares = LANE_OPERATIONS[name].pullBack(own.get, registers[out].get, values, keep, waves)
    shares.forEach((share, k) => {
      if (share) addTo(inputs[k], share)
    })
  }
  for (let axis = 0; axis < 3; axis++) {
    const slope = by.get(axis)?.get ?? f64x2.const(0)
    statements.push(...storePair(point, slope, AT.gradients - AT.points + DOUBLE * axis, 3 * DOUBLE))
  }
  return statements
}

/** One coordinate of two points. */
function pairAt(point: I32, offset: number): V128 {
  return f64x2.loadUpper(point, f64x2.loadSplat(point, offset), offset + 3 * DOUBLE)
}

function storePair(address: I32, value: V128, offset: number, apart: number): Statement[] {
  return [f64x2.storeLane(address, value, 0, offset), f64x2.storeLane(address, value, 1, offset + apart)]
}

function writable(register: Register): Local<'v128'> {
  return register as Local<'v128'>
}
