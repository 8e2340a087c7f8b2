/**
 * Gmsh `.msh`, versions 2 and 4.1, text and binary: tetrahedra, and triangles and quadrilaterals for files that hold
 * only a surface. Curved elements count with their corners. Sections other than Nodes and Elements are passed over.
 */
import type { FileMesh } from './checked-mesh.js'
import { FileError, quoted } from './file-error.js'
import { readElements2, readNodes2 } from './gmsh-2.js'
import { readElements4, readNodes4 } from './gmsh-4.js'
import { GmshMesh } from './gmsh-mesh.js'
import { GmshBinaryValues, GmshTextValues, type GmshValues } from './gmsh-values.js'
import { TextScanner } from './text-scanner.js'

const LONGEST_NAME = 256

/**
 * Reads Gmsh `.msh`, versions 2 and 4.1, text and binary: tetrahedra, or a surface.
 * @throws FileError naming the section or element that is wrong, or the version if it is not read
 */
export function readGmsh(bytes: Uint8Array): FileMesh {
  const scanner = new TextScanner('gmsh', bytes)
  const { version, values } = readFormat(scanner)
  const mesh = new GmshMesh()
  let nodes = false
  let elements = false
  while (scanner.toNextWord()) {
    const name = scanner.word()
    // A longer one is no section, and looking for its end would take long.
    if (!name.startsWith('$') || name.length > LONGEST_NAME) {
      throw scanner.error(`${quoted(name)} on line ${scanner.line()} where a section is due; check the file.`)
    }
    scanner.nextLine()
    values.position = scanner.position
    if (name === '$Nodes') {
      if (version === 2) readNodes2(values, mesh)
      else readNodes4(values, mesh)
      nodes = true
    } else if (name === '$Elements') {
      if (!nodes) throw scanner.error('$Elements come before $Nodes; check the file.')
      if (version === 2) readElements2(values, mesh)
      else readElements4(values, mesh)
      elements = true
    }
    scanner.position = values.position
    toSectionEnd(scanner, name)
  }
  if (!nodes || !elements) throw scanner.cutShort(nodes ? '$Elements' : '$Nodes')
  return mesh.finish()
}

export function looksLikeGmsh(bytes: Uint8Array): boolean {
  const scanner = new TextScanner('gmsh', bytes, 0, Math.min(bytes.length, 4096))
  return scanner.toNextWord() && ['$MeshFormat', '$NOD', '$Comments'].includes(scanner.word())
}

function readFormat(scanner: TextScanner): { version: 2 | 4; values: GmshValues } {
  for (;;) {
    if (!scanner.toNextWord()) throw scanner.cutShort('$MeshFormat')
    const name = scanner.word()
    if (name === '$MeshFormat') break
    if (name === '$NOD') throw scanner.error('this is version 1 of the format; save it again as version 2.2 or 4.1.')
    if (name !== '$Comments')
      throw scanner.error("the file does not begin with '$MeshFormat'; check its name and type.")
    toSectionEnd(scanner, name)
  }
  const version = scanner.readNumber('the version')
  if (!(version >= 2 && version < 3) && version !== 4.1) {
    throw scanner.error(`this is version ${version} of the format; save it again as version 2.2 or 4.1.`)
  }
  const binary = scanner.readInteger('the file type') === 1
  const sizeBytes = scanner.readInteger('the data size')
  scanner.nextLine()
  let values: GmshValues
  if (binary) {
    if (sizeBytes !== 8) throw scanner.error(`the data size is ${sizeBytes}; only 8 is read.`)
    // The number 1 tells the byte order.
    if (scanner.end - scanner.position < 4) throw scanner.cutShort('the byte order')
    const littleEndian = scanner.bytes[scanner.position] === 1
    if (!littleEndian && scanner.bytes[scanner.position + 3] !== 1) {
      throw new FileError('gmsh', 'the byte order is neither little nor big; check the file was not converted as text.')
    }
    scanner.position += 4
    values = new GmshBinaryValues(scanner.bytes, scanner.position, littleEndian)
  } else values = new GmshTextValues(scanner.bytes, scanner.position)
  toSectionEnd(scanner, '$MeshFormat')
  return { version: version === 4.1 ? 4 : 2, values }
}

/** Moves behind the line `$EndName`. */
function toSectionEnd(scanner: TextScanner, name: string): void {
  const { bytes, end } = scanner
  const mark = new TextEncoder().encode(`$End${name.slice(1)}`)
  for (let at = bytes.indexOf(mark[0], scanner.position); at >= 0; at = bytes.indexOf(mark[0], at + 1)) {
    if (at + mark.length > end) break
    if (mark.every((byte, i) => bytes[at + i] === byte)) {
      scanner.position = at
      scanner.nextLine()
      return
    }
  }
  throw scanner.cutShort(quoted(`$End${name.slice(1)}`))
}
