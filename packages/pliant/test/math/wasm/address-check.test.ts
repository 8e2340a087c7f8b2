import { describe, expect, it } from 'vitest'
import { checkAddresses } from '../../../src/math/wasm/address-check.js'
import { Arena } from '../../../src/math/wasm/arena.js'
import { f32x4, i32, increase, ModuleBuilder, v128, whileLoop } from '../../../src/math/wasm/assembler.js'

/** Two arrays of 16 floats, and a kernel that copies `count` vectors from one to the other. */
function checkedCopy() {
  const arena = new Arena()
  const [from, to] = [arena.reserve(16), arena.reserve(16)]
  const builder = new ModuleBuilder()
  const params = { from: 'i32', to: 'i32', count: 'i32' } as const
  const copyOne = builder.define('copyOne', { params: { from: 'i32', to: 'i32' } }, (p) => [
    v128.store(p.to.get, f32x4.add(v128.load(p.from.get), f32x4.const(1))),
  ])
  builder.define('copy', { params, isExported: true }, ({ from, to, count }) => [
    whileLoop(count.get, [
      copyOne.call({ from, to }),
      increase(from, 16),
      increase(to, 16),
      count.set(i32.sub(count.get, i32.const(1))),
    ]),
  ])
  const module = new WebAssembly.Module(builder.bytes({ checksAddresses: true }))
  const memory = arena.createMemory()
  const imports = { env: { memory }, ...checkAddresses(module, arena.regions) }
  const instance = new WebAssembly.Instance(module, imports)
  const copy = instance.exports['copy'] as (from: number, to: number, count: number) => void
  return { copy, from, to, floats: new Float32Array(memory.buffer), plain: builder.bytes() }
}

describe('checkAddresses', () => {
  it('lets a kernel be that stays within what was reserved', () => {
    const { copy, from, to, floats } = checkedCopy()
    floats[from / 4 + 15] = 5
    copy(from, to, 4)
    expect(floats[to / 4 + 15]).toBe(6)
  })

  it('stops a write past the end of an array, although memory goes on there, and says who wanted it', () => {
    const { copy, from, to, floats } = checkedCopy()
    expect(() => copy(from, to, 5)).toThrow(
      `wasm function 'copyOne': writes 16 bytes at ${to + 64}, where nothing is reserved.`,
    )
    expect(floats[to / 4 + 16]).toBe(0)
  })

  it('lets a kernel read a vector past an array, not two', () => {
    const { copy, from, to } = checkedCopy()
    const end = to + 64
    copy(end, from, 1)
    expect(() => copy(end + 16, from, 1)).toThrow(`'copyOne': reads 16 bytes at ${end + 16}, `)
  })

  it('stops a write that begins in one array and ends in the next', () => {
    const { copy, from, to } = checkedCopy()
    expect(() => copy(from, to - 8, 1)).toThrow(`writes 16 bytes at ${to - 8}, `)
  })

  it('stops addresses below the first array, and beyond what is signed', () => {
    const { copy, from, to } = checkedCopy()
    expect(() => copy(from, 0, 1)).toThrow('writes 16 bytes at 0, ')
    expect(() => copy(-64, to, 1)).toThrow(`reads 16 bytes at ${2 ** 32 - 64}, `)
  })

  it('costs nothing where it is not asked for: no import but the memory', () => {
    const module = new WebAssembly.Module(checkedCopy().plain)
    expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }])
  })
})
