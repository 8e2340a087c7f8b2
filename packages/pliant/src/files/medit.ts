/**
 * Medit `.mesh`, text: vertices, tetrahedra, and triangles and quadrilaterals for files that hold only a surface.
 * Other sections (edges, ridges, required vertices, solutions) are passed over. The binary form is in medit-binary.ts.
 */
import type { TetMesh } from '../mesh/tet-mesh.js'
import type { TriangleMesh } from '../mesh/triangle-mesh.js'
import type { FileMesh } from './checked-mesh.js'
import { ElementList } from './element-list.js'
import { isMeditBinary, readMeditBinary } from './medit-binary.js'
import { TextScanner } from './text-scanner.js'
import { encodeText } from './text-writer.js'

const HEADER_WORD = 'MeshVersionFormatted'

/** Reads Medit `.mesh`: tetrahedra, or a surface. @throws FileError naming the section or element that is wrong */
export function readMedit(bytes: Uint8Array): FileMesh {
  return isMeditBinary(bytes) ? readMeditBinary(bytes) : readText(bytes)
}

export function looksLikeMedit(bytes: Uint8Array): boolean {
  const scanner = new TextScanner('medit', bytes, 0, Math.min(bytes.length, 4096))
  return isMeditBinary(bytes) || (scanner.toNextWord() && scanner.word() === HEADER_WORD)
}

function readText(bytes: Uint8Array): FileMesh {
  const scanner = new TextScanner('medit', bytes)
  if (!scanner.toNextWord() || scanner.word() !== HEADER_WORD) {
    throw scanner.error(`the file does not begin with '${HEADER_WORD}'; check its name and type.`)
  }
  const elements = new ElementList('medit')
  for (;;) {
    // The last section is empty and named End; without it something is missing.
    if (!scanner.toNextWord()) throw scanner.cutShort("'End'")
    // Numbers of sections that are not ours arrive here too and are passed over one by one.
    if (!scanner.atLetter()) {
      scanner.skipWord()
      continue
    }
    const keyword = scanner.word()
    if (keyword === 'End') return elements.finish()
    if (keyword === 'Dimension') {
      const dimension = scanner.readInteger('Dimension')
      if (dimension !== 3) throw scanner.error(`Dimension is ${dimension}; only meshes in space (3) are read.`)
    } else if (keyword === 'Vertices') readVertices(scanner, elements)
    else if (keyword === 'Tetrahedra') readElements(scanner, keyword, 4, (corners) => elements.addTet(corners))
    else if (keyword === 'Triangles') readElements(scanner, keyword, 3, (corners) => elements.addFace(corners, 3))
    else if (keyword === 'Quadrilaterals') readElements(scanner, keyword, 4, (corners) => elements.addFace(corners, 4))
  }
}

function readVertices(scanner: TextScanner, elements: ElementList): void {
  const count = scanner.readCount('Vertices', 6)
  for (let i = 0; i < count; i++) {
    const x = scanner.readNumber('a coordinate')
    const y = scanner.readNumber('a coordinate')
    elements.positions.push3(x, y, scanner.readNumber('a coordinate'))
    skipReference(scanner)
  }
}

function readElements(
  scanner: TextScanner,
  keyword: string,
  corners: number,
  add: (corners: ArrayLike<number>) => void,
): void {
  const count = scanner.readCount(keyword, 2 * corners)
  const nodes = [0, 0, 0, 0]
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < corners; k++) nodes[k] = scanner.readInteger(`a corner in ${keyword}`) - 1
    add(nodes)
    skipReference(scanner)
  }
}

/** Each row ends with a reference number, which some programs leave out. */
function skipReference(scanner: TextScanner): void {
  if (!scanner.atLineEnd()) scanner.readNumber('a reference')
}

/** Writes Medit `.mesh` as text. Coordinates are written with as many digits as reading them back exactly takes. */
export function writeMedit(mesh: TetMesh | TriangleMesh): Uint8Array {
  const { positions } = mesh
  const [keyword, corners, size] =
    'tetrahedra' in mesh ? (['Tetrahedra', mesh.tetrahedra, 4] as const) : (['Triangles', mesh.triangles, 3] as const)
  return encodeText([
    `${HEADER_WORD} 2\n\nDimension 3\n\nVertices\n${positions.length / 3}\n`,
    {
      count: positions.length / 3,
      row: (i) => `${positions[3 * i]} ${positions[3 * i + 1]} ${positions[3 * i + 2]} 0\n`,
    },
    `\n${keyword}\n${corners.length / size}\n`,
    {
      count: corners.length / size,
      row: (i) => `${Array.from(corners.subarray(size * i, size * i + size), (node) => node + 1).join(' ')} 0\n`,
    },
    '\nEnd\n',
  ])
}
