/** A line from every pulled vertex to where it is pulled, with a knob at either end; seen through the body. */
import * as THREE from 'three'

const COLOUR = 0xffd83d
/** Pulls that are drawn at most. */
const MOST = 8
/** Radii of the knob on the body, of the one where it is pulled to, and of the line, in sizes of the body. */
const HELD = 0.011
const TARGET = 0.007
const LINE = 0.003

const UP = new THREE.Vector3(0, 1, 0)

export class PullLines {
  readonly object = new THREE.Group()
  // A plain line is one pixel wide wherever it is, which is lost on a screen with small ones.
  readonly #lines = seenThrough(new THREE.CylinderGeometry(1, 1, 1, 8, 1), MOST)
  readonly #knobs = seenThrough(new THREE.SphereGeometry(1, 14, 10), 2 * MOST)
  #size = 1

  constructor() {
    this.object.add(this.#lines, this.#knobs)
    this.show(new Float32Array(0))
  }

  /** Of the body [m]. */
  set size(size: number) {
    this.#size = size
  }

  /** @param pulls  six numbers each: the vertex, then where it is pulled to [m] */
  show(pulls: Float32Array): void {
    const count = Math.min(pulls.length / 6, MOST)
    const [from, to, way, scale] = [1, 2, 3, 4].map(() => new THREE.Vector3())
    const [turn, matrix] = [new THREE.Quaternion(), new THREE.Matrix4()]
    for (let n = 0; n < count; n++) {
      from.fromArray(pulls, 6 * n)
      to.fromArray(pulls, 6 * n + 3)
      way.subVectors(to, from)
      const length = way.length()
      turn.setFromUnitVectors(UP, way.divideScalar(length || 1))
      scale.set(LINE * this.#size, length, LINE * this.#size)
      this.#lines.setMatrixAt(n, matrix.compose(from.clone().lerp(to, 0.5), turn, scale))
      for (const [end, place, radius] of [
        [0, from, HELD],
        [1, to, TARGET],
      ] as const) {
        scale.setScalar(radius * this.#size)
        this.#knobs.setMatrixAt(2 * n + end, matrix.compose(place, turn, scale))
      }
    }
    this.#lines.count = count
    this.#knobs.count = 2 * count
    for (const part of [this.#lines, this.#knobs]) part.instanceMatrix.needsUpdate = true
  }

  dispose(): void {
    for (const part of [this.#lines, this.#knobs]) {
      part.geometry.dispose()
      part.material.dispose()
      part.dispose()
    }
  }
}

function seenThrough<Shape extends THREE.BufferGeometry>(
  shape: Shape,
  most: number,
): THREE.InstancedMesh<Shape, THREE.MeshBasicMaterial> {
  const material = new THREE.MeshBasicMaterial({ color: COLOUR, depthTest: false, fog: false })
  const mesh = new THREE.InstancedMesh(shape, material, most)
  mesh.frustumCulled = false
  mesh.renderOrder = 1
  return mesh
}
