/** The light in every scene: a warm key light that casts shadows, a cool one from behind, and the sky. */
import * as THREE from 'three'

/** Texels of the shadow along a side. */
const SHADOW_TEXELS = 1024

export class StudioLight {
  readonly object = new THREE.Group()
  readonly #key = new THREE.DirectionalLight(0xffeedd, 2.5)
  readonly #rim = new THREE.DirectionalLight(0x8fb8e8, 1.6)

  constructor() {
    this.#key.castShadow = true
    this.#key.shadow.mapSize.set(SHADOW_TEXELS, SHADOW_TEXELS)
    this.#key.shadow.radius = 3
    for (const light of [this.#key, this.#rim]) this.object.add(light, light.target)
    this.object.add(new THREE.HemisphereLight(0xdfe9f5, 0x3a2f28, 1.05))
    this.setSize(1)
  }

  /** Lights a sphere of this diameter about the group's place. */
  setSize(size: number): void {
    this.#key.position.set(0.9, 2.2, 1.4).multiplyScalar(size)
    this.#rim.position.set(-1.6, 1.3, -1.8).multiplyScalar(size)
    const { camera, ...shadow } = this.#key.shadow
    Object.assign(camera, { left: -size, right: size, top: size, bottom: -size, near: 0.1 * size, far: 6 * size })
    camera.updateProjectionMatrix()
    // Against a surface shading itself; relative to the size, as the texels are.
    Object.assign(this.#key.shadow, { normalBias: (2.5 * size) / shadow.mapSize.x, bias: -0.0005 })
  }

  dispose(): void {
    this.#key.dispose()
    this.#rim.dispose()
  }
}
