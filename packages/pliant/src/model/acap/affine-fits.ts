/**
 * The affine map of each vertex's surroundings: T = argmin sum c |e' - T e|^2 over its edges e in the
 * reference and e' in the shape at hand, and one pseudo-edge along its normal, 0.3 of its mean edge long in either mesh,
 * without which a flat ring would leave T open. All that belongs to the reference is worked out once: T = sum e' g^T with
 * g = c (sum c e e^T)^-1 e.
 */
import { writeNormals } from './normals.js'
import type { AcapReference } from './reference.js'

/** Length of the pseudo-edge, in mean edges of the ring; its weight is 1, as the released code scales real edges alone. */
const NORMAL_LENGTH = 0.3

/** Edges whose determinant is a smaller share of their size's cube span no space. */
const LEAST_VOLUME = 1e-12

export class AffineFits {
  readonly #reference: AcapReference
  /** g of each edge, six numbers: seen from its first vertex, then from its second. */
  readonly #edgeFactors: Float64Array
  /** g of each vertex's pseudo-edge, times 0.3. */
  readonly #normalFactors: Float64Array
  readonly #degrees: Float64Array
  readonly #normals: Float64Array
  readonly #lengths: Float64Array

  /** @throws RangeError naming a vertex all of whose triangles are degenerate, so that its edges span no space */
  constructor(reference: AcapReference) {
    const { vertexCount, positions, ring } = reference
    this.#reference = reference
    this.#degrees = new Float64Array(vertexCount)
    for (const v of ring.vertices) this.#degrees[v]++
    this.#normals = new Float64Array(3 * vertexCount)
    this.#lengths = new Float64Array(vertexCount)
    this.#measureRings(positions)
    const inverses = this.#inverseSquares()
    this.#edgeFactors = new Float64Array(6 * ring.weights.length)
    ring.weights.forEach((weight, edge) => {
      const [a, b] = [ring.vertices[2 * edge], ring.vertices[2 * edge + 1]]
      const way = [0, 1, 2].map((k) => weight * (positions[3 * b + k] - positions[3 * a + k]))
      multiplySymmetric(inverses, 6 * a, way, this.#edgeFactors, 6 * edge)
      // From b the edge runs the other way, and so does its image: the two signs cancel.
      multiplySymmetric(inverses, 6 * b, way, this.#edgeFactors, 6 * edge + 3)
    })
    this.#normalFactors = new Float64Array(3 * vertexCount)
    for (let v = 0; v < vertexCount; v++) {
      const normal = [0, 1, 2].map((k) => this.#normals[3 * v + k] * NORMAL_LENGTH * this.#lengths[v])
      multiplySymmetric(inverses, 6 * v, normal, this.#normalFactors, 3 * v)
      for (let k = 0; k < 3; k++) this.#normalFactors[3 * v + k] *= NORMAL_LENGTH
    }
  }

  /** @param out  receives T of each vertex, nine numbers, row by row */
  fit(positions: Float64Array, out: Float64Array): void {
    const { vertexCount, ring } = this.#reference
    this.#measureRings(positions)
    const [normals, lengths, normalFactors] = [this.#normals, this.#lengths, this.#normalFactors]
    for (let v = 0, at = 0; v < vertexCount; v++, at += 3) {
      const length = lengths[v]
      const x = length * normals[at]
      const y = length * normals[at + 1]
      const z = length * normals[at + 2]
      out.fill(0, 3 * at, 3 * at + 9)
      addProduct(x, y, z, normalFactors, at, out, 3 * at)
    }
    const factors = this.#edgeFactors
    const { vertices } = ring
    for (let edge = 0; edge < ring.weights.length; edge++) {
      const a = vertices[2 * edge]
      const b = vertices[2 * edge + 1]
      const x = positions[3 * b] - positions[3 * a]
      const y = positions[3 * b + 1] - positions[3 * a + 1]
      const z = positions[3 * b + 2] - positions[3 * a + 2]
      addProduct(x, y, z, factors, 6 * edge, out, 9 * a)
      addProduct(x, y, z, factors, 6 * edge + 3, out, 9 * b)
    }
  }

  /** Unit normals, zero where triangles have no area or cancel, and mean lengths of edges. */
  #measureRings(positions: Float64Array): void {
    const { ring } = this.#reference
    const lengths = this.#lengths
    lengths.fill(0)
    for (let at = 0; at < ring.vertices.length; at += 2) {
      const a = ring.vertices[at]
      const b = ring.vertices[at + 1]
      const x = positions[3 * b] - positions[3 * a]
      const y = positions[3 * b + 1] - positions[3 * a + 1]
      const z = positions[3 * b + 2] - positions[3 * a + 2]
      const length = Math.sqrt(x * x + y * y + z * z)
      lengths[a] += length
      lengths[b] += length
    }
    for (let v = 0; v < lengths.length; v++) lengths[v] /= this.#degrees[v]
    writeNormals(positions, this.#reference.triangles, this.#normals)
  }

  /** (sum c e e^T + n n^T)^-1 of each vertex in the reference: xx, xy, xz, yy, yz, zz. */
  #inverseSquares(): Float64Array {
    const { vertexCount, positions, ring } = this.#reference
    const sums = new Float64Array(6 * vertexCount)
    ring.weights.forEach((weight, edge) => {
      const [a, b] = [ring.vertices[2 * edge], ring.vertices[2 * edge + 1]]
      const [x, y, z] = [0, 1, 2].map((k) => positions[3 * b + k] - positions[3 * a + k])
      addSquare(x, y, z, weight, sums, 6 * a)
      addSquare(x, y, z, weight, sums, 6 * b)
    })
    for (let v = 0; v < vertexCount; v++) {
      const [x, y, z] = [0, 1, 2].map((k) => this.#normals[3 * v + k] * NORMAL_LENGTH * this.#lengths[v])
      addSquare(x, y, z, 1, sums, 6 * v)
      if (!invertSymmetric(sums, 6 * v)) {
        throw new RangeError(
          `acap: the triangles around vertex ${v} have no area or cancel each other; weld or remove them in the reference.`,
        )
      }
    }
    return sums
  }
}

/** out += (x, y, z) g^T, row by row. */
function addProduct(x: number, y: number, z: number, g: Float64Array, at: number, out: Float64Array, to: number): void {
  const gx = g[at]
  const gy = g[at + 1]
  const gz = g[at + 2]
  out[to] += x * gx
  out[to + 1] += x * gy
  out[to + 2] += x * gz
  out[to + 3] += y * gx
  out[to + 4] += y * gy
  out[to + 5] += y * gz
  out[to + 6] += z * gx
  out[to + 7] += z * gy
  out[to + 8] += z * gz
}

function addSquare(x: number, y: number, z: number, weight: number, out: Float64Array, at: number): void {
  out[at] += weight * x * x
  out[at + 1] += weight * x * y
  out[at + 2] += weight * x * z
  out[at + 3] += weight * y * y
  out[at + 4] += weight * y * z
  out[at + 5] += weight * z * z
}

/** In place. @returns false if it is as good as singular */
function invertSymmetric(m: Float64Array, at: number): boolean {
  const [xx, xy, xz, yy, yz, zz] = m.subarray(at, at + 6)
  const cofactors = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy]
  const determinant = xx * cofactors[0] + xy * cofactors[1] + xz * cofactors[2]
  if (!(determinant > LEAST_VOLUME * ((xx + yy + zz) / 3) ** 3)) return false
  const rest = [xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy]
  for (let k = 0; k < 6; k++) m[at + k] = (k < 3 ? cofactors[k] : rest[k - 3]) / determinant
  return true
}

function multiplySymmetric(m: Float64Array, at: number, v: number[], out: Float64Array, to: number): void {
  const [xx, xy, xz, yy, yz, zz] = m.subarray(at, at + 6)
  const [x, y, z] = v
  out[to] = xx * x + xy * y + xz * z
  out[to + 1] = xy * x + yy * y + yz * z
  out[to + 2] = xz * x + yz * y + zz * z
}
