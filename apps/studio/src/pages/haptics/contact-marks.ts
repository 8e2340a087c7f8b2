/** What touches what: outlines of the touched triangles, dots on the tool's vertices, and the force as an arrow. */
import * as THREE from 'three'
import type { Frame } from './haptics-protocol.js'

const OUTLINE = 0xfff1d6
const DOT = 0xffe7bd
const ARROW = 0x8cc3ff
/** Most contacts that are marked. */
const MOST = 256
/** Length of the arrow for each newton, and at most, in diagonals; its thickness. */
const PER_NEWTON = 0.2
const LONGEST = 0.75
const THICKNESS = 0.011
const SHORTEST_FORCE = 0.03
/** Radius of a dot, in diagonals. */
const DOT_RADIUS = 0.0045
/** Share of the way that the arrow goes towards a new force in a frame: eyes dislike flicker. */
const CALM = 0.3

export class ContactMarks {
  readonly object = new THREE.Group()
  readonly #outlines = new THREE.LineSegments(
    new THREE.BufferGeometry(),
    new THREE.LineBasicMaterial({ color: OUTLINE, transparent: true, opacity: 0.85 }),
  )
  readonly #dots = new THREE.InstancedMesh(
    new THREE.SphereGeometry(1, 8, 6),
    new THREE.MeshBasicMaterial({ color: DOT, depthTest: false, transparent: true, opacity: 0.9 }),
    MOST,
  )
  readonly #arrow = new THREE.Group()
  readonly #shaft: THREE.Mesh<THREE.CylinderGeometry, THREE.MeshBasicMaterial>
  readonly #head: THREE.Mesh<THREE.ConeGeometry, THREE.MeshBasicMaterial>
  readonly #ends = new Float32Array(18 * MOST)
  readonly #force = new THREE.Vector3()
  readonly #foot = new THREE.Vector3()
  #size = 1

  constructor() {
    const material = new THREE.MeshBasicMaterial({ color: ARROW, depthTest: false, transparent: true })
    this.#shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.5, 0.5, 1, 12).translate(0, 0.5, 0), material)
    this.#head = new THREE.Mesh(new THREE.ConeGeometry(1.4, 3.2, 16).translate(0, 1.6, 0), material)
    this.#arrow.add(this.#shaft, this.#head)
    this.#outlines.geometry.setAttribute('position', new THREE.BufferAttribute(this.#ends, 3))
    for (const mark of [this.#outlines, this.#dots]) mark.frustumCulled = false
    this.#dots.renderOrder = 1
    for (const part of [this.#shaft, this.#head]) part.renderOrder = 2
    this.object.add(this.#outlines, this.#dots, this.#arrow)
    this.#arrow.visible = false
    this.#dots.count = 0
  }

  /** @param size diagonal of the body's box [m] */
  set size(size: number) {
    this.#size = size
  }

  /** @param triangles of the body's surface */
  show({ touched, vertices: { body, tool }, force }: Frame, triangles: Uint32Array): void {
    const count = Math.min(MOST, touched.triangles.length)
    const matrix = new THREE.Matrix4()
    const mean = new THREE.Vector3()
    for (let c = 0; c < count; c++) {
      for (let k = 0; k < 6; k++) {
        const corner = triangles[3 * touched.triangles[c] + (Math.trunc((k + 1) / 2) % 3)]
        this.#ends.set(body.subarray(3 * corner, 3 * corner + 3), 18 * c + 3 * k)
      }
      const [x, y, z] = tool.subarray(3 * touched.vertices[c], 3 * touched.vertices[c] + 3)
      matrix.makeScale(DOT_RADIUS * this.#size, DOT_RADIUS * this.#size, DOT_RADIUS * this.#size).setPosition(x, y, z)
      this.#dots.setMatrixAt(c, matrix)
      mean.x += x / count
      mean.y += y / count
      mean.z += z / count
    }
    this.#outlines.geometry.setDrawRange(0, 6 * count)
    this.#outlines.geometry.getAttribute('position').needsUpdate = true
    this.#dots.count = count
    this.#dots.instanceMatrix.needsUpdate = true
    this.#point(count > 0 ? mean : undefined, force)
  }

  dispose(): void {
    for (const { geometry, material } of [this.#outlines, this.#dots, this.#shaft, this.#head]) {
      geometry.dispose()
      material.dispose()
    }
    this.#dots.dispose()
  }

  #point(foot: THREE.Vector3 | undefined, force: Frame['force']): void {
    const wanted = foot ? new THREE.Vector3(...force) : new THREE.Vector3()
    if (foot) this.#foot.lerp(foot, this.#arrow.visible ? CALM : 1)
    this.#force.lerp(wanted, CALM)
    const newtons = this.#force.length()
    this.#arrow.visible = newtons > SHORTEST_FORCE
    if (!this.#arrow.visible) return
    const thick = THICKNESS * this.#size
    const length = Math.min(LONGEST, PER_NEWTON * newtons) * this.#size
    this.#arrow.position.copy(this.#foot)
    this.#arrow.quaternion.setFromUnitVectors(UP, this.#force.clone().divideScalar(newtons))
    this.#shaft.scale.set(thick, length, thick)
    this.#head.scale.setScalar(thick)
    this.#head.position.y = length
  }
}

const UP = new THREE.Vector3(0, 1, 0)
