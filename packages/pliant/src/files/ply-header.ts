/** The header of a PLY file: which elements follow, in which order, with which properties of which types. */
import { FileError, quoted } from './file-error.js'
import { TextScanner } from './text-scanner.js'

export type PlyType = 'int8' | 'uint8' | 'int16' | 'uint16' | 'int32' | 'uint32' | 'float32' | 'float64'

export const PLY_TYPE_BYTES: Record<PlyType, number> = {
  int8: 1,
  uint8: 1,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  float32: 4,
  float64: 8,
}

/** The original names and the ones with sizes are both in use. */
const TYPE_NAMES = new Map<string, PlyType>([
  ['char', 'int8'],
  ['uchar', 'uint8'],
  ['short', 'int16'],
  ['ushort', 'uint16'],
  ['int', 'int32'],
  ['uint', 'uint32'],
  ['float', 'float32'],
  ['double', 'float64'],
  ...(Object.keys(PLY_TYPE_BYTES) as PlyType[]).map((type): [string, PlyType] => [type, type]),
])

export interface PlyProperty {
  name: string
  type: PlyType
  /** The type of the length in front of each list; undefined for a single value. */
  lengthType?: PlyType
}

export interface PlyElement {
  name: string
  count: number
  properties: PlyProperty[]
}

export interface PlyHeader {
  encoding: 'ascii' | 'binary_little_endian' | 'binary_big_endian'
  elements: PlyElement[]
  /** Where the data begin. */
  dataStart: number
}

/** A header is some lines long; anything beyond this is not a PLY file. */
const LONGEST_HEADER = 1 << 20

/** @throws FileError if a line is not understood or the header does not end */
export function readPlyHeader(bytes: Uint8Array): PlyHeader {
  const scanner = new TextScanner('ply', bytes, 0, Math.min(bytes.length, LONGEST_HEADER))
  if (scanner.word() !== 'ply') throw scanner.error("the file does not begin with 'ply'; check its name and type.")
  let encoding: PlyHeader['encoding'] | undefined
  const elements: PlyElement[] = []
  for (;;) {
    if (!scanner.toNextWord()) throw scanner.cutShort("'end_header'")
    const keyword = scanner.word()
    if (keyword === 'end_header') break
    if (keyword === 'comment' || keyword === 'obj_info') {
      scanner.nextLine()
      continue
    }
    const words = scanner.restOfLine().split(/\s+/)
    if (keyword === 'format') encoding = readEncoding(words)
    else if (keyword === 'element') elements.push(readElement(words))
    else if (keyword === 'property' && elements.length > 0) elements.at(-1)!.properties.push(readProperty(words))
    else throw scanner.error(`header line ${scanner.line()} begins with ${quoted(keyword)}; check the file.`)
  }
  // Exactly one line end: the first byte of binary data may look like another.
  const byte = bytes[scanner.position]
  scanner.position += byte === 13 && bytes[scanner.position + 1] === 10 ? 2 : byte === 13 || byte === 10 ? 1 : 0
  if (encoding === undefined) throw scanner.error("the header has no 'format' line; check the file.")
  return { encoding, elements, dataStart: scanner.position }
}

function readEncoding([name]: string[]): PlyHeader['encoding'] {
  if (name === 'ascii' || name === 'binary_little_endian' || name === 'binary_big_endian') return name
  throw new FileError('ply', `the format is ${quoted(name)}; ascii, binary_little_endian or binary_big_endian is read.`)
}

function readElement([name, countText = '']: string[]): PlyElement {
  const count = /^\d{1,15}$/.test(countText) ? Number(countText) : Number.NaN
  if (Number.isNaN(count)) {
    throw new FileError('ply', `element ${quoted(name)} has the count ${quoted(countText)}; check the header.`)
  }
  return { name, count, properties: [] }
}

function readProperty(words: string[]): PlyProperty {
  const list = words[0] === 'list'
  const [lengthName, typeName, name] = list ? words.slice(1) : [undefined, words[0], words[1]]
  const type = TYPE_NAMES.get(typeName ?? '')
  const lengthType = lengthName === undefined ? undefined : TYPE_NAMES.get(lengthName)
  if (type === undefined || name === undefined || (list && lengthType === undefined)) {
    throw new FileError('ply', `property ${quoted(words.join(' '))} has no known type and name; check the header.`)
  }
  if (lengthType === 'float32' || lengthType === 'float64') {
    throw new FileError(
      'ply',
      `property ${quoted(name)} has a list length that is not a whole number; check the header.`,
    )
  }
  return lengthType === undefined ? { name, type } : { name, type, lengthType }
}
