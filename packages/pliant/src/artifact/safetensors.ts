/**
 * The safetensors container: 8 bytes of header length, a JSON header (name -> dtype, shape, offsets; string
 * metadata), then the tensors' bytes. Any safetensors reader opens our files.
 *
 * Ours carry a CRC-32 of the whole file in their metadata (first key, eight hex digits, counted as zeros), so that a
 * file changed by one byte anywhere is refused instead of answering wrongly. Sizes are checked before anything is
 * copied.
 */
import { halfBits, halfValue } from '../math/half.js'
import { crc32 } from './checksum.js'

export type TensorData = Float32Array | Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array | Int8Array

export interface StoredTensor {
  shape: number[]
  data: TensorData
  /** Single precision in memory, rounded to 16-bit floats in the file. */
  half?: boolean
}

export interface Container {
  metadata: Record<string, string>
  tensors: Map<string, StoredTensor>
}

const MAXIMUM_HEADER = 16 * 1024 * 1024
const CHECKSUM_KEY = '"checksum":"'
const ZERO_CHECKSUM = '00000000'

/** The array that a tensor's bytes are; those of F16 are the bits of halves. */
const DTYPES = {
  F64: Float64Array,
  F32: Float32Array,
  U32: Uint32Array,
  I32: Int32Array,
  F16: Uint16Array,
  U16: Uint16Array,
  U8: Uint8Array,
  I8: Int8Array,
} as const
type Dtype = keyof typeof DTYPES

export function encodeSafetensors(container: Container): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = { __metadata__: { checksum: ZERO_CHECKSUM, ...container.metadata } }
  // Widest first: so every tensor is aligned to its own type.
  const tensors = Array.from(container.tensors, ([name, tensor]) => ({ name, ...encodeTensor(name, tensor) }))
  tensors.sort((a, b) => b.data.BYTES_PER_ELEMENT - a.data.BYTES_PER_ELEMENT)
  let offset = 0
  for (const { name, dtype, shape, data } of tensors) {
    header[name] = { dtype, shape, data_offsets: [offset, offset + data.byteLength] }
    offset += data.byteLength
  }
  let json = JSON.stringify(header)
  // Spaces bring the data to a multiple of 8, as the format recommends; readers trim them.
  json += ' '.repeat((8 - (new TextEncoder().encode(json).length % 8)) % 8)
  const head = new TextEncoder().encode(json)
  const file = new Uint8Array(8 + head.length + offset)
  new DataView(file.buffer).setBigUint64(0, BigInt(head.length), true)
  file.set(head, 8)
  let at = 8 + head.length
  for (const { data } of tensors) {
    file.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at)
    at += data.byteLength
  }
  const checksum = crc32(file).toString(16).padStart(8, '0')
  file.set(new TextEncoder().encode(checksum), checksumPosition(json) + 8)
  return file
}

/** @throws Error in one line for anything that is not a whole, unchanged container */
export function decodeSafetensors(bytes: Uint8Array): Container {
  if (bytes.length < 10) throw refused(`${bytes.length} bytes are too few`)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const headerLength = view.getBigUint64(0, true)
  if (headerLength > BigInt(Math.min(MAXIMUM_HEADER, bytes.length - 8))) {
    throw refused(`its header claims ${headerLength} bytes of ${bytes.length}`)
  }
  const dataStart = 8 + Number(headerLength)
  const json = decodeText(bytes.subarray(8, dataStart))
  const header = parseObject(json)
  const metadata = readMetadata(header['__metadata__'])
  verifyChecksum(bytes, json, metadata['checksum'])
  const { checksum: _, ...rest } = metadata
  return { metadata: rest, tensors: readTensors(header, bytes.subarray(dataStart)) }
}

/** Whether bytes look like a safetensors file: a plausible header length followed by `{`. */
export function looksLikeSafetensors(bytes: Uint8Array): boolean {
  if (bytes.length < 10 || bytes[8] !== 0x7b) return false
  const length = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0, true)
  return length <= BigInt(MAXIMUM_HEADER)
}

/** @throws RangeError if the values do not fill the shape */
function encodeTensor(name: string, { shape, data, half }: StoredTensor) {
  const count = shape.reduce((product, n) => product * n, 1)
  if (count !== data.length) {
    throw new RangeError(`safetensors: ${name} has ${data.length} values for shape [${shape}].`)
  }
  return half
    ? { dtype: 'F16' as const, shape, data: Uint16Array.from(data, halfBits) }
    : { dtype: dtypeOf(data), shape, data }
}

function readTensors(header: Record<string, unknown>, data: Uint8Array): Map<string, StoredTensor> {
  const tensors = new Map<string, StoredTensor>()
  let expected = 0
  for (const [name, value] of Object.entries(header)) {
    if (name === '__metadata__') continue
    const { dtype, shape, data_offsets: range } = (value ?? {}) as Record<string, unknown>
    if (typeof dtype !== 'string' || !Object.hasOwn(DTYPES, dtype)) {
      throw refused(`tensor ${name} has type ${String(dtype)}`)
    }
    if (!isSizes(shape) || !isSizes(range) || range.length !== 2) throw refused(`tensor ${name} has no proper shape`)
    const array = DTYPES[dtype as Dtype]
    const count = shape.reduce((product, n) => product * n, 1)
    const size = count * array.BYTES_PER_ELEMENT
    if (range[0] !== expected || range[1] > data.length || range[1] - range[0] !== size) {
      throw refused(`tensor ${name} of shape [${shape}] does not fit its bytes ${range[0]}..${range[1]}`)
    }
    expected = range[1]
    // A copy, so that the tensor is aligned whatever the file's offset. Not slice(): a Node Buffer's is no copy.
    const values = new array(Uint8Array.from(data.subarray(range[0], range[1])).buffer)
    tensors.set(
      name,
      dtype === 'F16' ? { shape, data: Float32Array.from(values, halfValue), half: true } : { shape, data: values },
    )
  }
  if (expected !== data.length) throw refused(`${data.length - expected} bytes follow the last tensor`)
  return tensors
}

function verifyChecksum(bytes: Uint8Array, json: string, stored: string | undefined): void {
  const position = checksumPosition(json)
  if (position < 0 || stored === undefined || !/^[0-9a-f]{8}$/.test(stored)) {
    throw refused('it has no checksum, so it was not written by Pliant')
  }
  const zeros = new TextEncoder().encode(ZERO_CHECKSUM)
  const before = crc32(bytes.subarray(0, 8 + position))
  const computed = crc32(bytes.subarray(8 + position + 8), crc32(zeros, before))
  if (computed !== Number.parseInt(stored, 16)) throw refused('its checksum does not match')
}

/** Offset of the checksum's digits in the header; all before it is ASCII by construction, so characters are bytes. */
function checksumPosition(json: string): number {
  const start = `{"__metadata__":{${CHECKSUM_KEY}`
  return json.startsWith(start) ? start.length : -1
}

function readMetadata(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) throw refused('it has no metadata')
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== 'string') throw refused(`metadata ${key} is not text`)
  }
  return value as Record<string, string>
}

function parseObject(json: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Reported below: the parser's own words would name a character offset that helps nobody.
  }
  throw refused('its header is not JSON')
}

function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw refused('its header is not text')
  }
}

function isSizes(value: unknown): value is number[] {
  return Array.isArray(value) && value.length <= 8 && value.every((n) => Number.isSafeInteger(n) && n >= 0)
}

function dtypeOf(data: TensorData): Dtype {
  const dtypes = Object.keys(DTYPES) as Dtype[]
  return dtypes.find((dtype) => dtype !== 'F16' && data instanceof DTYPES[dtype])!
}

function refused(reason: string): Error {
  return new Error(`safetensors: this file is damaged or of another kind (${reason}); fetch or train it again.`)
}
