/** Reads binary files from front to back; running off the end is a one-line error, not a crash. */
import { FileError } from './file-error.js'

export class ByteReader {
  private readonly view: DataView

  constructor(
    readonly format: string,
    readonly bytes: Uint8Array,
    public position = 0,
    public littleEndian = true,
  ) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get remaining(): number {
    return this.bytes.length - this.position
  }

  /** Checks that `count` things of `bytesEach` bytes are left, before anybody allocates for them. */
  need(count: number, bytesEach: number, what: string): void {
    if (!(count >= 0) || count * bytesEach > this.remaining) {
      throw new FileError(
        this.format,
        `${count} ${what} declared but ${this.remaining} bytes follow; check the file was written completely.`,
      )
    }
  }

  skip(bytes: number): void {
    this.position += this.checked(bytes)
  }

  uint8(): number {
    return this.view.getUint8(this.advance(1))
  }

  int32(): number {
    return this.view.getInt32(this.advance(4), this.littleEndian)
  }

  uint32(): number {
    return this.view.getUint32(this.advance(4), this.littleEndian)
  }

  /** 64-bit integer as a double: exact up to 2^53, which no count or index of a real file passes. */
  int64(): number {
    return Number(this.view.getBigInt64(this.advance(8), this.littleEndian))
  }

  float32(): number {
    return this.view.getFloat32(this.advance(4), this.littleEndian)
  }

  float64(): number {
    return this.view.getFloat64(this.advance(8), this.littleEndian)
  }

  private advance(bytes: number): number {
    const start = this.position
    this.position += this.checked(bytes)
    return start
  }

  private checked(bytes: number): number {
    if (bytes < 0 || bytes > this.remaining) {
      throw new FileError(this.format, `the file ends at byte ${this.bytes.length}; check it was written completely.`)
    }
    return bytes
  }
}
