/** Oriented boxes of the bodies' parts: panes that one sees through, and their edges, each box in a colour of its own. */
import * as THREE from 'three'
import { BOX_EDGES } from './box-edges.js'
import { BOX_SIZE, type KindBoxes } from './pile-protocol.js'

const PANE_OPACITY = 0.16
/** Share of the circle of hues from one box to the next: no two of some are alike. */
const NEXT_HUE = 0.382

/** What bodies of one kind are drawn by. */
interface DrawnBoxes {
  readonly count: number
  readonly panes: THREE.BufferGeometry
  readonly edges: THREE.BufferGeometry
}

export class PartBoxes {
  readonly object = new THREE.Group()
  readonly #panes = new THREE.MeshBasicMaterial({
    vertexColors: true,
    transparent: true,
    opacity: PANE_OPACITY,
    depthWrite: false,
    fog: false,
  })
  readonly #edges = new THREE.LineBasicMaterial({ vertexColors: true, fog: false })
  /** Of every body, its kind, and where its boxes are. */
  #kinds: readonly number[] = []
  #bodies: THREE.Group[] = []
  readonly #drawn = new Map<number, DrawnBoxes>()

  constructor() {
    this.object.visible = false
  }

  /** Boxes that are drawn, of all bodies together. */
  get drawn(): number {
    if (!this.object.visible) return 0
    return this.#kinds.reduce((sum, kind) => sum + (this.#drawn.get(kind)?.count ?? 0), 0)
  }

  /** Other bodies fall. @param kinds  of every body, which of the kinds it is */
  open(kinds: readonly number[]): void {
    this.#clear()
    this.#kinds = kinds
    this.#bodies = kinds.map(() => {
      const body = new THREE.Group()
      body.matrixAutoUpdate = false
      return body
    })
    this.object.add(...this.#bodies)
  }

  add({ kind, values }: KindBoxes): void {
    const drawn = drawnBoxes(values)
    this.#drawn.set(kind, drawn)
    this.#bodies.forEach((body, i) => {
      if (this.#kinds[i] !== kind) return
      body.add(new THREE.Mesh(drawn.panes, this.#panes), new THREE.LineSegments(drawn.edges, this.#edges))
    })
  }

  /** @param poses  of every body, its frame to the world, column-major 4x4 */
  show(isShown: boolean, poses: Float32Array): void {
    this.object.visible = isShown
    if (!isShown) return
    this.#bodies.forEach((body, i) => {
      body.matrix.fromArray(poses, 16 * i)
      body.matrixWorldNeedsUpdate = true
    })
  }

  dispose(): void {
    this.#clear()
    this.#panes.dispose()
    this.#edges.dispose()
  }

  #clear(): void {
    for (const { panes, edges } of this.#drawn.values()) {
      panes.dispose()
      edges.dispose()
    }
    this.#drawn.clear()
    this.object.clear()
    this.#bodies = []
  }
}

function drawnBoxes(values: Float32Array): DrawnBoxes {
  const count = values.length / BOX_SIZE
  const corners = new THREE.BoxGeometry(2, 2, 2).toNonIndexed().getAttribute('position').array
  return { count, panes: geometryOf(values, corners), edges: geometryOf(values, BOX_EDGES) }
}

/** @param corners  of what is drawn of each box, by signs */
function geometryOf(values: Float32Array, corners: ArrayLike<number>): THREE.BufferGeometry {
  const [positions, colours]: [number[], number[]] = [[], []]
  const [frame, half, corner, colour] = [
    new THREE.Matrix4(),
    new THREE.Vector3(),
    new THREE.Vector3(),
    new THREE.Color(),
  ]
  for (let at = 0; at < values.length; at += BOX_SIZE) {
    frame.fromArray(values, at)
    half.fromArray(values, at + 16)
    colour.setHSL(((at / BOX_SIZE) * NEXT_HUE) % 1, 0.75, 0.6)
    for (let k = 0; k < corners.length; k += 3) {
      corner
        .fromArray(corners as number[], k)
        .multiply(half)
        .applyMatrix4(frame)
      positions.push(...corner.toArray())
      colours.push(...colour.toArray())
    }
  }
  const geometry = new THREE.BufferGeometry()
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3))
  geometry.setAttribute('color', new THREE.Float32BufferAttribute(colours, 3))
  return geometry
}
