/** The sections of Gmsh's version 2: one node or element per row, elements of a kind in blocks when binary. */
import { FileError } from './file-error.js'
import type { GmshMesh } from './gmsh-mesh.js'
import type { GmshValues } from './gmsh-values.js'

export function readNodes2(values: GmshValues, mesh: GmshMesh): void {
  const count = values.textCount()
  values.check(count, 'nodes', 4, 4 + 3 * 8)
  for (let i = 0; i < count; i++) mesh.addNode(values.integer(), values.float(), values.float(), values.float())
}

export function readElements2(values: GmshValues, mesh: GmshMesh): void {
  const count = values.textCount()
  values.check(count, 'elements', 4, 8)
  const nodes: number[] = []
  for (let done = 0; done < count; ) {
    // Text: number, type, tags; binary: type, how many follow, tags.
    if (!values.binary) values.integer()
    const type = values.integer()
    const block = values.binary ? values.integer() : 1
    const tags = values.integer()
    const corners = mesh.nodesOfType(type)
    if (!(block >= 1 && block <= count - done && tags >= 0)) {
      throw new FileError(
        'gmsh',
        `a block of ${block} elements with ${tags} tags where ${count - done} elements are left; check the file.`,
      )
    }
    values.check(block, 'elements', tags + corners, 4 * (1 + tags + corners))
    for (let i = 0; i < block; i++) {
      if (values.binary) values.integer()
      for (let k = 0; k < tags; k++) values.integer()
      nodes.length = corners
      for (let k = 0; k < corners; k++) nodes[k] = values.integer()
      mesh.addElement(type, nodes)
    }
    done += block
  }
}
