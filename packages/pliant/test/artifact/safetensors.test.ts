import { describe, expect, it } from 'vitest'
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
