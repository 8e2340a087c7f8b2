/** Collects what a finite-element file holds: tetrahedra, and surface faces for when there are none. */
import { checkedMesh, type FileMesh } from './checked-mesh.js'
import { FileError } from './file-error.js'
import { FloatList, IndexList } from './lists.js'
import { PolygonList } from './polygons.js'

export class ElementList {
  readonly positions = new FloatList()
  private readonly tetrahedra = new IndexList()
  private readonly faces: PolygonList

  constructor(readonly format: string) {
    this.faces = new PolygonList(format)
  }

  get tetCount(): number {
    return this.tetrahedra.length / 4
  }

  get faceCount(): number {
    return this.faces.count
  }

  /** @param corners  nodes counted from 0, at least four; further ones (of curved elements) are left out */
  addTet(corners: ArrayLike<number>): void {
    for (let k = 0; k < 4; k++) {
      if (!(corners[k] >= 0 && corners[k] < 0xffffffff)) {
        throw new FileError(
          this.format,
          `tetrahedron ${this.tetCount + 1} refers to vertex ${corners[k] + 1}; check the file was written completely.`,
        )
      }
    }
    for (let k = 0; k < 4; k++) this.tetrahedra.push(corners[k])
  }

  /** @param corners  nodes counted from 0; the first `count` make the face */
  addFace(corners: ArrayLike<number>, count: number): void {
    for (let k = 0; k < count; k++) this.faces.addCorner(corners[k], 1)
    this.faces.endFace()
  }

  finish(): FileMesh {
    const positions = this.positions.toArray()
    return checkedMesh(this.format, positions, this.tetrahedra.toArray(), () => this.faces.triangulate(positions, 1))
  }
}
