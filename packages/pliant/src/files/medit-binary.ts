/**
 * Medit `.meshb`: sections that each say where the next begins. Version 1 has single-precision coordinates, 2 double,
 * 3 adds 64-bit section addresses, 4 makes all integers 64-bit.
 */
import { ByteReader } from './byte-reader.js'
import type { FileMesh } from './checked-mesh.js'
import { ElementList } from './element-list.js'
import { FileError } from './file-error.js'

const DIMENSION = 3
const VERTICES = 4
const TRIANGLES = 6
const QUADRILATERALS = 7
const TETRAHEDRA = 8
const END = 54

/** The number 1 in either byte order, then the version. */
export function isMeditBinary(bytes: Uint8Array): boolean {
  if (bytes.length < 8) return false
  const little = bytes[0] === 1
  if ((little ? bytes[3] : bytes[0]) !== 0 || (little ? bytes[0] : bytes[3]) !== 1) return false
  const reader = new ByteReader('medit', bytes, 0, little)
  const code = reader.int32()
  const version = reader.int32()
  return code === 1 && version >= 1 && version <= 4
}

/** @throws FileError naming the section that is wrong */
export function readMeditBinary(bytes: Uint8Array): FileMesh {
  const reader = new ByteReader('medit', bytes, 4, bytes[0] === 1)
  const version = reader.int32()
  const elements = new ElementList('medit')
  const address = () => (version >= 3 ? reader.int64() : reader.int32())
  const integer = () => (version >= 4 ? reader.int64() : reader.int32())
  const coordinate = () => (version >= 2 ? reader.float64() : reader.float32())
  const integerBytes = version >= 4 ? 8 : 4
  const coordinateBytes = version >= 2 ? 8 : 4

  const readRows = (what: string, corners: number, add: (nodes: number[]) => void) => {
    const count = integer()
    reader.need(count, (corners + 1) * integerBytes, what)
    const nodes = [0, 0, 0, 0]
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < corners; k++) nodes[k] = integer() - 1
      integer()
      add(nodes)
    }
  }

  for (;;) {
    const start = reader.position
    const section = reader.int32()
    if (section === END) return elements.finish()
    const next = address()
    if (section === DIMENSION) {
      const dimension = reader.int32()
      if (dimension !== 3) {
        throw new FileError('medit', `Dimension is ${dimension}; only meshes in space (3) are read.`)
      }
    } else if (section === VERTICES) {
      const count = integer()
      reader.need(count, 3 * coordinateBytes + integerBytes, 'Vertices')
      for (let i = 0; i < count; i++) {
        elements.positions.push3(coordinate(), coordinate(), coordinate())
        integer()
      }
    } else if (section === TETRAHEDRA) readRows('Tetrahedra', 4, (nodes) => elements.addTet(nodes))
    else if (section === TRIANGLES) readRows('Triangles', 3, (nodes) => elements.addFace(nodes, 3))
    else if (section === QUADRILATERALS) readRows('Quadrilaterals', 4, (nodes) => elements.addFace(nodes, 4))
    // Always forward and behind what was read: a damaged address must not send us round in circles, nor may sections
    // share their bytes, or a small file would hold a large mesh.
    if (!(next > start && next >= reader.position && next <= bytes.length)) {
      throw new FileError(
        'medit',
        `the section after byte ${start} is said to begin at ${next} of ${bytes.length}; check the file was written completely.`,
      )
    }
    reader.position = next
  }
}
