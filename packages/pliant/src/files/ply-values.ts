/** The data of a PLY file as a stream of values, the same for its text and its binary form. */
import { FileError } from './file-error.js'
import { PLY_TYPE_BYTES, type PlyElement, type PlyHeader, type PlyProperty, type PlyType } from './ply-header.js'
import { TextScanner } from './text-scanner.js'

export interface PlyValues {
  /** @throws FileError if the bytes that are left cannot hold as many as the element declares */
  checkCount(element: PlyElement): void
  /** The length in front of a list, checked against the bytes that are left. */
  listLength(property: PlyProperty): number
  value(type: PlyType): number
  skip(type: PlyType, count: number): void
}

export class PlyTextValues implements PlyValues {
  private readonly scanner: TextScanner

  constructor(bytes: Uint8Array, header: PlyHeader) {
    this.scanner = new TextScanner('ply', bytes, header.dataStart)
  }

  checkCount(element: PlyElement): void {
    // A digit and a blank for each value, at the least.
    if (element.properties.length > 0) {
      this.scanner.checkCount(element.count, `'${element.name}' elements`, 2 * element.properties.length)
    }
  }

  listLength(property: PlyProperty): number {
    return this.scanner.readCount(`values in '${property.name}'`, 2)
  }

  value(): number {
    return this.scanner.readNumber('a value')
  }

  /** Without looking at them: normals and qualities may be nan. */
  skip(_type: PlyType, count: number): void {
    for (let i = 0; i < count; i++) {
      if (!this.scanner.toNextWord()) throw this.scanner.cutShort('a value')
      this.scanner.skipWord()
    }
  }
}

export class PlyBinaryValues implements PlyValues {
  private readonly view: DataView
  private readonly littleEndian: boolean
  private position: number

  constructor(bytes: Uint8Array, header: PlyHeader) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.littleEndian = header.encoding === 'binary_little_endian'
    this.position = header.dataStart
  }

  checkCount(element: PlyElement): void {
    let bytesEach = 0
    for (const { type, lengthType } of element.properties) bytesEach += PLY_TYPE_BYTES[lengthType ?? type]
    this.need(element.count, bytesEach, `'${element.name}' elements`)
  }

  listLength(property: PlyProperty): number {
    const length = this.value(property.lengthType!)
    this.need(length, PLY_TYPE_BYTES[property.type], `values in '${property.name}'`)
    return length
  }

  value(type: PlyType): number {
    const { view, littleEndian } = this
    const at = this.position
    const bytes = PLY_TYPE_BYTES[type]
    this.need(1, bytes, 'values')
    this.position = at + bytes
    switch (type) {
      case 'int8':
        return view.getInt8(at)
      case 'uint8':
        return view.getUint8(at)
      case 'int16':
        return view.getInt16(at, littleEndian)
      case 'uint16':
        return view.getUint16(at, littleEndian)
      case 'int32':
        return view.getInt32(at, littleEndian)
      case 'uint32':
        return view.getUint32(at, littleEndian)
      case 'float32':
        return view.getFloat32(at, littleEndian)
      case 'float64':
        return view.getFloat64(at, littleEndian)
    }
  }

  skip(type: PlyType, count: number): void {
    this.need(count, PLY_TYPE_BYTES[type], 'values')
    this.position += count * PLY_TYPE_BYTES[type]
  }

  private need(count: number, bytesEach: number, what: string): void {
    const remaining = this.view.byteLength - this.position
    if (count >= 0 && count * bytesEach <= remaining) return
    throw new FileError(
      'ply',
      `${count} ${what} declared but ${remaining} bytes follow; check the file was written completely.`,
    )
  }
}
