/** Octree cells of an overlap: those inside both bodies as solid boxes, those at the border as their edges. */
import * as THREE from 'three'
import { BOX_EDGES } from './box-edges.js'
import type { OverlapLook } from './pile-protocol.js'

const INSIDE = 0xff7a2f
const BORDER = 0xffd08a
/** A cell is drawn this much smaller than it is, so that it is told from the next. */
const SHRUNK = 0.94

export class OverlapBoxes {
  readonly object = new THREE.Group()
  readonly #solid = new THREE.MeshBasicMaterial({
    color: INSIDE,
    transparent: true,
    opacity: 0.62,
    depthTest: false,
    fog: false,
  })
  readonly #wire = new THREE.LineBasicMaterial({
    color: BORDER,
    transparent: true,
    opacity: 0.5,
    depthTest: false,
    fog: false,
  })
  readonly #box = new THREE.BoxGeometry(2, 2, 2)
  #inside: THREE.InstancedMesh | undefined
  #border: THREE.LineSegments | undefined

  constructor() {
    this.object.matrixAutoUpdate = false
  }

  /** Cells that are drawn. */
  get drawn(): { inside: number; border: number } {
    const corners = this.#border?.geometry.getAttribute('position').count ?? 0
    return { inside: this.#inside?.count ?? 0, border: corners / (BOX_EDGES.length / 3) }
  }

  /** @param look  undefined for none */
  show(look: OverlapLook | undefined): void {
    this.#remove()
    if (!look) return
    const inside = new THREE.InstancedMesh(this.#box, this.#solid, look.inside.length / 6)
    const matrix = new THREE.Matrix4()
    for (let i = 0; i < inside.count; i++) {
      const [x, y, z, a, b, c] = look.inside.subarray(6 * i, 6 * i + 6)
      matrix.makeScale(SHRUNK * a, SHRUNK * b, SHRUNK * c).setPosition(x, y, z)
      inside.setMatrixAt(i, matrix)
    }
    const border = new THREE.LineSegments(new THREE.BufferGeometry(), this.#wire)
    border.geometry.setAttribute('position', new THREE.BufferAttribute(edgesOf(look.border), 3))
    for (const part of [inside, border]) {
      part.frustumCulled = false
      part.renderOrder = 1
      this.object.add(part)
    }
    this.#inside = inside
    this.#border = border
  }

  /** @param frame  of the first body of both to the world, column-major 4x4 */
  place(frame: ArrayLike<number>): void {
    this.object.matrix.fromArray(frame)
    this.object.matrixWorldNeedsUpdate = true
  }

  dispose(): void {
    this.#remove()
    this.#box.dispose()
    this.#solid.dispose()
    this.#wire.dispose()
  }

  #remove(): void {
    this.object.clear()
    this.#inside?.dispose()
    this.#border?.geometry.dispose()
    this.#inside = undefined
    this.#border = undefined
  }
}

function edgesOf(cells: Float32Array): Float32Array {
  const out = new Float32Array((cells.length / 6) * BOX_EDGES.length)
  for (let cell = 0, at = 0; cell < cells.length; cell += 6) {
    for (let i = 0; i < BOX_EDGES.length; i++, at++) {
      const k = i % 3
      out[at] = cells[cell + k] + SHRUNK * BOX_EDGES[i] * cells[cell + 3 + k]
    }
  }
  return out
}
