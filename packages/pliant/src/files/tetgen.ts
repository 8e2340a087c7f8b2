/**
 * TetGen's pair of text files: `.node` with the points and `.ele` with the tetrahedra. Points are counted from 0 or
 * from 1, which the first line of the `.node` file shows.
 */
import type { TetMesh } from '../mesh/tet-mesh.js'
import { checkedTets } from './checked-mesh.js'
import { FileError } from './file-error.js'
import { FloatList, IndexList } from './lists.js'
import { TextScanner } from './text-scanner.js'

/**
 * Reads TetGen's pair of text files.
 * @param nodeFile  bytes of the `.node` file
 * @param eleFile   bytes of the `.ele` file that belongs to it; of ten-node tetrahedra the corners are taken
 * @throws FileError naming the line or element that is wrong
 */
export function readTetgen(nodeFile: Uint8Array, eleFile: Uint8Array): TetMesh {
  const { positions, base } = readNodes(nodeFile)
  const vertices = positions.length / 3
  const scanner = new TextScanner('tetgen', eleFile)
  const count = scanner.readCount('tetrahedra', 10)
  const corners = scanner.readInteger('the number of corners')
  if (corners !== 4 && corners !== 10) {
    throw scanner.error(`the .ele file has ${corners} corners per element; 4 or 10 are read.`)
  }
  scanner.nextLine()
  const tetrahedra = new IndexList()
  for (let i = 0; i < count; i++) {
    scanner.readInteger(`element ${i + 1} of ${count}`)
    for (let k = 0; k < corners; k++) {
      const node = scanner.readInteger(`a corner of element ${i + 1}`)
      if (!(node >= base && node < vertices + base)) {
        throw scanner.error(
          `element ${i + 1} refers to node ${node}; the .node file has ${base} to ${vertices + base - 1}.`,
        )
      }
      if (k < 4) tetrahedra.push(node - base)
    }
    scanner.nextLine()
  }
  if (count === 0) throw scanner.error('the .ele file has no tetrahedra; check that it is the right file.')
  return checkedTets('tetgen', positions, tetrahedra.toArray())
}

function readNodes(bytes: Uint8Array): { positions: Float64Array; base: number } {
  const scanner = new TextScanner('tetgen', bytes)
  const count = scanner.readCount('nodes', 8)
  const dimension = scanner.readInteger('the dimension')
  if (dimension !== 3) throw scanner.error(`the .node file has dimension ${dimension}; only points in space are read.`)
  scanner.nextLine()
  const positions = new FloatList()
  let base = 0
  for (let i = 0; i < count; i++) {
    const number = scanner.readInteger(`node ${i + 1} of ${count}`)
    if (i === 0) base = number
    if (number !== base + i || base < 0 || base > 1) {
      throw new FileError(
        'tetgen',
        `line ${scanner.line()} has node ${number}, ${base + i} is due; number them in order from 0 or 1.`,
      )
    }
    const x = scanner.readNumber('a coordinate')
    const y = scanner.readNumber('a coordinate')
    positions.push3(x, y, scanner.readNumber('a coordinate'))
    scanner.nextLine()
  }
  return { positions: positions.toArray(), base }
}
