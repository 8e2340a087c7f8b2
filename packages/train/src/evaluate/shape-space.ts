/**
 * How near shapes that were not learned from come back through their codes, vertex by vertex; beside principal components
 * of as many numbers, of the same features and of the vertices themselves, and features alone, which nothing can beat that
 * goes through them. Shapes are compared where features align them with the reference.
 */
import { AcapFeatures, AcapInverse, boxDiagonal, createShapeSpace, meshBox, type ShapeSpaceData } from 'pliant/unstable'
import { encodeShapes } from '../modes/acap-pool.js'
import { along, type Directions, principalDirections, together } from '../modes/principal.js'
import { meanOf, quantile } from './statistics.js'

/** Ways between vertices and where they were, over all of them; shares of the diagonal of the reference's box. */
export interface ReconstructionError {
  mean: number
  p95: number
  largest: number
}

export interface ShapeSpaceQuality {
  /** Of the learned space. */
  learned: ReconstructionError
  /** And with codes by its encoders alone. */
  encoded: ReconstructionError
  /** Of principal components of features and of vertices, with as many numbers as the code, or as there are. */
  featureComponents: ReconstructionError
  vertexComponents: ReconstructionError
  components: number
  /** Of features and back, without a code. */
  roundTrip: ReconstructionError
}

/** @param learnedFrom  shapes that principal components are made of: those that the space was learned from */
export async function evaluateShapeSpace(
  data: ShapeSpaceData,
  learnedFrom: readonly Float32Array[],
  heldOut: readonly Float32Array[],
  threads?: number,
): Promise<ShapeSpaceQuality> {
  const { reference, fitWeight } = data
  const space = await createShapeSpace(data)
  const acap = new AcapFeatures(reference)
  const inverse = new AcapInverse(reference, { fitWeight })
  const [features, others] = [
    await encodeShapes(reference, learnedFrom, { threads }),
    await encodeShapes(reference, heldOut, { threads }),
  ]
  const ofFeatures = new Components(features, space.codeSize)
  const ofVertices = new Components(aligned(acap, learnedFrom), space.codeSize)
  const truth = aligned(acap, heldOut)
  const diagonal = boxDiagonal(meshBox(reference))
  const out = new Float64Array(3 * space.vertexCount)
  const code = new Float64Array(space.codeSize)
  const measure = (make: (shape: number) => void): ReconstructionError => {
    const errors = new Float64Array(truth.length * space.vertexCount)
    truth.forEach((shape, s) => {
      make(s)
      for (let v = 0; v < space.vertexCount; v++) {
        const [x, y, z] = [0, 1, 2].map((k) => out[3 * v + k] - shape[3 * v + k])
        errors[s * space.vertexCount + v] = Math.hypot(x, y, z) / diagonal
      }
    })
    return { mean: meanOf(errors), p95: quantile(errors, 0.95), largest: quantile(errors, 1) }
  }
  return {
    learned: measure((s) => {
      space.encodeFeatures(others[s], code)
      space.positions(code, out)
    }),
    encoded: measure((s) => {
      space.encodeFeatures(others[s], code, 0)
      space.positions(code, out)
    }),
    featureComponents: measure((s) => inverse.positions(ofFeatures.nearest(others[s]), out)),
    vertexComponents: measure((s) => out.set(ofVertices.nearest(truth[s]))),
    components: ofFeatures.count,
    roundTrip: measure((s) => inverse.positions(others[s], out)),
  }
}

/** Principal components about the mean. */
class Components {
  private readonly mean: Float32Array
  private readonly directions: Directions

  constructor(rows: readonly Float32Array[], most: number) {
    const sum = new Float64Array(rows[0].length)
    for (const row of rows) for (let i = 0; i < sum.length; i++) sum[i] += row[i] / rows.length
    this.mean = Float32Array.from(sum)
    this.directions = principalDirections(
      rows.map((row) => this.less(row)),
      most,
    )
  }

  get count(): number {
    return this.directions.count
  }

  nearest(row: Float32Array): Float64Array {
    const out = together(this.directions, along(this.directions, this.less(row)))
    for (let i = 0; i < out.length; i++) out[i] += this.mean[i]
    return out
  }

  private less(row: Float32Array): Float32Array {
    return row.map((value, i) => value - this.mean[i])
  }
}

/** Shapes where features see them. */
function aligned(acap: AcapFeatures, shapes: readonly Float32Array[]): Float32Array[] {
  const features = new Float64Array(acap.size)
  const m = new Float64Array(16)
  return shapes.map((shape) => {
    acap.encode(shape, features, m)
    return shape.map((_, i) => {
      const [row, at] = [i % 3, i - (i % 3)]
      const [x, y, z] = [shape[at] - m[12], shape[at + 1] - m[13], shape[at + 2] - m[14]]
      return m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z
    })
  })
}
