import { describe, expect, test } from 'vitest'
import { type NpyArray, readNpy, writeNpy } from '../../src/files/npy.js'
import { BytesBuilder } from './samples.js'

function npy(
  version: number,
  descr: string,
  fortran: boolean,
  shape: string,
  fill: (builder: BytesBuilder) => void,
): Uint8Array {
  const header = `{'shape': ${shape}, "fortran_order": ${fortran ? 'True' : 'False'}, 'descr': '${descr}'}\n`
  const builder = new BytesBuilder(!descr.startsWith('>'))
  const length = header.length
  builder
    .uint8(0x93)
    .text('NUMPY')
    .uint8(version, 0, length & 255, length >> 8)
  if (version > 1) builder.uint8(0, 0)
  builder.text(header)
  fill(builder)
  return builder.bytes()
}

test.each([
  Float32Array.of(0.5, -1, 3e38),
  Float64Array.of(0.1, -1e300, Number.NaN),
  Int8Array.of(-128, 127, 0),
  Uint8Array.of(255, 0, 1),
  Int16Array.of(-32768, 32767, 1),
  Uint16Array.of(65535, 1, 2),
  Int32Array.of(-2147483648, 2147483647, 1),
  Uint32Array.of(4294967295, 0, 1),
] as NpyArray[])('what is written is read back: %s', (data) => {
  const read = readNpy(writeNpy(data, [1, 3]))
  expect(read.data).toEqual(data)
  expect(read.shape).toEqual([1, 3])
  expect(writeNpy(data).length % data.BYTES_PER_ELEMENT).toBe(0)
})

test('the written header is the one that NumPy writes', () => {
  const bytes = writeNpy(Float32Array.of(1, 2), [2])
  const header = new TextDecoder('latin1').decode(bytes.subarray(10, 128))
  expect(header).toMatch(/^\{'descr': '<f4', 'fortran_order': False, 'shape': \(2,\), \} *\n$/)
  expect(bytes.length).toBe(128 + 8)
})

describe('reading', () => {
  test.each([1, 2, 3])('version %i', (version) => {
    expect([...readNpy(npy(version, '<f8', false, '(2,)', (b) => b.float64(1.5, -2))).data]).toEqual([1.5, -2])
  })

  test('a single number has no axes', () => {
    expect(readNpy(npy(1, '<i4', false, '()', (b) => b.int32(7)))).toEqual({
      shape: [],
      data: Int32Array.of(7),
      dtype: 'i4',
    })
  })

  test('big-endian and 64-bit integers', () => {
    expect([...readNpy(npy(1, '>f4', false, '(2,)', (b) => b.float32(0.25, 8))).data]).toEqual([0.25, 8])
    expect([...readNpy(npy(1, '<i8', false, '(2,)', (b) => b.int64(-5, 2 ** 40))).data]).toEqual([-5, 2 ** 40])
  })

  test('an array that is stored with its first axis fastest comes out with its last axis fastest', () => {
    const { data, shape } = readNpy(
      npy(1, '<i2', true, '(2, 3, 2)', (b) => b.int16(0, 6, 2, 8, 4, 10, 1, 7, 3, 9, 5, 11)),
    )
    expect(shape).toEqual([2, 3, 2])
    expect([...data]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  })

  test.each([
    ['<c8', '(1,)', /^npy: the type is '<c8'; save numbers/],
    ['|O', '(1,)', /^npy: the type is '\|O'; /],
    ['<f4', '(3,)', /^npy: shape \(3\) of <f4 takes 12 bytes but 8 follow; /],
    ['<f4', '(99999999, 99999999, 99999999)', /^npy: shape \(99999999, 99999999, 99999999\) of <f4 takes /],
    ['<f4', '(-2,)', /^npy: the header is /],
  ])('%s %s is refused', (descr, shape, message) => {
    expect(() => readNpy(npy(1, descr, false, shape, (b) => b.float32(1, 2)))).toThrow(message)
  })

  test('integers that a double cannot hold are refused, not rounded', () => {
    expect(() => readNpy(npy(1, '<i8', false, '(1,)', (b) => b.int64(2 ** 60)))).toThrow(
      /^npy: the value 1152921504606846976 is too large/,
    )
  })
})

test('a shape that does not fit is refused when writing', () => {
  expect(() => writeNpy(Float32Array.of(1, 2, 3), [2, 2])).toThrow(
    'npy: shape (2, 2) does not fit 3 values; pass sizes whose product does.',
  )
})
