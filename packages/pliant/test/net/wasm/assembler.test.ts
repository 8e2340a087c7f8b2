import { describe, expect, it } from 'vitest'
import { doWhile, f32x4, i32, increase, ModuleBuilder, v128, when, whileLoop } from '../../../src/net/wasm/assembler.js'

/** Builds a module and gives what it exports, with a page of memory. */
function assemble(define: (module: ModuleBuilder) => void) {
  const module = new ModuleBuilder()
  define(module)
  const memory = new WebAssembly.Memory({ initial: 1 })
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.bytes({ shared: false })), {
    env: { memory },
  })
  return { run: instance.exports['run'] as (...args: number[]) => number, floats: new Float32Array(memory.buffer) }
}

describe('ModuleBuilder', () => {
  it.each([0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, -8193, 65536, 2 ** 31 - 1, -(2 ** 31)])(
    'writes the constant %i so that the host reads it back',
    (value) => {
      const { run } = assemble((module) => {
        module.define(() => [i32.const(value)], 'run', 'i32')
      })
      expect(run()).toBe(value)
    },
  )

  it('runs loops, conditions and calls: a sum that leaves out multiples of four', () => {
    const { run } = assemble((module) => {
      const isMultiple = module.define(
        (scope) => {
          const n = scope.param('i32')
          return [i32.eq(i32.and(n.get, i32.const(3)), i32.const(0))]
        },
        undefined,
        'i32',
      )
      module.define(
        (scope) => {
          const end = scope.param('i32')
          const [i, total] = [scope.local('i32'), scope.local('i32')]
          const body = [when(isMultiple.call<'i32'>(i.get), [], [increase(total, i.get)]), increase(i, 1)]
          return [whileLoop(i32.ltU(i.get, end.get), body), total.get]
        },
        'run',
        'i32',
      )
    })
    expect(run(0)).toBe(0)
    expect(run(10)).toBe(1 + 2 + 3 + 5 + 6 + 7 + 9)
  })

  it('addresses memory far beyond one LEB128 byte', () => {
    const { run, floats } = assemble((module) => {
      module.define((scope) => {
        const at = scope.param('i32')
        const step = v128.store(at.get, f32x4.mul(v128.load(at.get, 40000), f32x4.const(2)), 20000)
        return [doWhile([step, increase(at, 16)], i32.ltU(at.get, i32.const(64)))]
      }, 'run')
    })
    for (let i = 0; i < 16; i++) floats[10000 + i] = i
    run(0)
    expect([...floats.subarray(5000, 5016)]).toEqual(Array.from({ length: 16 }, (_, i) => 2 * i))
  })

  it('keeps NaN in the first operand of pmax and pmin, on which the kernels rely', () => {
    const { run, floats } = assemble((module) => {
      module.define(() => {
        const load = v128.load(i32.const(0))
        return [v128.store(i32.const(16), f32x4.pmin(f32x4.pmax(load, f32x4.const(0)), f32x4.const(1)))]
      }, 'run')
    })
    floats.set([Number.NaN, -1, 0.5, 2])
    run()
    expect([...floats.subarray(4, 8)]).toEqual([Number.NaN, 0, 0.5, 1])
  })
})
