/**
 * The system of a step in single precision on SIMD WebAssembly: forces in doubles, stiffness by the kernel of
 * stiffness-kernel.ts or copied from a law in plain code, conjugate gradients by the sweeps of math/sparse/wasm. Residuals are
 * kept in doubles by whoever solves, so single precision limits what an iteration gains and not where the solution ends.
 */
import { type BlockAddresses, planBlocks, writePattern } from '../../../math/sparse/wasm/block-layout.js'
import { type BlockSweeps, defineBlockSweeps } from '../../../math/sparse/wasm/block-sweeps.js'
import type { AddressCheck } from '../../../math/wasm/address-check.js'
import { Arena } from '../../../math/wasm/arena.js'
import { LazyKernels } from '../../../math/wasm/lazy-kernels.js'
import { type BlockMatrix, clearBlocks } from '../block-matrix.js'
import type { ElasticLaw } from '../elastic-law.js'
import { NeoHookean } from '../neo-hookean.js'
import type { StepSystem } from '../step-system.js'
import { gradientSpreads, type TetElements } from '../tet-elements.js'
import { defineStiffness, type StiffnessKernel, TET } from './stiffness-kernel.js'

export const femKernels = new LazyKernels((module) => {
  defineBlockSweeps(module)
  defineStiffness(module)
})

/**
 * @param checkAddresses  for tests: asked before every load and store
 * @throws Error if SIMD cannot run here (`femKernels.obstacle`)
 */
export function createSimdSystem(
  elements: TetElements,
  law: ElasticLaw,
  matrix: BlockMatrix,
  checkAddresses?: AddressCheck,
): StepSystem {
  const module = femKernels.module('fem', checkAddresses !== undefined)
  return new SimdSystem(module, elements, law, matrix, checkAddresses)
}

class SimdSystem implements StepSystem {
  private readonly kernels: BlockSweeps & StiffnessKernel
  private readonly at: BlockAddresses
  private readonly floats: Float32Array
  private readonly words: Int32Array
  /** Positions and forces where the kernel of tetrahedra has them. */
  private readonly x: Float64Array
  private readonly f: Float64Array
  private readonly records: number
  private readonly list: number

  constructor(
    module: WebAssembly.Module,
    private readonly elements: TetElements,
    private readonly law: ElasticLaw,
    private readonly matrix: BlockMatrix,
    checkAddresses?: AddressCheck,
  ) {
    const { nodeCount } = matrix
    const tets = elements.volumes.length
    const arena = new Arena(checkAddresses !== undefined)
    this.at = planBlocks(matrix, arena)
    const positions = arena.reserve(6 * nodeCount)
    const forces = arena.reserve(6 * nodeCount)
    this.records = arena.reserve((TET.size * tets) / 4)
    this.list = arena.reserve(tets)
    const memory = arena.createMemory()
    this.floats = new Float32Array(memory.buffer)
    this.words = new Int32Array(memory.buffer)
    this.x = new Float64Array(memory.buffer, positions, 3 * nodeCount)
    this.f = new Float64Array(memory.buffer, forces, 3 * nodeCount)
    writePattern(matrix, this.at, memory)
    this.writeRecords(new DataView(memory.buffer))
    const imports = { env: { memory }, ...checkAddresses?.(module, arena.regions) }
    const { exports } = new WebAssembly.Instance(module, imports)
    this.kernels = exports as unknown as BlockSweeps & StiffnessKernel
  }

  linearise(positions: Float64Array, forces: Float64Array, factor: number, inertia: number): void {
    const { law, matrix, floats, at, x, f } = this
    const { nodeCount, columns } = matrix
    if (!(law instanceof NeoHookean)) {
      clearBlocks(matrix)
      law.addForcesAndStiffness(positions, forces, matrix, inertia)
      this.copyMatrix(factor)
      return
    }
    floats.fill(0, at.blocks / 4, at.blocks / 4 + 12 * columns.length)
    floats.fill(0, at.diagonal / 4, at.diagonal / 4 + 12 * nodeCount)
    x.set(positions)
    f.set(forces)
    const end = this.records + TET.size * this.elements.volumes.length
    const { mu, lambda, alpha } = law
    const listed = this.kernels.addTets(
      this.records,
      end,
      x.byteOffset,
      f.byteOffset,
      this.list,
      mu,
      lambda,
      alpha,
      factor,
      inertia,
    )
    forces.set(f)
    law.decomposed = (listed - this.list) / 4
    for (let at = this.list / 4; at < listed / 4; at++) {
      const tet = (this.words[at] - this.records) / TET.size
      const { count, amounts, moves } = law.findLifts(positions, tet, inertia)
      for (let n = 0; n < count; n++) this.addRankOne(tet, moves, factor * amounts[n], 12 * n)
    }
  }

  complete(blocks: Float64Array, fixed: Uint8Array): void {
    const { floats, at } = this
    const inverseAt = (at.inverse - at.diagonal) / 4
    for (let node = 0, d = 0, to = at.diagonal / 4; node < fixed.length; node++, d += 6, to += 12) {
      const xx = floats[to] + blocks[d]
      const xy = floats[to + 1] + blocks[d + 1]
      const xz = floats[to + 2] + blocks[d + 2]
      const yy = floats[to + 5] + blocks[d + 3]
      const yz = floats[to + 6] + blocks[d + 4]
      const zz = floats[to + 10] + blocks[d + 5]
      writeRows(floats, to, xx, xy, xz, yy, yz, zz)
      const c0 = yy * zz - yz * yz
      const c1 = xz * yz - xy * zz
      const c2 = xy * yz - xz * yy
      const scale = fixed[node] === 1 ? 0 : 1 / (xx * c0 + xy * c1 + xz * c2)
      const c3 = xx * zz - xz * xz
      const c4 = xy * xz - xx * yz
      const c5 = xx * yy - xy * xy
      writeRows(floats, to + inverseAt, scale * c0, scale * c1, scale * c2, scale * c3, scale * c4, scale * c5)
    }
  }

  multiply(vector: Float64Array, out: Float64Array): void {
    const { floats, at, kernels } = this
    writeVector(vector, floats, at.way / 4)
    kernels.multiply(at.way, at.image)
    for (let i = 0, from = at.image / 4; i < out.length; i += 3, from += 4) {
      out[i] = floats[from]
      out[i + 1] = floats[from + 1]
      out[i + 2] = floats[from + 2]
    }
  }

  weigh(residual: Float64Array): number {
    writeVector(residual, this.floats, this.at.image / 4)
    return this.kernels.begin()
  }

  improve(residual: Float64Array, solution: Float64Array, enough: number, iterations: number): number {
    const { kernels, floats, at } = this
    let weight = this.weigh(residual)
    if (!(weight > enough)) return 0
    const first = at.solution / 4
    floats.fill(0, first, first + at.vectorBytes / 4)
    // Whatever the last solve left there, not finite perhaps, must not come back by a factor of zero.
    floats.fill(0, at.direction / 4, (at.direction + at.vectorBytes) / 4)
    let keep = 0
    let iteration = 0
    while (iteration < iterations && weight > enough) {
      iteration++
      kernels.backward(keep)
      const curvature = kernels.forward()
      if (!(curvature > 0)) break
      const before = weight
      weight = kernels.advance(weight / curvature)
      keep = weight / before
    }
    for (let i = 0, from = first; i < solution.length; i += 3, from += 4) {
      solution[i] += floats[from]
      solution[i + 1] += floats[from + 1]
      solution[i + 2] += floats[from + 2]
    }
    return iteration
  }

  private writeRecords(view: DataView): void {
    const { elements, matrix, at, records } = this
    const { volumes, turns, gradients } = elements
    const spreads = gradientSpreads(elements)
    for (let tet = 0; tet < volumes.length; tet++) {
      const corners = [...elements.corners.subarray(4 * tet, 4 * tet + 4)]
      const places = [...matrix.places.subarray(6 * tet, 6 * tet + 6)]
      const products: number[] = []
      for (let m = 0; m < 3; m++) {
        for (let n = m; n < 3; n++) {
          const [u, v] = [9 * tet + 3 * m, 9 * tet + 3 * n]
          products.push(
            gradients[u] * gradients[v] + gradients[u + 1] * gradients[v + 1] + gradients[u + 2] * gradients[v + 2],
          )
        }
      }
      TET.write(view, records + TET.size * tet, {
        corners: corners.map((node) => 24 * node),
        diagonals: corners.map((node) => at.diagonal + 48 * node),
        blocks: places.map((place) => at.blocks + (48 * place) / 9),
        volume: volumes[tet],
        turn: turns[tet] / (6 * volumes[tet]),
        reach: 1 / spreads[tet],
        root: Math.sqrt(volumes[tet]),
        products,
      })
    }
  }

  /** Takes over `factor` times the matrix in doubles. */
  private copyMatrix(factor: number): void {
    const { matrix, floats, at } = this
    const { values, diagonal } = matrix
    for (let from = 0, to = at.blocks / 4; from < values.length; from += 3, to += 4) {
      floats[to] = factor * values[from]
      floats[to + 1] = factor * values[from + 1]
      floats[to + 2] = factor * values[from + 2]
    }
    for (let d = 0, to = at.diagonal / 4; d < diagonal.length; d += 6, to += 12) {
      const xx = factor * diagonal[d]
      const xy = factor * diagonal[d + 1]
      const xz = factor * diagonal[d + 2]
      writeRows(floats, to, xx, xy, xz, factor * diagonal[d + 3], factor * diagonal[d + 4], factor * diagonal[d + 5])
    }
  }

  /** As `rank-one.ts`, on rows of four floats. */
  private addRankOne(tet: number, w: Float64Array, scale: number, from: number): void {
    const { words, floats, records } = this
    const record = (records + TET.size * tet) / 4
    let block = record + TET.at.blocks / 4
    for (let m = 0; m < 4; m++) {
      for (let n = m; n < 4; n++) {
        const address = m === n ? words[record + TET.at.diagonals / 4 + m] : words[block++]
        for (let row = 0; row < 3; row++) {
          const factor = scale * w[from + 3 * m + row]
          const to = address / 4 + 4 * row
          for (let axis = 0; axis < 3; axis++) floats[to + axis] += factor * w[from + 3 * n + axis]
        }
      }
    }
  }
}

function writeVector(vector: Float64Array, floats: Float32Array, first: number): void {
  for (let i = 0, to = first; i < vector.length; i += 3, to += 4) {
    floats[to] = vector[i]
    floats[to + 1] = vector[i + 1]
    floats[to + 2] = vector[i + 2]
  }
}

function writeRows(
  floats: Float32Array,
  to: number,
  xx: number,
  xy: number,
  xz: number,
  yy: number,
  yz: number,
  zz: number,
): void {
  floats[to] = xx
  floats[to + 1] = xy
  floats[to + 2] = xz
  floats[to + 4] = xy
  floats[to + 5] = yy
  floats[to + 6] = yz
  floats[to + 8] = xz
  floats[to + 9] = yz
  floats[to + 10] = zz
}
