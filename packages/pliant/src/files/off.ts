/**
 * Object File Format, text: OFF and its variants with colours, normals and texture coordinates (COFF, NOFF, STOFF and
 * their combinations), whose extra columns are passed over. Homogeneous (4OFF) and n-dimensional (nOFF) files and the
 * binary form are refused by name.
 */
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { checkedTriangles, type FileTriangles } from './checked-mesh.js'
import { FloatList } from './lists.js'
import { PolygonList } from './polygons.js'
import { TextScanner } from './text-scanner.js'
import { encodeText } from './text-writer.js'

/** The header words that are read. */
const READ_HEADER = /^(ST)?C?N?OFF$/i
const ANY_HEADER = /^(ST)?C?N?4?n?OFF$/i

/**
 * Reads an Object File Format file, text: OFF, COFF, NOFF and their relatives.
 * @throws FileError naming the line or face that is wrong
 */
export function readOff(bytes: Uint8Array): FileTriangles {
  const scanner = new TextScanner('off', bytes)
  readHeader(scanner)
  const vertices = scanner.readCount('vertices', 6)
  // The number of edges is often left out, and nobody uses it.
  if (scanner.atLineEnd()) throw scanner.error('the second line gives one count; vertices, faces, edges are needed.')
  const faces = scanner.readCount('faces', 2)
  scanner.nextLine()

  const positions = new FloatList()
  for (let i = 0; i < vertices; i++) {
    const x = scanner.readNumber(`vertex ${i + 1} of ${vertices}`)
    const y = scanner.readNumber(`vertex ${i + 1} of ${vertices}`)
    positions.push3(x, y, scanner.readNumber(`vertex ${i + 1} of ${vertices}`))
    scanner.nextLine()
  }
  const polygons = new PolygonList('off')
  for (let i = 0; i < faces; i++) {
    const corners = scanner.readCount(`corners of face ${i + 1} of ${faces}`, 2)
    // One or two corners make a point or an edge, which the format allows.
    for (let k = 0; k < corners; k++) {
      const vertex = scanner.readInteger(`face ${i + 1} of ${faces}`)
      if (corners >= 3) polygons.addCorner(vertex, 0)
    }
    if (corners >= 3) polygons.endFace()
    scanner.nextLine()
  }
  const points = positions.toArray()
  return checkedTriangles('off', points, polygons.triangulate(points, 0))
}

/** The keyword may be missing, and the counts may follow it on the same line. */
function readHeader(scanner: TextScanner): void {
  if (!scanner.toNextWord()) throw scanner.cutShort('its header')
  const start = scanner.position
  const word = scanner.word()
  if (READ_HEADER.test(word)) {
    scanner.skipBlanks()
    const after = scanner.position
    if (scanner.word().toUpperCase() === 'BINARY') {
      throw scanner.error('this is the binary form of OFF, which is not read; convert it to text OFF or PLY.')
    }
    scanner.position = after
  } else if (ANY_HEADER.test(word)) {
    throw scanner.error(`${word} has coordinates that are not xyz; convert it to OFF or PLY.`)
  } else scanner.position = start
}

/** True if the bytes begin with a header word of the OFF family. */
export function looksLikeOff(bytes: Uint8Array): boolean {
  const scanner = new TextScanner('off', bytes, 0, Math.min(bytes.length, 4096))
  return scanner.toNextWord() && ANY_HEADER.test(scanner.word())
}

/** Writes an OFF file. Coordinates are written with as many digits as reading them back exactly takes. */
export function writeOff(mesh: TriangleMesh): Uint8Array {
  const { positions, triangles } = mesh
  return encodeText([
    `OFF\n${positions.length / 3} ${triangles.length / 3} 0\n`,
    {
      count: positions.length / 3,
      row: (i) => `${positions[3 * i]} ${positions[3 * i + 1]} ${positions[3 * i + 2]}\n`,
    },
    {
      count: triangles.length / 3,
      row: (i) => `3 ${triangles[3 * i]} ${triangles[3 * i + 1]} ${triangles[3 * i + 2]}\n`,
    },
  ])
}
