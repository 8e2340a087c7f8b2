/**
 * Which poses are new: shapes are compared where rigid motion is taken out, by the root mean square over some of their nodes.
 * A body that has come to rest gives the same shape again and again, and would count for more than it should.
 */
import type { Floats, TetMesh } from 'pliant'
import { lumpedMasses, RigidAlignment } from 'pliant/unstable'

/** Nodes that shapes are compared by; spread evenly over the numbers. */
const PROBES = 200

export class DistinctPoses {
  private readonly alignment: RigidAlignment
  private readonly probes: Uint32Array
  private readonly shapes: Float64Array[] = []
  private readonly frame = new Float64Array(16)

  /** @param nearest shapes are the same if they differ by less than this [m] */
  constructor(
    mesh: TetMesh,
    private readonly nearest: number,
  ) {
    const nodes = mesh.positions.length / 3
    this.alignment = new RigidAlignment(mesh.positions, lumpedMasses(mesh, 1))
    const count = Math.min(PROBES, nodes)
    this.probes = Uint32Array.from({ length: count }, (_, k) => Math.floor(((k + 0.5) * nodes) / count))
  }

  /** Adds a pose unless one like it was added before. */
  add(positions: Floats): boolean {
    const shape = this.shapeOf(positions)
    const limit = this.nearest ** 2 * this.probes.length
    for (const other of this.shapes) if (isWithin(shape, other, limit)) return false
    this.shapes.push(shape)
    return true
  }

  private shapeOf(positions: Floats): Float64Array {
    const { frame: m, probes } = this
    this.alignment.align(positions, m)
    const shape = new Float64Array(3 * probes.length)
    for (let k = 0; k < probes.length; k++) {
      const i = 3 * probes[k]
      const [x, y, z] = [positions[i] - m[12], positions[i + 1] - m[13], positions[i + 2] - m[14]]
      // The frame carries rest to where the body is; its transpose leads back.
      for (let row = 0; row < 3; row++) {
        shape[3 * k + row] = m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z
      }
    }
    return shape
  }
}

function isWithin(a: Float64Array, b: Float64Array, limit: number): boolean {
  let sum = 0
  for (let i = 0; i < a.length; i++) {
    const difference = a[i] - b[i]
    sum += difference * difference
    if (sum >= limit) return false
  }
  return true
}
