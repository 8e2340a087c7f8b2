import { describe, expect, it } from 'vitest'
import {
  type F32,
  f32,
  type I32,
  i32,
  increase,
  ModuleBuilder,
  type Statement,
  when,
  whileLoop,
} from '../../../src/math/wasm/assembler.js'
import { assemble } from './assemble.js'

/** A module with a function of two parameters to call. */
function withScaled() {
  const module = new ModuleBuilder()
  const params = { value: 'i32', weight: 'f32' } as const
  const scaled = module.define('scaled', { params, result: 'f32' }, ({ weight }) => [weight.get])
  return { module, scaled }
}

describe('ModuleBuilder', () => {
  it('runs loops, conditions and calls: a sum that leaves out multiples of four', () => {
    const { run } = assemble((module) => {
      const isMultiple = module.define('isMultiple', { params: { n: 'i32' }, result: 'i32' }, ({ n }) => [
        i32.eq(i32.and(n.get, i32.const(3)), i32.const(0)),
      ])
      module.define('run', { params: { end: 'i32' }, result: 'i32', isExported: true }, ({ end }, scope) => {
        const [i, total] = scope.some(2, 'i32')
        const body = [when(isMultiple.call({ n: i }), [], [increase(total, i.get)]), increase(i, 1)]
        return [whileLoop(i32.ltU(i.get, end.get), body), total.get]
      })
    })
    expect(run(0)).toBe(0)
    expect(run(10)).toBe(1 + 2 + 3 + 5 + 6 + 7 + 9)
  })

  it('gives arguments in the order of the parameters, however the call writes them', () => {
    const { run } = assemble((module) => {
      const params = { first: 'i32', second: 'i32' } as const
      const minus = module.define('minus', { params, result: 'i32' }, (p) => [i32.sub(p.first.get, p.second.get)])
      module.define('run', { params: { a: 'i32', b: 'i32' }, result: 'i32', isExported: true }, ({ a, b }) => [
        minus.call({ second: b, first: i32.add(a.get, i32.const(1)) }),
      ])
    })
    expect(run(10, 4)).toBe(7)
  })

  it('calls functions of the host, also in a module that checks addresses', () => {
    const builder = new ModuleBuilder()
    const double = builder.take('double', { params: { value: 'i32' }, result: 'i32' })
    const less = builder.take('less', { params: { value: 'i32' }, result: 'i32' })
    builder.define('own', { params: {}, result: 'i32' }, () => [i32.const(5)])
    builder.define('run', { params: { value: 'i32' }, result: 'i32', isExported: true }, ({ value }) => [
      i32.add(less.call({ value: double.call({ value }) }), i32.load(i32.const(0))),
    ])
    const memory = new WebAssembly.Memory({ initial: 1 })
    const host = { double: (value: number) => 2 * value, less: (value: number) => value - 1 }
    const asked: number[] = []
    const check = { own: () => 0, run: (address: number) => asked.push(address) && address }
    for (const checksAddresses of [false, true]) {
      const module = new WebAssembly.Module(builder.bytes({ checksAddresses }))
      const { exports } = new WebAssembly.Instance(module, { env: { memory }, host, check })
      expect((exports['run'] as (value: number) => number)(20)).toBe(39)
    }
    expect(asked).toEqual([0])
  })

  it('refuses a call with an argument missing, too many or of another type, and names the function', () => {
    const { scaled } = withScaled()
    const [value, weight] = [i32.const(1), f32.const(2)]
    // @ts-expect-error: one is missing
    expect(() => scaled.call({ value })).toThrow("wasm function 'scaled': is called without 'weight'; ")
    // @ts-expect-error: one too many
    expect(() => scaled.call({ value, weight, bias: weight })).toThrow(
      "wasm function 'scaled': is called with 'bias'; ",
    )
    // @ts-expect-error: a whole number for a float
    expect(() => scaled.call({ value, weight: value })).toThrow("'scaled': is called with i32 for 'weight'; ")
    // @ts-expect-error: what it leaves is a float
    const misused: I32 = scaled.call({ value, weight })
    expect(misused.type).toBe('f32')
  })

  it('refuses a body that does not leave what the signature says', () => {
    const { module } = withScaled()
    const value = f32.const(1) as unknown as I32
    expect(() => module.define('wrong', { params: {}, result: 'i32' }, () => [value])).toThrow(
      "wasm function 'wrong': leaves f32 at statement 0; it must leave i32 there.",
    )
    const statement = f32.const(1) as unknown as Statement
    expect(() => module.define('left', { params: {} }, () => [statement])).toThrow('it must leave void there.')
    const nothing = [] as unknown as [F32]
    expect(() => module.define('none', { params: {}, result: 'f32' }, () => nothing)).toThrow('leaves nothing')
  })

  it('refuses two functions of one name', () => {
    const { module } = withScaled()
    expect(() => module.define('scaled', { params: {} }, () => [])).toThrow("'scaled': is defined twice; ")
  })

  it('names its functions where profilers and stack traces look, those that are not exported too', () => {
    const { run, module } = assemble((builder) => {
      const reach = builder.define('reachTooFar', { params: {} }, () => [i32.store(i32.const(-4), i32.const(0))])
      builder.define('run', { params: {}, isExported: true }, () => [reach.call({})])
    })
    expect(WebAssembly.Module.exports(module).map(({ name }) => name)).toEqual(['run'])
    const stack = stackOf(run)
    expect(stack).toContain('at reachTooFar (wasm://')
    expect(stack).toContain('at run (wasm://')
  })
})

function stackOf(run: () => void): string {
  try {
    run()
  } catch (error) {
    return String((error as Error).stack)
  }
  return 'did not trap'
}
