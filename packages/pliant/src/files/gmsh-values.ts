/** The numbers of a Gmsh section, the same for its text and its binary form. */
import { ByteReader } from './byte-reader.js'
import { TextScanner } from './text-scanner.js'

export interface GmshValues {
  readonly binary: boolean
  position: number
  /** A count on a line of its own, which is text even in binary files of version 2. */
  textCount(): number
  /** A 32-bit integer. */
  integer(): number
  /** A count or tag, 64-bit when binary. */
  size(): number
  float(): number
  /**
   * Checks a declared count against the bytes that are left.
   * @param values      the fewest numbers that one of them takes
   * @param bytesEach   the bytes that one of them takes when binary
   */
  check(count: number, what: string, values: number, bytesEach: number): void
}

export class GmshTextValues implements GmshValues {
  readonly binary = false
  private readonly scanner: TextScanner

  constructor(bytes: Uint8Array, position: number) {
    this.scanner = new TextScanner('gmsh', bytes, position)
  }

  get position(): number {
    return this.scanner.position
  }

  set position(position: number) {
    this.scanner.position = position
  }

  textCount(): number {
    return this.scanner.readInteger('a count')
  }

  integer(): number {
    return this.scanner.readInteger('a number')
  }

  size(): number {
    return this.scanner.readInteger('a number')
  }

  float(): number {
    return this.scanner.readNumber('a coordinate')
  }

  check(count: number, what: string, values: number): void {
    // A digit and a blank for each.
    this.scanner.checkCount(count, what, 2 * values)
  }
}

export class GmshBinaryValues implements GmshValues {
  readonly binary = true
  private readonly reader: ByteReader

  constructor(bytes: Uint8Array, position: number, littleEndian: boolean) {
    this.reader = new ByteReader('gmsh', bytes, position, littleEndian)
  }

  get position(): number {
    return this.reader.position
  }

  set position(position: number) {
    this.reader.position = position
  }

  textCount(): number {
    const scanner = new TextScanner('gmsh', this.reader.bytes, this.reader.position)
    const count = scanner.readInteger('a count')
    scanner.nextLine()
    this.reader.position = scanner.position
    return count
  }

  integer(): number {
    return this.reader.int32()
  }

  size(): number {
    return this.reader.int64()
  }

  float(): number {
    return this.reader.float64()
  }

  check(count: number, what: string, _values: number, bytesEach: number): void {
    this.reader.need(count, bytesEach, what)
  }
}
