/** The wire format, byte by byte, against the examples of the protocol buffers' documentation. */
import { describe, expect, it } from 'vitest'
import { ProtobufWriter } from '../../../src/graph/onnx/protobuf.js'

describe('protobuf', () => {
  it('writes varints, strings, messages, floats and negative numbers', () => {
    expect([...new ProtobufWriter().int(1, 150).finish()]).toEqual([0x08, 0x96, 0x01])
    expect([...new ProtobufWriter().string(2, 'testing').finish()]).toEqual([
      0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67,
    ])
    expect([...new ProtobufWriter().message(3, new ProtobufWriter().int(1, 150)).finish()]).toEqual([
      0x1a, 0x03, 0x08, 0x96, 0x01,
    ])
    expect([...new ProtobufWriter().float(2, 1).finish()]).toEqual([0x15, 0, 0, 0x80, 0x3f])
    expect([...new ProtobufWriter().int(1, -1).finish()]).toEqual([0x08, ...new Array(9).fill(0xff), 0x01])
    expect([...new ProtobufWriter().int(20, 7).finish()]).toEqual([0xa0, 0x01, 0x07])
  })

  it('grows beyond its first buffer', () => {
    const bytes = new Uint8Array(5000).map((_, i) => i % 251)
    const written = new ProtobufWriter().bytes(1, bytes).int(2, 3).finish()
    expect(written.length).toBe(3 + 5000 + 2)
    expect(written.subarray(3, 5003)).toEqual(bytes)
  })
})
