/**
 * The sweeps of a cloth on SIMD WebAssembly (sweep-kernels.ts). The cloth's own arrays lie in the kernels' memory, so that
 * contacts, which are plain code, and sweeps take turns without copies.
 */
import type { AddressCheck } from '../../../math/wasm/address-check.js'
import { Arena } from '../../../math/wasm/arena.js'
import { LazyKernels } from '../../../math/wasm/lazy-kernels.js'
import type { Bend } from '../bend.js'
import type { ClothSweeps } from '../cloth-sweeps.js'
import { releaseAt, type Stretch } from '../stretch.js'
import { defineSweeps, EDGE, EDGE_WEIGHTS, HINGE, HINGE_WEIGHTS, type SweepKernels } from './sweep-kernels.js'

export const sweepKernels = new LazyKernels(defineSweeps)

/**
 * @param checkAddresses  for tests: asked before every load and store
 * @throws Error if SIMD cannot run here (`sweepKernels.obstacle`)
 */
export function createSimdSweeps(
  vertexCount: number,
  edges: Stretch,
  hinges: Bend,
  checkAddresses?: AddressCheck,
): ClothSweeps {
  const module = sweepKernels.module('cloth', checkAddresses !== undefined)
  return new SimdSweeps(module, vertexCount, edges, hinges, checkAddresses)
}

class SimdSweeps implements ClothSweeps {
  readonly positions: Float64Array
  readonly previous: Float64Array
  readonly velocities: Float64Array
  readonly accelerations: Float64Array
  readonly inverseMasses: Float64Array
  private readonly kernels: SweepKernels
  private readonly words: Int32Array
  private readonly doubles: Float64Array
  // Addresses of records.
  private readonly edgesAt: number
  private readonly edgesEnd: number
  private readonly edgeWeights: number
  private readonly hingesAt: number
  private readonly hingesEnd: number
  private readonly hingeWeights: number
  private readonly list: number

  constructor(
    module: WebAssembly.Module,
    vertexCount: number,
    private readonly edges: Stretch,
    private readonly hinges: Bend,
    checkAddresses?: AddressCheck,
  ) {
    const arena = new Arena(checkAddresses !== undefined)
    const doubles = (count: number): number => arena.reserve(2 * count)
    const vectors = Array.from({ length: 4 }, () => doubles(3 * vertexCount))
    const masses = doubles(vertexCount)
    this.edgesAt = arena.reserve((EDGE.size * edges.count) / 4)
    this.edgesEnd = this.edgesAt + EDGE.size * edges.count
    this.hingesAt = arena.reserve((HINGE.size * hinges.count) / 4)
    this.hingesEnd = this.hingesAt + HINGE.size * hinges.count
    this.edgeWeights = arena.reserve((EDGE_WEIGHTS.size * edges.count) / 4)
    this.hingeWeights = arena.reserve((HINGE_WEIGHTS.size * hinges.count) / 4)
    this.list = arena.reserve(2 * edges.count)
    const memory = arena.createMemory()
    const { buffer } = memory
    this.words = new Int32Array(buffer)
    this.doubles = new Float64Array(buffer)
    const [positions, previous, velocities, accelerations] = vectors.map(
      (address) => new Float64Array(buffer, address, 3 * vertexCount),
    )
    this.positions = positions
    this.previous = previous
    this.velocities = velocities
    this.accelerations = accelerations
    this.inverseMasses = new Float64Array(buffer, masses, vertexCount)
    this.writeRecords(new DataView(buffer))
    const imports = { env: { memory }, ...checkAddresses?.(module, arena.regions) }
    this.kernels = new WebAssembly.Instance(module, imports).exports as unknown as SweepKernels
  }

  weigh(): void {
    const { edges, hinges, inverseMasses, doubles } = this
    for (let k = 0; k < edges.ends.length; k++) {
      const record = this.edgeWeights + EDGE_WEIGHTS.size * (k >> 1)
      doubles[(record + EDGE_WEIGHTS.at.inverseMasses) / 8 + (k & 1)] = inverseMasses[edges.ends[k] / 3]
    }
    for (let k = 0; k < hinges.corners.length; k++) {
      const record = this.hingeWeights + HINGE_WEIGHTS.size * (k >> 2)
      doubles[(record + HINGE_WEIGHTS.at.inverseMasses) / 8 + (k & 3)] = inverseMasses[hinges.corners[k] / 3]
    }
  }

  prepare(dt: number): void {
    this.kernels.prepareStretch(this.edgesAt, this.edgesEnd, this.edgeWeights, dt)
    this.kernels.prepareBend(this.hingesAt, this.hingesEnd, this.hingeWeights, dt)
  }

  damp(share: number): void {
    const { kernels, positions, velocities } = this
    const [x, v] = [positions.byteOffset, velocities.byteOffset]
    kernels.dampStretch(this.edgesAt, this.edgesEnd, this.edgeWeights, x, v, share)
    kernels.dampBend(this.hingesAt, this.hingesEnd, this.hingeWeights, x, v, share)
  }

  drift(dt: number, kick: number, keep: number, limit: number): void {
    const { positions: x, previous, velocities, accelerations, inverseMasses } = this
    this.kernels.drift(
      x.byteOffset,
      x.byteOffset + x.byteLength,
      previous.byteOffset,
      velocities.byteOffset,
      accelerations.byteOffset,
      inverseMasses.byteOffset,
      dt,
      kick,
      keep,
      limit,
    )
  }

  bend(): void {
    this.kernels.bend(this.hingesAt, this.hingesEnd, this.positions.byteOffset)
  }

  solveStretch(strain: number, isSqueezed: Uint8Array, swept: Uint8Array, released: Uint8Array): void {
    const { kernels, words, edges, list } = this
    released.fill(0)
    const { limit, torn } = releaseAt(strain)
    const end = kernels.stretch(this.edgesAt, this.edgesEnd, this.positions.byteOffset, list, limit, torn)
    for (let at = list / 4; at < end / 4; at += 2) {
      const edge = (words[at] - this.edgesAt) / EDGE.size
      for (let k = 2 * edge; k < 2 * edge + 2; k++) {
        const vertex = edges.ends[k] / 3
        if (isSqueezed[vertex] === 1 || (words[at + 1] === 1 && swept[vertex] === 1)) released[vertex] = 1
      }
    }
  }

  finish(dt: number): void {
    const { positions: x, previous, velocities } = this
    this.kernels.finish(x.byteOffset, x.byteOffset + x.byteLength, previous.byteOffset, velocities.byteOffset, 1 / dt)
  }

  private writeRecords(view: DataView): void {
    const { edges, hinges } = this
    for (let k = 0; k < edges.count; k++) {
      EDGE.write(view, this.edgesAt + EDGE.size * k, {
        ends: [8 * edges.ends[2 * k], 8 * edges.ends[2 * k + 1]],
        length: edges.lengths[k],
      })
      EDGE_WEIGHTS.write(view, this.edgeWeights + EDGE_WEIGHTS.size * k, { compliance: edges.compliances[k] })
    }
    for (let k = 0; k < hinges.count; k++) {
      HINGE.write(view, this.hingesAt + HINGE.size * k, {
        corners: hinges.corners.subarray(4 * k, 4 * k + 4).map((corner) => 8 * corner),
        stencils: hinges.stencils.subarray(4 * k, 4 * k + 4),
        rest: hinges.rests[k],
      })
      HINGE_WEIGHTS.write(view, this.hingeWeights + HINGE_WEIGHTS.size * k, { compliance: hinges.compliances[k] })
    }
  }
}
