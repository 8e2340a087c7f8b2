import { describe, expect, it } from 'vitest'
import { crc32 } from '../../src/artifact/checksum.js'
import { decodeSafetensors, encodeSafetensors, type StoredTensor } from '../../src/artifact/safetensors.js'

const tensors = new Map<string, StoredTensor>([
  ['u8', { shape: [3], data: Uint8Array.of(0, 7, 255) }],
  ['i8', { shape: [1], data: Int8Array.of(-128) }],
  ['half', { shape: [2, 1], data: Float32Array.of(0.5, -3), half: true }],
  ['u16', { shape: [1], data: Uint16Array.of(65_535) }],
  ['i32', { shape: [1], data: Int32Array.of(-5) }],
  ['u32', { shape: [1], data: Uint32Array.of(2 ** 32 - 1) }],
  ['f32', { shape: [2], data: Float32Array.of(0.1, -1e30) }],
  ['f64', { shape: [1], data: Float64Array.of(Math.PI) }],
  ['empty', { shape: [0, 3], data: new Float32Array(0) }],
])
const bytes = encodeSafetensors({ metadata: { format: 'test' }, tensors })

describe('a container of every type', () => {
  it('comes back as it was, and packs again to the same bytes', () => {
    const read = decodeSafetensors(bytes)
    expect(new Map([...read.tensors].sort())).toEqual(new Map([...tensors].sort()))
    expect(encodeSafetensors(read)).toEqual(bytes)
  })

  it('has every tensor at a multiple of its own size, as the format asks of writers', () => {
    const length = Number(new DataView(bytes.buffer).getBigUint64(0, true))
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)))
    for (const [name, { data, half }] of tensors) {
      const size = half ? 2 : data.BYTES_PER_ELEMENT
      expect((8 + length + header[name].data_offsets[0]) % size, name).toBe(0)
    }
    expect(header.half.dtype).toBe('F16')
  })

  it('rounds what is to be stored as halves', () => {
    const rounded = encodeSafetensors({
      metadata: {},
      tensors: new Map([['x', { shape: [1], data: Float32Array.of(0.1), half: true }]]),
    })
    expect(decodeSafetensors(rounded).tensors.get('x')!.data[0]).toBe(0.0999755859375)
  })
})

/** A file with any header and a right checksum: nothing but the checks of the header can refuse it. */
function fileOf(header: Record<string, unknown>, data: number, spaces = 0): Uint8Array {
  const json = JSON.stringify({ __metadata__: { checksum: '00000000' }, ...header }) + ' '.repeat(spaces)
  const file = new Uint8Array(8 + json.length + data)
  new DataView(file.buffer).setBigUint64(0, BigInt(json.length), true)
  file.set(new TextEncoder().encode(json), 8)
  const checksum = crc32(file).toString(16).padStart(8, '0')
  file.set(new TextEncoder().encode(checksum), 8 + json.indexOf('00000000'))
  return file
}

const float = (shape: number[], from: number, to: number, dtype = 'F32') => ({ dtype, shape, data_offsets: [from, to] })

describe('a file whose checksum is right', () => {
  it('is read if its header fits its bytes', () => {
    const read = decodeSafetensors(fileOf({ a: float([2], 0, 8), b: float([1, 3], 8, 20) }, 20))
    expect([...read.tensors.keys()]).toEqual(['a', 'b'])
  })

  it.each([
    ['tensors overlap', { a: float([2], 0, 8), b: float([2], 4, 12) }, 12, 'tensor b'],
    ['tensors overlap whole', { a: float([2], 0, 8), b: float([2], 0, 8) }, 8, 'tensor b'],
    ['there is a gap between tensors', { a: float([2], 0, 8), b: float([2], 12, 20) }, 20, 'tensor b'],
    ['there is a gap before the first', { a: float([2], 4, 12) }, 12, 'tensor a'],
    ['tensors come in another order', { a: float([2], 8, 16), b: float([2], 0, 8) }, 16, 'tensor a'],
    ['a tensor ends beyond the file', { a: float([4], 0, 16) }, 12, 'tensor a'],
    ['a tensor lies beyond the file', { a: float([2], 0, 8), b: float([2], 8, 16) }, 8, 'tensor b'],
    ['a tensor ends before it begins', { a: float([2], 8, 0) }, 8, 'tensor a'],
    ['a range is negative', { a: float([2], -8, 0) }, 8, 'tensor a'],
    ['a range is no number', { a: float([2], Number.NaN, 8) }, 8, 'tensor a'],
    ['a range is fractional', { a: float([2], 0, 8.5) }, 8, 'tensor a'],
    ['a shape is more than its bytes', { a: float([3], 0, 8) }, 8, 'tensor a'],
    ['a shape is less than its bytes', { a: float([1], 0, 8) }, 8, 'tensor a'],
    ['a type is wider than its bytes', { a: float([2], 0, 8, 'F64') }, 8, 'tensor a'],
    ['a type is narrower than its bytes', { a: float([2], 0, 8, 'F16') }, 8, 'tensor a'],
    ['a type is not known', { a: float([2], 0, 8, 'BF16') }, 8, 'tensor a'],
    ['a type is a property of every object', { a: float([2], 0, 8, 'constructor') }, 8, 'tensor a'],
    ['a size is negative', { a: float([-2], 0, 8) }, 8, 'tensor a'],
    ['two sizes are negative', { a: float([-2, -1], 0, 8) }, 8, 'tensor a'],
    ['sizes overflow', { a: float([2 ** 40, 2 ** 40], 0, 8) }, 8, 'tensor a'],
    ['bytes follow the last tensor', { a: float([2], 0, 8) }, 12, '4 bytes follow the last tensor'],
    ['bytes follow and there is no tensor', {}, 1, '1 bytes follow the last tensor'],
  ])('is refused if %s', (_, header, data, reason) => {
    expect(() => decodeSafetensors(fileOf(header, data))).toThrow(reason)
  })

  it('is refused if its header is longer than 16 MiB, whatever it says', () => {
    const header = { a: float([2], 0, 8) }
    const length = fileOf(header, 0).length - 8
    const most = 16 * 2 ** 20
    expect(decodeSafetensors(fileOf(header, 8, most - length)).tensors.size).toBe(1)
    expect(() => decodeSafetensors(fileOf(header, 8, most - length + 1))).toThrow(`its header claims ${most + 1} bytes`)
  })

  it('is refused if its header claims more than the file holds', () => {
    const file = fileOf({}, 0)
    new DataView(file.buffer).setBigUint64(0, BigInt(file.length - 7), true)
    expect(() => decodeSafetensors(file)).toThrow('its header claims')
    new DataView(file.buffer).setBigUint64(0, 2n ** 64n - 1n, true)
    expect(() => decodeSafetensors(file)).toThrow('its header claims')
  })
})
