/** The slice as a picture standing in the scene. */
import * as THREE from 'three'
import type { SliceGrid } from './slice-plane.js'

const FRAME_COLOUR = 0x6f8296

export class SliceQuad {
  readonly object = new THREE.Group()
  readonly #geometry = new THREE.BufferGeometry()
  readonly #corners = new THREE.BufferAttribute(new Float32Array(12), 3)
  readonly #frame: THREE.LineLoop<THREE.BufferGeometry, THREE.LineBasicMaterial>
  readonly #material = new THREE.MeshBasicMaterial({
    side: THREE.DoubleSide,
    transparent: true,
    toneMapped: false,
    // Pulled forward a hair, so that the rim of the cut surface does not flicker through.
    polygonOffset: true,
    polygonOffsetFactor: -2,
    polygonOffsetUnits: -2,
  })
  #texture: THREE.CanvasTexture | undefined

  constructor() {
    this.#geometry.setAttribute('position', this.#corners)
    this.#geometry.setAttribute('uv', new THREE.BufferAttribute(Float32Array.of(0, 0, 1, 0, 1, 1, 0, 1), 2))
    this.#geometry.setIndex([0, 1, 2, 0, 2, 3])
    const outline = new THREE.BufferGeometry()
    outline.setAttribute('position', this.#corners)
    this.#frame = new THREE.LineLoop(outline, new THREE.LineBasicMaterial({ color: FRAME_COLOUR }))
    const quad = new THREE.Mesh(this.#geometry, this.#material)
    quad.renderOrder = 1
    for (const part of [quad, this.#frame]) {
      part.frustumCulled = false
      this.object.add(part)
    }
    this.object.visible = false
  }

  show(grid: SliceGrid, picture: HTMLCanvasElement): void {
    const { plane, horizontal, vertical, lower, upper } = grid
    const places = [lower, [upper[0], lower[1]], upper, [lower[0], upper[1]]] as const
    for (const [i, [across, up]] of places.entries()) {
      this.#corners.setComponent(i, plane.axis, plane.at)
      this.#corners.setComponent(i, horizontal, across)
      this.#corners.setComponent(i, vertical, up)
    }
    this.#corners.needsUpdate = true
    this.#setPicture(picture)
    this.object.visible = true
  }

  dispose(): void {
    this.#texture?.dispose()
    this.#geometry.dispose()
    this.#material.dispose()
    this.#frame.geometry.dispose()
    this.#frame.material.dispose()
  }

  /** A texture's size is fixed at its first upload, so a picture of another size takes a new one. */
  #setPicture(picture: HTMLCanvasElement): void {
    const size = this.#texture?.userData as { width: number; height: number } | undefined
    if (this.#texture?.image === picture && size?.width === picture.width && size.height === picture.height) {
      this.#texture.needsUpdate = true
      return
    }
    this.#texture?.dispose()
    this.#texture = new THREE.CanvasTexture(picture)
    this.#texture.colorSpace = THREE.SRGBColorSpace
    this.#texture.anisotropy = 4
    this.#texture.userData = { width: picture.width, height: picture.height }
    const first = this.#material.map === null
    this.#material.map = this.#texture
    if (first) this.#material.needsUpdate = true
  }
}
