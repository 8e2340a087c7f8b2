/** The object's surface: solid behind the slice, a ghost in front of it where that half is cut away. */
import * as THREE from 'three'
import type { SlicePlane } from './slice-plane.js'

const PLAIN = new THREE.Color(0xc4ccd6)
/** Opacity of the ghost where it is seen face on, and where it turns away: a rim of glass. */
const GHOST_FACE = 0.17
const GHOST_RIM = 0.8
/** Both halves begin this share of the size away from the slice, or they would flicker where they touch it. */
const GAP = 0.001

export interface Cut {
  plane: SlicePlane
  /** 1 if the camera looks from beyond the plane, -1 from below: that half becomes the ghost. */
  side: number
}

export class SurfaceMesh {
  readonly object = new THREE.Group()
  readonly #geometry = new THREE.BufferGeometry()
  readonly #positions: THREE.BufferAttribute
  readonly #material = new THREE.MeshStandardMaterial({ color: PLAIN, roughness: 0.62, side: THREE.DoubleSide })
  readonly #ghostMaterial = new THREE.MeshStandardMaterial({
    color: PLAIN,
    roughness: 0.5,
    transparent: true,
    depthWrite: false,
  })
  readonly #ghost: THREE.Mesh
  readonly #solidPlane = new THREE.Plane()
  readonly #ghostPlane = new THREE.Plane()

  readonly #gap: number

  /** @param size of the object [m] */
  constructor(positions: Float64Array, triangles: Uint32Array, size: number) {
    this.#gap = GAP * size
    this.#positions = new THREE.BufferAttribute(Float32Array.from(positions), 3)
    this.#geometry.setAttribute('position', this.#positions)
    this.#geometry.setIndex(new THREE.BufferAttribute(triangles, 1))
    this.#geometry.computeVertexNormals()
    const solid = new THREE.Mesh(this.#geometry, this.#material)
    this.#ghost = new THREE.Mesh(this.#geometry, this.#ghostMaterial)
    this.#ghost.renderOrder = 2
    solid.castShadow = true
    for (const mesh of [solid, this.#ghost]) {
      // Its bounding sphere would have to follow every pose; one object is never worth culling.
      mesh.frustumCulled = false
      this.object.add(mesh)
    }
    this.#ghostMaterial.clippingPlanes = [this.#ghostPlane]
    makeGlass(this.#ghostMaterial)
  }

  setPositions(positions: Float64Array): void {
    this.#positions.copyArray(positions)
    this.#positions.needsUpdate = true
    this.#geometry.computeVertexNormals()
  }

  setColours(colours: Float32Array | undefined): void {
    if (colours) this.#geometry.setAttribute('color', new THREE.BufferAttribute(colours, 3))
    else this.#geometry.deleteAttribute('color')
    const on = colours !== undefined
    if (on === this.#material.vertexColors) return
    this.#material.vertexColors = on
    this.#material.color.copy(on ? new THREE.Color(0xffffff) : PLAIN)
    this.#material.needsUpdate = true
  }

  cut(cut: Cut | undefined): void {
    this.#ghost.visible = cut !== undefined
    const planes = cut ? [this.#solidPlane] : null
    if ((planes === null) !== (this.#material.clippingPlanes === null)) this.#material.needsUpdate = true
    this.#material.clippingPlanes = planes
    if (!cut) return
    // A plane keeps what lies on the side that its normal points to.
    this.#solidPlane.normal.set(0, 0, 0).setComponent(cut.plane.axis, -cut.side)
    this.#solidPlane.constant = cut.side * cut.plane.at - this.#gap
    this.#ghostPlane.normal.copy(this.#solidPlane.normal).negate()
    this.#ghostPlane.constant = -cut.side * cut.plane.at - this.#gap
  }

  dispose(): void {
    this.object.removeFromParent()
    this.#geometry.dispose()
    this.#material.dispose()
    this.#ghostMaterial.dispose()
  }
}

/** Opacity by angle of sight, which three's own materials do not have. */
function makeGlass(material: THREE.Material): void {
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      '#include <opaque_fragment>',
      `float faceOn = abs(dot(normalize(vViewPosition), normal));
       diffuseColor.a = mix(${GHOST_RIM.toFixed(2)}, ${GHOST_FACE.toFixed(2)}, smoothstep(0.0, 0.75, faceOn));
       #include <opaque_fragment>`,
    )
  }
}
