/**
 * Wavefront OBJ: the `v` and `f` lines. Texture coordinates, normals, groups, materials, lines, points and free-form
 * surfaces are passed over. Faces with more than three corners are cut as polygons.ts says.
 */
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import { checkedTriangles, type FileTriangles } from './checked-mesh.js'
import { FloatList } from './lists.js'
import { PolygonList } from './polygons.js'
import { TextScanner } from './text-scanner.js'
import { encodeText, oneLine } from './text-writer.js'

const LETTER_F = 102
const LETTER_V = 118
const SLASH = 47

/**
 * Reads the vertices and faces of a Wavefront OBJ.
 * @returns the vertices of the `v` lines in file order and all faces as triangles in file order
 * @throws FileError naming the line or face that is wrong
 */
export function readObj(bytes: Uint8Array): FileTriangles {
  const scanner = new TextScanner('obj', bytes, 0, bytes.length, true)
  const positions = new FloatList()
  const faces = new PolygonList('obj')
  for (; !scanner.atEnd; scanner.nextLine()) {
    scanner.skipBlanks()
    const keyword = bytes[scanner.position]
    if (keyword !== LETTER_V && keyword !== LETTER_F) continue
    scanner.position++
    // Longer keywords (vn, vt, fo ...) are not ours.
    if (!scanner.atDelimiter()) continue
    if (keyword === LETTER_V) readVertex(scanner, positions)
    else readFace(scanner, faces, positions.length / 3)
  }
  const vertices = positions.toArray()
  return checkedTriangles('obj', vertices, faces.triangulate(vertices, 1))
}

/** Behind xyz there may be a weight or a colour. */
function readVertex(scanner: TextScanner, positions: FloatList): void {
  const x = scanner.readNumberOnLine('a coordinate')
  const y = scanner.readNumberOnLine('a coordinate')
  const z = scanner.readNumberOnLine('a coordinate')
  positions.push3(x, y, z)
}

function readFace(scanner: TextScanner, faces: PolygonList, vertices: number): void {
  while (!scanner.atLineEnd()) {
    const index = scanner.scanNumber()
    if (!Number.isInteger(index) || !(scanner.atDelimiter() || scanner.bytes[scanner.position] === SLASH)) {
      throw scanner.error(
        `face ${faces.count + 1} on line ${scanner.line()} has a corner that is not a number; check the file.`,
      )
    }
    scanner.skipWord()
    // Negative indices count back from the last vertex so far.
    const vertex = index > 0 ? index - 1 : index < 0 ? vertices + index : -1
    if (vertex < 0) {
      throw scanner.error(
        `face ${faces.count + 1} refers to vertex ${index} of ${vertices}; OBJ counts from 1, or from -1 backwards.`,
      )
    }
    faces.addCorner(vertex, 1)
  }
  faces.endFace()
}

/** Keywords that a line of an OBJ file begins with, before or instead of any `v`. */
const KEYWORDS = ['v', 'vn', 'vt', 'vp', 'f', 'g', 'o', 's', 'mtllib', 'usemtl']
/** How many lines must agree before a text passes as OBJ. */
const SNIFFED_LINES = 8

/** OBJ has no signature: true if the first lines with something on them all begin with its keywords. */
export function looksLikeObj(bytes: Uint8Array): boolean {
  const scanner = new TextScanner('obj', bytes, 0, Math.min(bytes.length, 65536), true)
  let lines = 0
  for (; lines < SNIFFED_LINES && scanner.toNextWord(); lines++) {
    if (!KEYWORDS.includes(scanner.word())) return false
    scanner.nextLine()
  }
  return lines > 0
}

/**
 * Writes a Wavefront OBJ. Coordinates are written with as many digits as reading them back exactly takes.
 * @param comment  one line to begin with; left out, none
 */
export function writeObj(mesh: TriangleMesh, comment?: string): Uint8Array {
  const { positions, triangles } = mesh
  return encodeText([
    comment === undefined ? '' : `# ${oneLine(comment)}\n`,
    {
      count: positions.length / 3,
      row: (i) => `v ${positions[3 * i]} ${positions[3 * i + 1]} ${positions[3 * i + 2]}\n`,
    },
    {
      count: triangles.length / 3,
      row: (i) => `f ${triangles[3 * i] + 1} ${triangles[3 * i + 1] + 1} ${triangles[3 * i + 2] + 1}\n`,
    },
  ])
}
