/** The body whose parts light up: amber where they come near others, red where they are in them, and what meets exactly. */
import * as THREE from 'three'
import { DeformingMesh } from '../../draw/deforming-mesh.js'
import type { PoseLook, PoseOpened } from './pose-protocol.js'

export const LIT_COLOURS = { plain: 0x8fa8b4, near: 0xf2a054, deep: 0xff3b1f, exact: 0xff2fd0 } as const

/** Rounds in which heat is averaged with its neighbours': parts end in a fringe of triangles. */
const ROUNDS = 4

export class LitBody {
  readonly #surface = new DeformingMesh(new THREE.MeshStandardMaterial({ vertexColors: true, roughness: 0.62 }))
  readonly #plain = new THREE.Color(LIT_COLOURS.plain)
  readonly #near = new THREE.Color(LIT_COLOURS.near)
  readonly #deep = new THREE.Color(LIT_COLOURS.deep)
  readonly #exact = new THREE.Color(LIT_COLOURS.exact)
  readonly #colour = new THREE.Color()
  #triangles: Uint32Array = new Uint32Array(0)
  #parts: Uint16Array = new Uint16Array(0)
  /** Of the look that is drawn. */
  #id: number | undefined

  get mesh(): THREE.Mesh {
    return this.#surface.mesh
  }

  open({ triangles, parts }: Pick<PoseOpened, 'triangles' | 'parts'>): void {
    this.#triangles = triangles
    this.#parts = parts.ofTriangle
    this.#id = undefined
    this.#surface.setTriangles(triangles)
  }

  show(positions: Float32Array, look: PoseLook): void {
    if (look.id === this.#id) return
    this.#id = look.id
    this.#surface.setPositions(positions)
    const { geometry } = this.mesh
    if (!geometry.hasAttribute('color')) {
      geometry.setAttribute('color', new THREE.BufferAttribute(new Float32Array(positions.length), 3))
    }
    this.#paint(geometry.getAttribute('color') as THREE.BufferAttribute, look)
  }

  dispose(): void {
    this.#surface.dispose()
  }

  #paint(colours: THREE.BufferAttribute, { heat, triangles: meeting }: PoseLook): void {
    const heats = vertexHeat(this.#triangles, this.#parts, heat, colours.count)
    for (let v = 0; v < colours.count; v++) {
      const share = heats[v]
      this.#colour.copy(this.#plain).lerp(this.#near, Math.min(1, share))
      if (share > 1) this.#colour.lerp(this.#deep, share - 1)
      colours.setXYZ(v, this.#colour.r, this.#colour.g, this.#colour.b)
    }
    for (const triangle of meeting) {
      for (let corner = 0; corner < 3; corner++) {
        colours.setXYZ(this.#triangles[3 * triangle + corner], this.#exact.r, this.#exact.g, this.#exact.b)
      }
    }
    colours.needsUpdate = true
  }
}

/** Heat of parts, handed to their vertices and smoothed along the surface. */
export function vertexHeat(
  triangles: Uint32Array,
  partOf: Uint16Array,
  heat: Float32Array,
  vertices: number,
): Float32Array {
  let values = new Float32Array(vertices)
  for (let t = 0; t < triangles.length; t++) {
    values[triangles[t]] = Math.max(values[triangles[t]], heat[partOf[Math.trunc(t / 3)]])
  }
  for (let round = 0; round < ROUNDS; round++) {
    const sums = new Float32Array(vertices)
    const counts = new Float32Array(vertices)
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]]
      const sum = values[a] + values[b] + values[c]
      for (const vertex of [a, b, c]) {
        sums[vertex] += sum
        counts[vertex] += 3
      }
    }
    values = sums.map((sum, v) => (counts[v] > 0 ? sum / counts[v] : 0))
  }
  return values
}
