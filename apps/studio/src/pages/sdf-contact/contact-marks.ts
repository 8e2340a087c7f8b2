/** Where bodies touch: dots, and arrows along normals or forces, seen through the bodies. */
import * as THREE from 'three'
import { Arrows } from '../../draw/arrows.js'
import { CONTACT_SIZE, type ContactMarks, type Marks } from './pile-protocol.js'

const TOUCHING = new THREE.Color(0xffe7bd)
/** Of a contact that is about to happen. */
const NEAR = new THREE.Color(0x71808f)
const NORMAL = 0xe6ebf1
const PUSH = 0x7ab0e2
const FRICTION = 0xf2a054
/** Marks that are drawn at most: as many as a frame tells of. */
const MOST = 400
/** In diagonals of the largest body: radius of a dot, of an arrow's shaft, and length of a normal. */
const DOT = 0.011
const DOT_NEAR = 0.006
const SHAFT = 0.0042
const NORMAL_LENGTH = 0.13
/** Length of a force [m/N], and at most, in diagonals. */
export const PER_NEWTON = 0.004
const LONGEST = 0.6

export class ContactMarksView {
  readonly object = new THREE.Group()
  readonly #dots = new THREE.InstancedMesh(
    new THREE.SphereGeometry(1, 8, 6),
    new THREE.MeshBasicMaterial({ depthTest: false, transparent: true, fog: false }),
    MOST,
  )
  readonly #normals = new Arrows(NORMAL, MOST)
  readonly #pushes = new Arrows(PUSH, MOST)
  readonly #frictions = new Arrows(FRICTION, MOST)
  /** Diagonal of the largest body [m]. */
  size = 1

  constructor() {
    this.#dots.frustumCulled = false
    this.#dots.renderOrder = 3
    this.#dots.count = 0
    this.object.add(this.#dots, this.#normals.object, this.#pushes.object, this.#frictions.object)
  }

  /** What is drawn. */
  get drawn(): { dots: number; arrows: number } {
    return { dots: this.#dots.count, arrows: this.#normals.count + this.#pushes.count + this.#frictions.count }
  }

  show({ values }: ContactMarks, marks: Marks): void {
    const count = marks === 'nothing' ? 0 : Math.min(MOST, values.length / CONTACT_SIZE)
    const arrows = [this.#normals, this.#pushes, this.#frictions]
    for (const each of arrows) each.clear()
    for (let i = 0; i < count; i++) {
      const at = CONTACT_SIZE * i
      _point.fromArray(values, at)
      _normal.fromArray(values, at + 3)
      _force.fromArray(values, at + 6)
      const isTouching = values[at + 9] <= 0 || _force.lengthSq() > 0
      const radius = (isTouching ? DOT : DOT_NEAR) * this.size
      this.#dots.setMatrixAt(i, _matrix.makeScale(radius, radius, radius).setPosition(_point))
      this.#dots.setColorAt(i, isTouching ? TOUCHING : NEAR)
      // Those that are about to happen would only hide the others.
      if (!isTouching) continue
      if (marks === 'normals') this.#add(this.#normals, _way.copy(_normal).multiplyScalar(NORMAL_LENGTH * this.size))
      else this.#addForce()
    }
    this.#dots.count = count
    this.#dots.instanceMatrix.needsUpdate = true
    if (this.#dots.instanceColor) this.#dots.instanceColor.needsUpdate = true
    for (const each of arrows) each.show()
  }

  dispose(): void {
    this.#dots.geometry.dispose()
    this.#dots.material.dispose()
    this.#dots.dispose()
    for (const each of [this.#normals, this.#pushes, this.#frictions]) each.dispose()
  }

  /** What pushes along the normal, and friction across it. */
  #addForce(): void {
    const push = _force.dot(_normal)
    const cut = Math.min(1, (LONGEST * this.size) / (PER_NEWTON * _force.length() || 1))
    this.#add(this.#pushes, _way.copy(_normal).multiplyScalar(cut * PER_NEWTON * push))
    _way.copy(_force).addScaledVector(_normal, -push)
    this.#add(this.#frictions, _way.multiplyScalar(cut * PER_NEWTON))
  }

  #add(arrows: Arrows, way: THREE.Vector3): void {
    arrows.add(_point, way, SHAFT * this.size)
  }
}

const _point = new THREE.Vector3()
const _normal = new THREE.Vector3()
const _force = new THREE.Vector3()
const _way = new THREE.Vector3()
const _matrix = new THREE.Matrix4()
