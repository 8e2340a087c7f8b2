/** A line from every pulled vertex to where it is pulled, with a knob at either end; seen through the body. */
import * as THREE from 'three'

const COLOUR = 0xffd83d
/** Pulls that are drawn at most. */
const MOST = 8

export class PullLines {
  readonly object = new THREE.Group()
  readonly #places = new THREE.BufferAttribute(new Float32Array(6 * MOST), 3)
  readonly #lines: THREE.LineSegments<THREE.BufferGeometry, THREE.LineBasicMaterial>
  readonly #knobs: THREE.InstancedMesh<THREE.SphereGeometry, THREE.MeshBasicMaterial>
  readonly #matrix = new THREE.Matrix4()
  #size = 1

  constructor() {
    const seenThrough = { color: COLOUR, depthTest: false, fog: false }
    const geometry = new THREE.BufferGeometry()
    geometry.setAttribute('position', this.#places)
    this.#lines = new THREE.LineSegments(geometry, new THREE.LineBasicMaterial(seenThrough))
    this.#knobs = new THREE.InstancedMesh(
      new THREE.SphereGeometry(1, 12, 8),
      new THREE.MeshBasicMaterial(seenThrough),
      2 * MOST,
    )
    for (const part of [this.#lines, this.#knobs]) {
      part.frustumCulled = false
      part.renderOrder = 1
      this.object.add(part)
    }
    this.show(new Float32Array(0))
  }

  /** Of the body [m]. */
  set size(size: number) {
    this.#size = size
  }

  /** @param pulls  six numbers each */
  show(pulls: Float32Array): void {
    const ends = Math.min(pulls.length / 3, 2 * MOST)
    ;(this.#places.array as Float32Array).set(pulls.subarray(0, 3 * ends))
    this.#places.needsUpdate = true
    this.#lines.geometry.setDrawRange(0, ends)
    this.#knobs.count = ends
    for (let end = 0; end < ends; end++) {
      // The knob on the body is the larger one.
      this.#matrix.makeScale(1, 1, 1).multiplyScalar((end % 2 === 0 ? 0.014 : 0.009) * this.#size)
      this.#matrix.setPosition(pulls[3 * end], pulls[3 * end + 1], pulls[3 * end + 2])
      this.#knobs.setMatrixAt(end, this.#matrix)
    }
    this.#knobs.instanceMatrix.needsUpdate = true
  }

  dispose(): void {
    this.#lines.geometry.dispose()
    this.#lines.material.dispose()
    this.#knobs.geometry.dispose()
    this.#knobs.material.dispose()
    this.#knobs.dispose()
  }
}
