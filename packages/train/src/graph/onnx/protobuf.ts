/** Protocol buffers, the writing half: the three wire formats that ONNX files use. */
export class ProtobufWriter {
  #bytes = new Uint8Array(1024)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  /** A whole number, written as a 64-bit two's complement varint. */
  int(field: number, value: number | bigint): this {
    this.#tag(field, 0)
    return this.#varint(BigInt.asUintN(64, BigInt(value)))
  }

  float(field: number, value: number): this {
    this.#tag(field, 5)
    this.#reserve(4)
    this.#view.setFloat32(this.#length, value, true)
    this.#length += 4
    return this
  }

  string(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value))
  }

  message(field: number, value: ProtobufWriter): this {
    return this.bytes(field, value.finish())
  }

  bytes(field: number, value: Uint8Array): this {
    this.#tag(field, 2)
    this.#varint(BigInt(value.length))
    this.#reserve(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
    return this
  }

  /** The bytes written so far; valid until the next write. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #tag(field: number, wireType: number): void {
    this.#varint(BigInt((field << 3) | wireType))
  }

  #varint(value: bigint): this {
    this.#reserve(10)
    let rest = value
    while (rest > 127n) {
      this.#bytes[this.#length++] = Number(rest & 127n) | 128
      rest >>= 7n
    }
    this.#bytes[this.#length++] = Number(rest)
    return this
  }

  #reserve(count: number): void {
    const needed = this.#length + count
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
    grown.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = grown
    this.#view = new DataView(grown.buffer)
  }
}
