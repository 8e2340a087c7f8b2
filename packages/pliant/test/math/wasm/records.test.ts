import { describe, expect, it } from 'vitest'
import { f64, i32, v128 } from '../../../src/math/wasm/assembler.js'
import { record } from '../../../src/math/wasm/records.js'
import { assemble } from './assemble.js'

const SAMPLE = record({
  count: 'u32',
  corners: ['u32', 3],
  weight: 'f32',
  volume: 'f64',
  sides: ['f64', 2],
  lower: 'f32x4',
  columns: ['f32x4', 2],
  strides: 'u32x4',
})

const VALUES = {
  count: 7,
  corners: [10, 20, 3_000_000_000],
  weight: 0.5,
  volume: 0.1,
  sides: [1.25, -2.5],
  lower: [1, 2, 3],
  columns: [1, 2, 3, 4, 5, 6, 7, 8],
  strides: [4, 5, 6, 7],
}

describe('record', () => {
  it('lays fields out one behind the other, doubles at multiples of 8', () => {
    expect(SAMPLE.at).toEqual({
      count: 0,
      corners: 4,
      weight: 16,
      volume: 24,
      sides: 32,
      lower: 48,
      columns: 64,
      strides: 96,
    })
    expect(SAMPLE.size).toBe(112)
    expect(record({ a: 'u32', b: 'f32' }, 32)).toMatchObject({ at: { a: 0, b: 4 }, size: 32, shift: 5 })
  })

  it('keeps doubles aligned in an array of records', () => {
    expect(record({ volume: 'f64', count: 'u32' }).size).toBe(16)
  })

  it('is read by kernels as JavaScript writes it, each field by its type', () => {
    const { run, buffer } = assemble((module) => {
      module.define('run', { params: { from: 'i32', to: 'i32' }, isExported: true }, ({ from, to }) => {
        const [a, b] = [from.get, to.get]
        return [
          SAMPLE.store(b, 'count', i32.add(SAMPLE.load(a, 'count'), i32.const(1))),
          ...[0, 1, 2].map((n) => SAMPLE.store(b, 'corners', SAMPLE.load(a, 'corners', n), n)),
          SAMPLE.store(b, 'weight', SAMPLE.load(a, 'weight')),
          SAMPLE.store(b, 'volume', f64.add(SAMPLE.load(a, 'volume'), f64.const(1))),
          SAMPLE.store(b, 'sides', SAMPLE.load(a, 'sides', 1), 0),
          SAMPLE.store(b, 'sides', SAMPLE.load(a, 'sides', 0), 1),
          SAMPLE.store(b, 'lower', SAMPLE.splat(a, 'weight')),
          SAMPLE.store(b, 'columns', SAMPLE.load(a, 'columns', 1), 0),
          SAMPLE.store(b, 'columns', v128.and(SAMPLE.load(a, 'lower'), SAMPLE.load(a, 'lower')), 1),
          SAMPLE.store(b, 'strides', SAMPLE.load(a, 'strides')),
        ]
      })
    })
    const words = new Int32Array(buffer)
    words.set(SAMPLE.encode([{ ...VALUES, count: 1 }, VALUES]), 16)
    run(64 + SAMPLE.size, 1024)
    const expected = new Int32Array(SAMPLE.size / 4)
    SAMPLE.write(new DataView(expected.buffer), 0, {
      ...VALUES,
      ...{ count: 8, volume: 1.1, sides: [-2.5, 1.25] },
      ...{ lower: [0.5, 0.5, 0.5, 0.5], columns: [5, 6, 7, 8, 1, 2, 3, 0] },
    })
    expect(words.slice(256, 256 + expected.length)).toEqual(expected)
  })

  it('leaves what is not given', () => {
    const view = new DataView(new ArrayBuffer(SAMPLE.size))
    SAMPLE.write(view, 0, VALUES)
    SAMPLE.write(view, 0, { weight: 2 })
    expect([view.getUint32(SAMPLE.at.count, true), view.getFloat32(SAMPLE.at.weight, true)]).toEqual([7, 2])
  })

  it('refuses more numbers than a field has room for, which would land in the next one', () => {
    const view = new DataView(new ArrayBuffer(SAMPLE.size))
    expect(() => SAMPLE.write(view, 0, { corners: [1, 2, 3, 4] })).toThrow(
      "record: 4 numbers for 'corners'; it has room for 3.",
    )
  })

  it('lets no field be loaded or stored as what it is not', () => {
    // @ts-expect-error: a double
    const weight = (): unknown => i32.add(SAMPLE.load(i32.const(0), 'volume'), i32.const(1))
    // @ts-expect-error: no such field
    const stranger = (): unknown => SAMPLE.load(i32.const(0), 'height')
    // @ts-expect-error: not a float
    const splat = (): unknown => SAMPLE.splat(i32.const(0), 'count')
    expect([weight, stranger, splat]).toHaveLength(3)
  })
})
