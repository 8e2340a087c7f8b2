import { describe, expect, it } from 'vitest'
import {
  doWhile,
  f32x4,
  f64,
  i32,
  increase,
  ModuleBuilder,
  splatLane,
  whileLoop,
} from '../../../../src/math/sparse/wasm/assembler.js'

/** Builds a module and gives what it exports as 'run', with a page of memory. */
function assemble(define: (module: ModuleBuilder) => void) {
  const module = new ModuleBuilder()
  define(module)
  const memory = new WebAssembly.Memory({ initial: 1 })
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.bytes()), { env: { memory } })
  return { run: instance.exports['run'] as (...args: number[]) => number, buffer: memory.buffer }
}

describe('ModuleBuilder', () => {
  it.each([0, 1, -1, 63, 64, -64, -65, 8191, -8193, 2 ** 31 - 1, -(2 ** 31)])('writes the constant %i', (value) => {
    const { run } = assemble((module) => module.define('run', () => [i32.const(value)], 'i32'))
    expect(run()).toBe(value)
  })

  it.each([
    [0, 0],
    [3, 0 + 1 + 2],
  ])('runs a loop %i times, also none', (times, total) => {
    const { run } = assemble((module) =>
      module.define(
        'run',
        (scope) => {
          const end = scope.param('i32')
          const [i, sum] = [scope.local('i32'), scope.local('i32')]
          const body = [sum.set(i32.add(sum.get, i.get)), increase(i, 1)]
          return [whileLoop(i32.ltU(i.get, end.get), body), sum.get]
        },
        'i32',
      ),
    )
    expect(run(times)).toBe(total)
  })

  it('computes with doubles as the language does', () => {
    const { run } = assemble((module) =>
      module.define(
        'run',
        (scope) => {
          const [a, b] = [scope.param('f64'), scope.param('f64')]
          const root = f64.sqrt(f64.abs(f64.sub(f64.mul(a.get, a.get), f64.div(a.get, b.get))))
          const bounded = f64.max(f64.const(-1), f64.min(root, f64.const(1e300)))
          const signed = f64.copysign(bounded, f64.neg(b.get))
          const condition = i32.or(i32.and(f64.lt(a.get, b.get), f64.gt(b.get, f64.const(0))), f64.le(b.get, a.get))
          return [f64.select(signed, f64.add(a.get, b.get), condition)]
        },
        'f64',
      ),
    )
    const root = (a: number, b: number): number => Math.sqrt(Math.abs(a * a - a / b))
    expect(run(0.1, 0.7)).toBe(-root(0.1, 0.7))
    expect(run(3, -0.7)).toBe(root(3, -0.7))
    expect(run(-3, -0.7)).toBe(-3.7)
  })

  it('splats, replaces and shuffles lanes, at addresses far beyond one LEB128 byte', () => {
    const { run, buffer } = assemble((module) =>
      module.define('run', (scope) => {
        const at = scope.param('i32')
        const x = scope.local('v128')
        return [
          doWhile(
            [
              x.set(f32x4.load(at.get, 40000)),
              f32x4.store(at.get, f32x4.mul(splatLane(x, 1), x.get), 20000),
              f32x4.store(at.get, f32x4.shuffle(x.get, f32x4.const(9, 8, 7, 6), [3, 4, 0, 7]), 20016),
              increase(at, 32),
            ],
            i32.ltU(at.get, i32.const(32)),
          ),
        ]
      }),
    )
    const floats = new Float32Array(buffer)
    floats.set([1, 2, 3, 4], 10000)
    run(0)
    expect([...floats.subarray(5000, 5008)]).toEqual([2, 4, 6, 8, 4, 9, 1, 6])
  })
})
