/** A surface that glows where it is touched, and for a moment after. */
import * as THREE from 'three'
import { DeformingMesh } from './deforming-mesh.js'

/** How fast the glow fades [1/s]. */
const FADE = 5

export class TouchedMesh {
  readonly #plain: THREE.Color
  readonly #glow: THREE.Color
  readonly #surface: DeformingMesh
  #triangles: Uint32Array = new Uint32Array(0)
  #heat = new Float32Array(0)
  #colours = new THREE.BufferAttribute(new Float32Array(0), 3)

  constructor(plain: number, glow: number) {
    this.#plain = new THREE.Color(plain)
    this.#glow = new THREE.Color(glow)
    // Pushed back a hair, so that outlines on it are seen.
    this.#surface = new DeformingMesh(
      new THREE.MeshStandardMaterial({
        vertexColors: true,
        roughness: 0.62,
        polygonOffset: true,
        polygonOffsetFactor: 1,
        polygonOffsetUnits: 1,
      }),
    )
  }

  get mesh(): THREE.Mesh {
    return this.#surface.mesh
  }

  setTriangles(triangles: Uint32Array): void {
    this.#triangles = triangles
    this.#surface.setTriangles(triangles)
    this.#heat = new Float32Array(0)
  }

  /** @param touched triangles @param seconds since the frame before */
  show(positions: Float32Array, touched: Uint32Array, seconds: number): void {
    this.#surface.setPositions(positions)
    const vertices = positions.length / 3
    if (this.#heat.length !== vertices) {
      this.#heat = new Float32Array(vertices)
      this.#colours = new THREE.BufferAttribute(new Float32Array(3 * vertices), 3)
      this.mesh.geometry.setAttribute('color', this.#colours)
    }
    const fade = Math.exp(-FADE * seconds)
    for (let v = 0; v < vertices; v++) this.#heat[v] *= fade
    for (const triangle of touched) {
      for (let corner = 0; corner < 3; corner++) this.#heat[this.#triangles[3 * triangle + corner]] = 1
    }
    const [plain, glow] = [this.#plain, this.#glow]
    for (let v = 0; v < vertices; v++) {
      const share = this.#heat[v]
      this.#colours.setXYZ(
        v,
        plain.r + share * (glow.r - plain.r),
        plain.g + share * (glow.g - plain.g),
        plain.b + share * (glow.b - plain.b),
      )
    }
    this.#colours.needsUpdate = true
  }

  dispose(): void {
    this.#surface.dispose()
  }
}
