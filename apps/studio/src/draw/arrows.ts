/** Many arrows of one colour, seen through whatever is before them. */
import * as THREE from 'three'

/** Length of a head and its radius, in radii of the shaft. */
const HEAD = { length: 5, radius: 2.4 }
const UP = new THREE.Vector3(0, 1, 0)

export class Arrows {
  readonly object = new THREE.Group()
  readonly #shafts: THREE.InstancedMesh<THREE.CylinderGeometry, THREE.MeshBasicMaterial>
  readonly #heads: THREE.InstancedMesh<THREE.ConeGeometry, THREE.MeshBasicMaterial>
  readonly #most: number
  #count = 0

  /** @param most  that are drawn */
  constructor(colour: number, most: number) {
    this.#most = most
    const material = new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, fog: false })
    this.#shafts = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 6).translate(0, 0.5, 0), material, most)
    this.#heads = new THREE.InstancedMesh(new THREE.ConeGeometry(1, 1, 10).translate(0, 0.5, 0), material, most)
    for (const part of [this.#shafts, this.#heads]) {
      part.frustumCulled = false
      part.renderOrder = 2
      this.object.add(part)
    }
    this.clear()
  }

  get count(): number {
    return this.#count
  }

  clear(): void {
    this.#count = 0
    this.show()
  }

  /** @param way  from its foot to its tip [m]; one shorter than its head is left out @param radius  of its shaft [m] */
  add(foot: THREE.Vector3, way: THREE.Vector3, radius: number): void {
    const length = way.length()
    const head = Math.min(HEAD.length * radius, 0.6 * length)
    if (this.#count >= this.#most || length < 2 * radius) return
    _turn.setFromUnitVectors(UP, _unit.copy(way).divideScalar(length))
    this.#shafts.setMatrixAt(this.#count, _matrix.compose(foot, _turn, _scale.set(radius, length - head, radius)))
    _place.copy(foot).addScaledVector(_unit, length - head)
    _scale.set(HEAD.radius * radius, head, HEAD.radius * radius)
    this.#heads.setMatrixAt(this.#count++, _matrix.compose(_place, _turn, _scale))
  }

  /** Call when all are added. */
  show(): void {
    for (const part of [this.#shafts, this.#heads]) {
      part.count = this.#count
      part.instanceMatrix.needsUpdate = true
    }
  }

  dispose(): void {
    for (const part of [this.#shafts, this.#heads]) {
      part.geometry.dispose()
      part.material.dispose()
      part.dispose()
    }
  }
}

const _turn = new THREE.Quaternion()
const _unit = new THREE.Vector3()
const _place = new THREE.Vector3()
const _scale = new THREE.Vector3()
const _matrix = new THREE.Matrix4()
