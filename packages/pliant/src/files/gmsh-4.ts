/** The sections of Gmsh's version 4.1: nodes and elements in blocks, one for each entity of the geometry. */
import { FileError } from './file-error.js'
import type { GmshMesh } from './gmsh-mesh.js'
import type { GmshValues } from './gmsh-values.js'

const BLOCK_HEADER_BYTES = 3 * 4 + 8

export function readNodes4(values: GmshValues, mesh: GmshMesh): void {
  const { blocks, total } = readTotals(values, 'nodes', 4)
  let left = total
  for (let block = 0; block < blocks; block++) {
    const dimension = values.integer()
    values.integer()
    const parametric = values.integer() === 1
    const count = values.size()
    if (dimension < 0 || dimension > 3) {
      throw new FileError('gmsh', `a block of nodes has dimension ${dimension}; check the file.`)
    }
    left -= checkedBlock(count, left, 'nodes')
    const parameters = parametric ? dimension : 0
    values.check(count, 'nodes', 4 + parameters, 8 * (4 + parameters))
    const tags = new Float64Array(count)
    for (let i = 0; i < count; i++) tags[i] = values.size()
    for (let i = 0; i < count; i++) {
      mesh.addNode(tags[i], values.float(), values.float(), values.float())
      for (let k = 0; k < parameters; k++) values.float()
    }
  }
  checkNoneLeft(left, 'nodes')
}

export function readElements4(values: GmshValues, mesh: GmshMesh): void {
  const { blocks, total } = readTotals(values, 'elements', 2)
  let left = total
  const nodes: number[] = []
  for (let block = 0; block < blocks; block++) {
    values.integer()
    values.integer()
    const type = values.integer()
    const count = values.size()
    left -= checkedBlock(count, left, 'elements')
    const corners = mesh.nodesOfType(type)
    values.check(count, 'elements', 1 + corners, 8 * (1 + corners))
    for (let i = 0; i < count; i++) {
      values.size()
      nodes.length = corners
      for (let k = 0; k < corners; k++) nodes[k] = values.size()
      mesh.addElement(type, nodes)
    }
  }
  checkNoneLeft(left, 'elements')
}

/** Number of blocks, total, smallest and largest tag. */
function readTotals(values: GmshValues, what: string, valuesEach: number): { blocks: number; total: number } {
  const blocks = values.size()
  const total = values.size()
  values.size()
  values.size()
  values.check(blocks, `blocks of ${what}`, 4, BLOCK_HEADER_BYTES)
  values.check(total, what, valuesEach, 8 * valuesEach)
  return { blocks, total }
}

function checkedBlock(count: number, left: number, what: string): number {
  if (count >= 0 && count <= left) return count
  throw new FileError('gmsh', `a block of ${count} ${what} where ${left} are left; check the file.`)
}

function checkNoneLeft(left: number, what: string): void {
  if (left !== 0)
    throw new FileError('gmsh', `${left} ${what} fewer than declared; check the file was written completely.`)
}
