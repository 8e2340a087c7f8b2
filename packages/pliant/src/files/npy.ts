/**
 * NumPy's `.npy`, versions 1 to 3: one array of numbers. Read in either byte order and either memory order, returned
 * in C order (last axis fastest); written little-endian in C order.
 */
import { FileError, quoted } from './file-error.js'

/** The types of numbers that NumPy files hold here. */
export type NpyArray =
  | Float32Array
  | Float64Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array

/** An array of a NumPy file. */
export interface Npy {
  /** Sizes of its axes. */
  shape: number[]
  /** C order. 64-bit integers come as Float64Array, booleans as Uint8Array of 0 and 1. */
  data: NpyArray
  /** NumPy's name of the type in the file, without its byte order: `f4`, `f8`, `i1` ... `i8`, `u1` ... `u8`, `b1`. */
  dtype: string
}

interface Kind {
  bytes: number
  array: new (length: number) => NpyArray
  get(view: DataView, at: number, little: boolean): number
}

const KINDS: Record<string, Kind> = {
  f4: { bytes: 4, array: Float32Array, get: (view, at, little) => view.getFloat32(at, little) },
  f8: { bytes: 8, array: Float64Array, get: (view, at, little) => view.getFloat64(at, little) },
  i1: { bytes: 1, array: Int8Array, get: (view, at) => view.getInt8(at) },
  u1: { bytes: 1, array: Uint8Array, get: (view, at) => view.getUint8(at) },
  b1: { bytes: 1, array: Uint8Array, get: (view, at) => Math.min(1, view.getUint8(at)) },
  i2: { bytes: 2, array: Int16Array, get: (view, at, little) => view.getInt16(at, little) },
  u2: { bytes: 2, array: Uint16Array, get: (view, at, little) => view.getUint16(at, little) },
  i4: { bytes: 4, array: Int32Array, get: (view, at, little) => view.getInt32(at, little) },
  u4: { bytes: 4, array: Uint32Array, get: (view, at, little) => view.getUint32(at, little) },
  i8: { bytes: 8, array: Float64Array, get: (view, at, little) => exactly(view.getBigInt64(at, little)) },
  u8: { bytes: 8, array: Float64Array, get: (view, at, little) => exactly(view.getBigUint64(at, little)) },
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]
/** NumPy itself reads headers of up to 10,000 bytes. */
const LONGEST_HEADER = 65_535
/** NumPy itself has at most 64 axes. */
const MOST_AXES = 64

/**
 * Reads a NumPy `.npy` file.
 * @throws FileError if the header is not understood, the type is not a plain number, or the sizes disagree
 */
export function readNpy(bytes: Uint8Array): Npy {
  const { header, dataStart } = readHeader(bytes)
  const { descr, fortran, shape } = parseHeader(header)
  const order = descr[0]
  const kind = Object.hasOwn(KINDS, descr.slice(1)) ? KINDS[descr.slice(1)] : undefined
  if (kind === undefined || !'<>|='.includes(order) || (order === '|' && kind.bytes > 1)) {
    throw new FileError('npy', `the type is ${quoted(descr)}; save numbers, such as float64, float32 or int32.`)
  }
  const count = shape.reduce((product, size) => product * size, 1)
  const available = bytes.length - dataStart
  if (count * kind.bytes !== available) {
    throw new FileError(
      'npy',
      `shape (${shape.join(', ')}) of ${descr} takes ${count * kind.bytes} bytes but ${available} follow; check the file was written completely.`,
    )
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset + dataStart, available)
  const little = order !== '>'
  const data = new kind.array(count)
  const places = fortran && shape.length > 1 ? fortranPlaces(shape) : undefined
  for (let i = 0; i < count; i++) data[i] = kind.get(view, kind.bytes * (places ? places[i] : i), little)
  return { shape, data, dtype: descr.slice(1) }
}

export function looksLikeNpy(bytes: Uint8Array): boolean {
  return MAGIC.every((byte, i) => bytes[i] === byte)
}

function readHeader(bytes: Uint8Array): { header: string; dataStart: number } {
  if (!looksLikeNpy(bytes))
    throw new FileError('npy', 'the file does not begin as NumPy files do; check its name and type.')
  const version = bytes[6]
  if (bytes.length < 12) throw new FileError('npy', 'the file ends within its header; check it was written completely.')
  if (version < 1 || version > 3)
    throw new FileError('npy', `version ${version} is not known; save it with numpy.save.`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const start = version === 1 ? 10 : 12
  const length = version === 1 ? view.getUint16(8, true) : view.getUint32(8, true)
  if (length > bytes.length - start) {
    throw new FileError(
      'npy',
      `the header has ${length} bytes but ${bytes.length - start} follow; check the file was written completely.`,
    )
  }
  if (length > LONGEST_HEADER) {
    throw new FileError(
      'npy',
      `the header has ${length} bytes, at most ${LONGEST_HEADER} are read; save plain numbers.`,
    )
  }
  const header = new TextDecoder(version === 3 ? 'utf-8' : 'latin1').decode(bytes.subarray(start, start + length))
  return { header, dataStart: start + length }
}

/** The header is a Python dictionary with three keys, in any order. */
function parseHeader(header: string): { descr: string; fortran: boolean; shape: number[] } {
  const descr = /(['"])descr\1\s*:\s*(['"])([^'"]*)\2/.exec(header)?.[3]
  const fortran = /(['"])fortran_order\1\s*:\s*(True|False)\b/.exec(header)?.[2]
  const shapeText = /(['"])shape\1\s*:\s*\(([\d,\sL]*)\)/.exec(header)?.[2]
  if (descr === undefined || fortran === undefined || shapeText === undefined) {
    throw new FileError('npy', `the header is ${quoted(header)}; one array of plain numbers with its shape is read.`)
  }
  const shape = shapeText
    .split(',')
    .map((size) => size.trim())
    .filter((size) => size !== '')
    .map((size) => Number.parseInt(size, 10))
  if (shape.length > MOST_AXES || !shape.every((size) => Number.isSafeInteger(size))) {
    throw new FileError('npy', `the shape is ${quoted(`(${shapeText})`)}; check the file.`)
  }
  return { descr, fortran: fortran === 'True', shape }
}

/** Where in a first-axis-fastest file each element of the last-axis-fastest array lies. */
function fortranPlaces(shape: number[]): Float64Array {
  const count = shape.reduce((product, size) => product * size, 1)
  const strides = shape.map((_, axis) => shape.slice(0, axis).reduce((product, size) => product * size, 1))
  const places = new Float64Array(count)
  const index = shape.map(() => 0)
  let place = 0
  for (let i = 0; i < count; i++) {
    places[i] = place
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      place += strides[axis]
      if (++index[axis] < shape[axis]) break
      place -= strides[axis] * shape[axis]
      index[axis] = 0
    }
  }
  return places
}

function exactly(value: bigint): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number)) {
    throw new FileError('npy', `the value ${value} is too large to be held exactly; save float64 or int32.`)
  }
  return number
}

/**
 * Writes a NumPy `.npy` file.
 * @param data   C order; its array type becomes the file's type
 * @param shape  sizes of the axes; their product is data.length
 * @throws RangeError if the shape does not fit the data
 */
export function writeNpy(data: NpyArray, shape: readonly number[] = [data.length]): Uint8Array {
  if (shape.reduce((product, size) => product * size, 1) !== data.length) {
    throw new RangeError(
      `npy: shape (${shape.join(', ')}) does not fit ${data.length} values; pass sizes whose product does.`,
    )
  }
  const dtype = Object.keys(KINDS).find((name) => data instanceof KINDS[name].array)!
  const descr = `${data.BYTES_PER_ELEMENT === 1 ? '|' : '<'}${dtype}`
  const axes = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${axes}), }`
  // Data begin at a multiple of 64 bytes, so that they can be mapped into memory.
  const dataStart = Math.ceil((10 + text.length + 1) / 64) * 64
  const bytes = new Uint8Array(dataStart + data.byteLength)
  bytes.set([...MAGIC, 1, 0])
  const view = new DataView(bytes.buffer)
  view.setUint16(8, dataStart - 10, true)
  bytes.set(new TextEncoder().encode(`${text.padEnd(dataStart - 11)}\n`), 10)
  bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), dataStart)
  return bytes
}
