/**
 * Geometrically nonlinear elasticity of a code: St. Venant-Kirchhoff, whose force is a cubic polynomial of the code
 * (Barbic and James 2005). Green's strain of a tetrahedron is quadratic in the code, E = sum z_i E_i, where z are the r
 * entries of the code and their r (r + 1) / 2 products. So the energy is half a quadratic form, W = z^T B z / 2, with one
 * Gram matrix B summed over the tetrahedra beforehand: 65 x 65 for ten modes, where the polynomial's own coefficients
 * are 10^4 per order, and never negative.
 *
 * Because z(q') - z(q) = z'((q + q') / 2) (q' - q) exactly, the force z'^T(middle) B (z(q) + z(q')) / 2 does exactly the
 * work that the energy changes by (Simo and Tarnow 1992): a step with it keeps energy at any size.
 */
import { requireItems, requireNumbers } from '../../math/require.js'
import type { TetMesh } from '../../mesh/tet-mesh.js'
import { type FemMaterial, femMaterial, lameConstants } from '../fem/fem-material.js'
import { tetElements } from '../fem/tet-elements.js'
import type { ReducedElasticity, StiffnessKind } from './reduced-elasticity.js'

/** A symmetric tensor: xx, yy, zz, xy, yz, zx. */
const TENSOR = 6

/** Elastic energy of a code by Green's strain (St. Venant-Kirchhoff): bending by large angles costs what it should. */
export class StvkModes implements ReducedElasticity {
  readonly codeSize: number
  /** Length of z: the code and its products. */
  readonly #size: number
  readonly #gram: Float64Array
  readonly #z: Float64Array
  readonly #stress: Float64Array
  readonly #middle: Float64Array
  readonly #slopes: Float64Array
  readonly #products: Float64Array

  /**
   * @param mesh      the body at rest [m]
   * @param modes     displacement fields of all nodes [m per unit of code], one after the other
   * @param material  Young's modulus [Pa] and Poisson's ratio
   * @throws RangeError if the mesh cannot be simulated, or there are no whole modes
   */
  constructor(mesh: TetMesh, modes: Float64Array, material: FemMaterial = {}) {
    const count = modes.length / mesh.positions.length
    requireItems('stvk modes', modes, 'mode', Math.max(1, Math.ceil(count)), mesh.positions.length)
    this.codeSize = count
    this.#size = count + (count * (count + 1)) / 2
    this.#gram = gramOf(mesh, modes, count, this.#size, material)
    this.#z = new Float64Array(this.#size)
    this.#stress = new Float64Array(this.#size)
    this.#middle = new Float64Array(count)
    this.#slopes = new Float64Array(count * this.#size)
    this.#products = new Float64Array(this.#size)
  }

  energy(code: ArrayLike<number>): number {
    requireNumbers('stvk modes', code, 'code value', this.codeSize)
    this.#z.fill(0)
    this.#addFeatures(code, 1)
    this.#multiply(this.#z, this.#stress)
    let twice = 0
    for (let i = 0; i < this.#size; i++) twice += this.#z[i] * this.#stress[i]
    return twice / 2
  }

  /** Gradient of the energy by the code [J per unit of code]; the force is against it. */
  gradient(code: Float64Array, out = new Float64Array(this.codeSize)): Float64Array {
    this.meanForce(code, code, out)
    return out
  }

  meanForce(code: Float64Array, next: Float64Array, out: Float64Array): void {
    this.#z.fill(0)
    this.#addFeatures(code, 0.5)
    this.#addFeatures(next, 0.5)
    this.#multiply(this.#z, this.#stress)
    for (let k = 0; k < this.codeSize; k++) this.#middle[k] = (code[k] + next[k]) / 2
    const [stress, middle] = [this.#stress, this.#middle]
    for (let k = 0; k < this.codeSize; k++) out[k] = stress[k]
    for (let a = 0, i = this.codeSize; a < this.codeSize; a++) {
      for (let b = a; b < this.codeSize; b++, i++) {
        out[a] += stress[i] * middle[b]
        out[b] += stress[i] * middle[a]
      }
    }
  }

  stiffness(code: Float64Array, next: Float64Array, out: Float64Array, kind: StiffnessKind): void {
    const { codeSize: r } = this
    this.meanForce(code, next, out)
    const [slopes, products, stress] = [this.#slopes, this.#products, this.#stress]
    for (let k = 0; k < r; k++) this.#writeSlope(k, this.#middle, slopes, k * this.#size)
    for (let b = 0; b < r; b++) {
      // The force has the slopes of the middle, the stress changes by those of the end.
      this.#writeSlope(b, kind === 'exact' ? next : this.#middle, this.#z, 0)
      this.#multiply(this.#z, products)
      for (let a = 0; a < r; a++) {
        let sum = 0
        for (let i = 0; i < this.#size; i++) sum += slopes[a * this.#size + i] * products[i]
        out[a * r + b] = sum
      }
    }
    if (kind === 'positive') return
    for (let a = 0, i = r; a < r; a++) {
      for (let b = a; b < r; b++, i++) {
        out[a * r + b] += stress[i]
        out[b * r + a] += stress[i]
      }
    }
  }

  #addFeatures(q: ArrayLike<number>, weight: number): void {
    const z = this.#z
    for (let a = 0, i = this.codeSize; a < this.codeSize; a++) {
      z[a] += weight * q[a]
      for (let b = a; b < this.codeSize; b++) z[i++] += weight * q[a] * q[b]
    }
  }

  /** Derivative of z by one entry of the code, at a code. */
  #writeSlope(mode: number, code: Float64Array, out: Float64Array, at: number): void {
    out.fill(0, at, at + this.#size)
    out[at + mode] = 1
    for (let a = 0, i = at + this.codeSize; a < this.codeSize; a++) {
      for (let b = a; b < this.codeSize; b++, i++) {
        if (a === mode) out[i] += code[b]
        if (b === mode) out[i] += code[a]
      }
    }
  }

  #multiply(z: Float64Array, out: Float64Array): void {
    const gram = this.#gram
    for (let i = 0, at = 0; i < this.#size; i++) {
      let sum = 0
      for (let j = 0; j < this.#size; j++) sum += gram[at++] * z[j]
      out[i] = sum
    }
  }
}

/** B_ij = sum over tetrahedra of V (lambda tr E_i tr E_j + 2 mu E_i : E_j). */
function gramOf(mesh: TetMesh, modes: Float64Array, count: number, size: number, material: FemMaterial): Float64Array {
  const { young, poisson } = femMaterial(material)
  const { shear, lambda } = lameConstants(young, poisson)
  const { corners, volumes, gradients } = tetElements(mesh)
  const gram = new Float64Array(size * size)
  const strains = new Float64Array(TENSOR * size)
  const stresses = new Float64Array(TENSOR * size)
  const slopes = new Float64Array(9 * count)
  for (let tet = 0; tet < volumes.length; tet++) {
    writeGradients(corners, gradients, tet, modes, mesh.positions.length, slopes)
    writeStrains(slopes, count, strains)
    for (let i = 0; i < TENSOR * size; i += TENSOR) {
      const trace = lambda * (strains[i] + strains[i + 1] + strains[i + 2])
      for (let k = 0; k < 3; k++) {
        stresses[i + k] = volumes[tet] * (trace + 2 * shear * strains[i + k])
        // Off the diagonal twice, as each stands for two entries.
        stresses[i + 3 + k] = volumes[tet] * 4 * shear * strains[i + 3 + k]
      }
    }
    for (let i = 0; i < size; i++) {
      for (let j = 0; j <= i; j++) {
        let sum = 0
        for (let k = 0; k < TENSOR; k++) sum += stresses[TENSOR * i + k] * strains[TENSOR * j + k]
        gram[i * size + j] += sum
      }
    }
  }
  for (let i = 0; i < size; i++) for (let j = 0; j < i; j++) gram[j * size + i] = gram[i * size + j]
  return gram
}

/** Displacement gradient of each mode in one tetrahedron, 3 x 3 row by row: sum over corners of u b^T. */
function writeGradients(
  corners: Uint32Array,
  b: Float64Array,
  tet: number,
  modes: Float64Array,
  length: number,
  out: Float64Array,
): void {
  out.fill(0)
  for (let mode = 0; mode < out.length / 9; mode++) {
    const first = mode * length + 3 * corners[4 * tet]
    for (let corner = 1; corner < 4; corner++) {
      const node = mode * length + 3 * corners[4 * tet + corner]
      for (let i = 0; i < 3; i++) {
        const u = modes[node + i] - modes[first + i]
        for (let j = 0; j < 3; j++) out[9 * mode + 3 * i + j] += u * b[9 * tet + 3 * (corner - 1) + j]
      }
    }
  }
}

/** Strains that z weighs: (G + G^T) / 2 of each mode, then of each pair (G_a^T G_b + G_b^T G_a) / 2, half of that for a = b. */
function writeStrains(g: Float64Array, count: number, out: Float64Array): void {
  let at = 0
  for (let a = 0; a < 9 * count; a += 9, at += TENSOR) {
    for (let k = 0; k < 3; k++) {
      const next = (k + 1) % 3
      out[at + k] = g[a + 4 * k]
      out[at + 3 + k] = (g[a + 3 * k + next] + g[a + 3 * next + k]) / 2
    }
  }
  for (let a = 0; a < 9 * count; a += 9) {
    for (let b = a; b < 9 * count; b += 9, at += TENSOR) {
      const weight = a === b ? 0.25 : 0.5
      for (let k = 0; k < TENSOR; k++) {
        const [i, j] = k < 3 ? [k, k] : [k - 3, (k - 2) % 3]
        let sum = 0
        for (let row = 0; row < 9; row += 3) {
          sum += g[a + row + i] * g[b + row + j] + g[b + row + i] * g[a + row + j]
        }
        out[at + k] = weight * sum
      }
    }
  }
}
