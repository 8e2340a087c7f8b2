import { describe, expect, it } from 'vitest'
import {
  doWhile,
  drop,
  f32,
  f32x4,
  f64,
  i32,
  i32x4,
  increase,
  type ModuleBuilder,
  type Statement,
  type V128,
  v128,
} from '../../../src/math/wasm/assembler.js'
import { assemble } from './assemble.js'

/** Defines 'run' of no parameters that writes these vectors, one after the other, from byte 64 on. */
function writing(...vectors: V128[]) {
  return (module: ModuleBuilder): void => {
    const statements = vectors.map((vector, i) => v128.store(i32.const(64), vector, 16 * i))
    module.define('run', { params: {}, isExported: true }, () => statements)
  }
}

/** What 'run' leaves from byte 64 on, if `memory` is at the beginning. */
function written(vectors: V128[], memory: number[] = []): number[] {
  const { run, buffer } = assemble(writing(...vectors))
  const floats = new Float32Array(buffer)
  floats.set(memory)
  run()
  return [...floats.subarray(16, 16 + 4 * vectors.length)]
}

describe('instructions', () => {
  it.each([0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, -8193, 65536, 2 ** 31 - 1, -(2 ** 31)])(
    'write the constant %i so that the host reads it back',
    (value) => {
      const { run } = assemble((module) => {
        module.define('run', { params: {}, result: 'i32', isExported: true }, () => [i32.const(value)])
      })
      expect(run()).toBe(value)
    },
  )

  it('compute with whole numbers as the language does', () => {
    const { run } = assemble((module) => {
      module.define('run', { params: { a: 'i32', b: 'i32' }, result: 'i32', isExported: true }, ({ a, b }) => {
        const bits = i32.or(i32.shl(a.get, i32.const(3)), i32.shrU(b.get, i32.const(1)))
        return [i32.mul(i32.sub(bits, b.get), i32.add(i32.geU(a.get, b.get), i32.const(2)))]
      })
    })
    expect(run(5, 9)).toBe(((5 << 3) | (9 >>> 1)) * 2 - 9 * 2)
    expect(run(9, 5)).toBe((((9 << 3) | (5 >>> 1)) - 5) * 3)
  })

  it('compute with doubles as the language does', () => {
    const { run } = assemble((module) => {
      module.define('run', { params: { a: 'f64', b: 'f64' }, result: 'f64', isExported: true }, ({ a, b }) => {
        const root = f64.sqrt(f64.abs(f64.sub(f64.mul(a.get, a.get), f64.div(a.get, b.get))))
        const bounded = f64.max(f64.const(-1), f64.min(root, f64.const(1e300)))
        const signed = f64.copysign(bounded, f64.neg(b.get))
        const condition = i32.or(i32.and(f64.lt(a.get, b.get), f64.gt(b.get, f64.const(0))), f64.le(b.get, a.get))
        return [f64.select(signed, f64.add(a.get, b.get), condition)]
      })
    })
    const root = (a: number, b: number): number => Math.sqrt(Math.abs(a * a - a / b))
    expect(run(0.1, 0.7)).toBe(-root(0.1, 0.7))
    expect(run(3, -0.7)).toBe(root(3, -0.7))
    expect(run(-3, -0.7)).toBe(-3.7)
  })

  it('load and store every width at addresses far beyond one LEB128 byte', () => {
    const { run, buffer } = assemble((module) => {
      module.define('run', { params: { at: 'i32' }, isExported: true }, ({ at }) => [
        i32.store(at.get, i32.load(at.get, 40000), 20000),
        f32.store(at.get, f32.add(f32.load(at.get, 40004), f32.const(1)), 20004),
        f64.store(at.get, f64.load(at.get, 40008), 20008),
        v128.store(at.get, v128.loadSplat(at.get, 40004), 20016),
        v128.storePair(at.get, v128.loadPair(at.get, 40016), 20032),
        v128.storeLane(at.get, v128.loadLane(at.get, f32x4.const(0), 2, 40016), 2, 20040),
        drop(i32.load(at.get)),
      ])
    })
    const view = new DataView(buffer)
    view.setInt32(40008, -7, true)
    view.setFloat32(40012, 1.5, true)
    view.setFloat64(40016, 0.1, true)
    new Float32Array(buffer, 40024).set([3, 4])
    run(8)
    expect(view.getInt32(20008, true)).toBe(-7)
    expect(view.getFloat32(20012, true)).toBe(2.5)
    expect(view.getFloat64(20016, true)).toBe(0.1)
    expect([...new Float32Array(buffer, 20024, 7)]).toEqual([1.5, 1.5, 1.5, 1.5, 3, 4, 3])
  })

  it('move lanes', () => {
    const lanes = f32x4.lanes(1, 2, 3, 4)
    const { run, buffer } = assemble((module) => {
      module.define('run', { params: {}, isExported: true }, (_, scope) => {
        const x = scope.local('v128')
        const store = (vector: V128, i: number): Statement => v128.store(i32.const(0), vector, 16 * i)
        return [
          x.set(lanes),
          ...[
            v128.splatLane(x, 1),
            v128.shuffle(x.get, f32x4.lanes(9, 8, 7, 6), [3, 4, 0, 7]),
            f32x4.replace(x.get, f32x4.extract(x.get, 3), 0),
            f32x4.splat(f32.const(5)),
          ].map(store),
        ]
      })
    })
    run()
    const expected = [2, 2, 2, 2, 4, 9, 1, 6, 4, 2, 3, 4, 5, 5, 5, 5]
    expect([...new Float32Array(buffer, 0, 16)]).toEqual(expected)
  })

  it('compare, select and convert lanes', () => {
    const x = f32x4.lanes(-2.5, 0, 1, 7.9)
    const whole = i32x4.minS(i32x4.truncate(x), i32x4.splat(i32.const(5)))
    const product = i32x4.shl(i32x4.mul(whole, i32x4.add(whole, whole)), i32.const(1))
    expect(
      written([
        v128.select(f32x4.const(1), f32x4.const(-1), f32x4.gt(x, f32x4.const(0))),
        v128.and(x, v128.or(f32x4.le(x, f32x4.const(0)), f32x4.eq(x, f32x4.const(1)))),
        f32x4.fromI32x4(product),
        f32x4.sqrt(f32x4.abs(f32x4.div(f32x4.sub(x, x), f32x4.const(2)))),
      ]),
    ).toEqual([-1, -1, 1, 1, -2.5, 0, 1, 0, 16, 0, 4, 100, 0, 0, 0, 0])
  })

  it('keep NaN in the first operand of pmax and pmin, on which the kernels rely', () => {
    const held = f32x4.pmin(f32x4.pmax(v128.load(i32.const(0)), f32x4.const(0)), f32x4.const(1))
    expect(written([held], [Number.NaN, -1, 0.5, 2])).toEqual([Number.NaN, 0, 0.5, 1])
  })

  it('run a loop at least once, as long as its condition holds after it', () => {
    const { run } = assemble((module) => {
      module.define('run', { params: { end: 'i32' }, result: 'i32', isExported: true }, ({ end }, scope) => {
        const i = scope.local('i32')
        return [doWhile([increase(i, 2)], i32.ltU(i.get, end.get)), i.get]
      })
    })
    expect([run(0), run(5)]).toEqual([2, 6])
  })
})
