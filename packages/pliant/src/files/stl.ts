/**
 * STL, text and binary. The format repeats each corner's position, so vertices at exactly the same place are joined.
 * Which of the two it is follows from the size first: many binary files begin with `solid` too.
 */
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { weldMesh } from '../mesh/weld.js'
import { ByteReader } from './byte-reader.js'
import { checkedTriangles, checkFinite, type FileTriangles } from './checked-mesh.js'
import { FileError, quoted } from './file-error.js'
import { FloatList } from './lists.js'
import { TextScanner } from './text-scanner.js'
import { oneLine } from './text-writer.js'

const HEADER_BYTES = 80
const FACET_BYTES = 50
/** How far a text file may go on before its first `facet`. */
const SNIFFED_BYTES = 1024

/**
 * Reads STL, text and binary; vertices at the same place are joined.
 * @throws FileError if the file is cut short or a coordinate is not finite
 */
export function readStl(bytes: Uint8Array): FileTriangles {
  const corners = isBinaryStl(bytes) ? readBinary(bytes) : readText(bytes)
  checkFinite('stl', corners)
  const soup = { positions: corners, triangles: Uint32Array.from({ length: corners.length / 3 }, (_, i) => i) }
  const { positions, triangles } = weldMesh(soup).mesh
  return checkedTriangles('stl', Float64Array.from(positions), triangles)
}

/** Text if it begins as text does, unless the size says otherwise. */
function isBinaryStl(bytes: Uint8Array): boolean {
  return sizeMatchesBinary(bytes) || !startsAsText(bytes)
}

export function looksLikeStl(bytes: Uint8Array): boolean {
  return sizeMatchesBinary(bytes) || startsAsText(bytes)
}

function startsAsText(bytes: Uint8Array): boolean {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, SNIFFED_BYTES)).trimStart().toLowerCase()
  // An empty solid has no facet, only its end; and the file may be cut short before either.
  return /^solid\b/.test(start) && (/\b(facet|endsolid)\b/.test(start) || bytes.length < HEADER_BYTES + 4)
}

/** True if the triangle count that a binary header declares explains the file's size to the byte. */
function sizeMatchesBinary(bytes: Uint8Array): boolean {
  if (bytes.length < HEADER_BYTES + 4) return false
  const declared = new ByteReader('stl', bytes, HEADER_BYTES).uint32()
  return bytes.length === HEADER_BYTES + 4 + FACET_BYTES * declared
}

function readBinary(bytes: Uint8Array): Float64Array {
  const reader = new ByteReader('stl', bytes, Math.min(bytes.length, HEADER_BYTES))
  const triangles = reader.uint32()
  reader.need(triangles, FACET_BYTES, 'triangles')
  const corners = new Float64Array(9 * triangles)
  for (let i = 0; i < triangles; i++) {
    reader.skip(12)
    for (let k = 0; k < 9; k++) corners[9 * i + k] = reader.float32()
    reader.skip(2)
  }
  return corners
}

function readText(bytes: Uint8Array): Float64Array {
  const scanner = new TextScanner('stl', bytes)
  const corners = new FloatList()
  const expect = (keyword: string) => {
    if (!scanner.toNextWord()) throw scanner.cutShort(`'${keyword}'`)
    if (!scanner.takeWord(keyword)) {
      const word = scanner.word()
      throw scanner.error(`${quoted(word)} on line ${scanner.line()} where '${keyword}' is due; check the file.`)
    }
  }
  let open = false
  while (scanner.toNextWord()) {
    if (scanner.takeWord('facet')) {
      // The normal follows from the corners; some programs write nan here.
      scanner.nextLine()
      expect('outer')
      expect('loop')
      for (let corner = 0; corner < 3; corner++) {
        expect('vertex')
        const x = scanner.readNumber('a coordinate')
        const y = scanner.readNumber('a coordinate')
        corners.push3(x, y, scanner.readNumber('a coordinate'))
      }
      expect('endloop')
      expect('endfacet')
    } else if (scanner.takeWord('solid')) {
      open = true
      scanner.nextLine()
    } else if (scanner.takeWord('endsolid')) {
      open = false
      scanner.nextLine()
    } else {
      const word = scanner.word()
      throw scanner.error(`${quoted(word)} on line ${scanner.line()} where 'facet' is due; check the file.`)
    }
  }
  if (open) throw scanner.cutShort("'endsolid'")
  return corners.toArray()
}

/**
 * Writes an STL file. Binary, single precision: the format has no other, so coordinates are rounded.
 * @param comment  goes into the header as far as that has room; left out, none
 * @throws FileError if a coordinate is too large for single precision
 */
export function writeStl(mesh: TriangleMesh, comment?: string): Uint8Array {
  const { positions, triangles } = mesh
  const count = triangles.length / 3
  const bytes = new Uint8Array(HEADER_BYTES + 4 + FACET_BYTES * count)
  // Never begins with 'solid', by which readers would take it for text.
  const header = comment === undefined ? 'binary STL' : `binary STL: ${oneLine(comment)}`
  bytes.set(new TextEncoder().encode(header).subarray(0, HEADER_BYTES))
  const view = new DataView(bytes.buffer)
  view.setUint32(HEADER_BYTES, count, true)
  const corners = new Float64Array(9)
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 9; k++) corners[k] = positions[3 * triangles[3 * i + Math.floor(k / 3)] + (k % 3)]
    const facet = [...unitNormal(corners), ...corners]
    for (let k = 0; k < 12; k++) {
      if (!(Math.abs(facet[k]) < 3.4e38)) {
        throw new FileError(
          'stl',
          `triangle ${i + 1} has the coordinate ${facet[k]}, beyond single precision; write PLY.`,
        )
      }
      view.setFloat32(HEADER_BYTES + 4 + FACET_BYTES * i + 4 * k, facet[k], true)
    }
  }
  return bytes
}

/** Zero for a triangle without area, as is the custom. */
function unitNormal(p: Float64Array): [number, number, number] {
  const ux = p[3] - p[0]
  const uy = p[4] - p[1]
  const uz = p[5] - p[2]
  const vx = p[6] - p[0]
  const vy = p[7] - p[1]
  const vz = p[8] - p[2]
  const x = uy * vz - uz * vy
  const y = uz * vx - ux * vz
  const z = ux * vy - uy * vx
  const length = Math.hypot(x, y, z)
  return length > 0 && Number.isFinite(length) ? [x / length, y / length, z / length] : [0, 0, 0]
}
