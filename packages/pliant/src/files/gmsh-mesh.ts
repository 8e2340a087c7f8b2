/** What is gathered from a Gmsh file: nodes by their tag, elements by their type. */
import type { FileMesh } from './checked-mesh.js'
import { ElementList } from './element-list.js'
import { FileError } from './file-error.js'

/** Nodes per element, by Gmsh's type number from 1; 0 for numbers that are not in use. */
const NODES_OF_TYPE = [
  0, 2, 3, 4, 4, 8, 6, 5, 3, 6, 9, 10, 27, 18, 14, 1, 8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5, 6, 20, 35, 56,
]
const TETRAHEDRA = new Set([4, 11, 29, 30, 31])
const TRIANGLES = new Set([2, 9, 20, 21, 22, 23, 24, 25])
const QUADRILATERALS = new Set([3, 10, 16])
/** Points and lines, which neither a body nor a surface needs. */
const LOWER = new Set([15, 1, 8, 26, 27, 28])

export class GmshMesh {
  private readonly elements = new ElementList('gmsh')
  private nodes = 0
  /** Only made when the tags are not simply 1, 2, 3 ... */
  private indexOfTag: Map<number, number> | undefined
  private other = 0

  addNode(tag: number, x: number, y: number, z: number): void {
    if (this.indexOfTag === undefined && tag !== this.nodes + 1) {
      this.indexOfTag = new Map()
      for (let i = 0; i < this.nodes; i++) this.indexOfTag.set(i + 1, i)
    }
    if (this.indexOfTag?.has(tag)) throw new FileError('gmsh', `node ${tag} is there twice; check the file.`)
    this.indexOfTag?.set(tag, this.nodes)
    this.elements.positions.push3(x, y, z)
    this.nodes++
  }

  /** How many nodes an element of this type has. */
  nodesOfType(type: number): number {
    const nodes = NODES_OF_TYPE[type] ?? 0
    if (nodes === 0)
      throw new FileError('gmsh', `element type ${type} is not known; check the file, or save it as order 1.`)
    return nodes
  }

  /** @param tags  the element's nodes, its corners first */
  addElement(type: number, tags: number[]): void {
    if (LOWER.has(type)) return
    for (let k = 0; k < tags.length; k++) tags[k] = this.indexOf(tags[k])
    if (TETRAHEDRA.has(type)) this.elements.addTet(tags)
    else if (TRIANGLES.has(type)) this.elements.addFace(tags, 3)
    else if (QUADRILATERALS.has(type)) this.elements.addFace(tags, 4)
    else this.other++
  }

  finish(): FileMesh {
    if (this.other > 0 && this.elements.tetCount === 0) {
      throw new FileError(
        'gmsh',
        `${this.other} hexahedra, prisms or pyramids and no tetrahedra; mesh it again with tetrahedra.`,
      )
    }
    if (this.other > 0) {
      throw new FileError(
        'gmsh',
        `${this.other} hexahedra, prisms or pyramids among ${this.elements.tetCount} tetrahedra; mesh it again with tetrahedra only.`,
      )
    }
    return this.elements.finish()
  }

  private indexOf(tag: number): number {
    const index = this.indexOfTag === undefined ? tag - 1 : this.indexOfTag.get(tag)
    if (index === undefined || !(index >= 0 && index < this.nodes)) {
      throw new FileError(
        'gmsh',
        `an element refers to node ${tag}, which is not among the ${this.nodes}; check the file was written completely.`,
      )
    }
    return index
  }
}
