/** The nearest triangles of points on SIMD WebAssembly (`find-nearest.ts`). */
import type { Floats } from '../../math/floats.js'
import type { AddressCheck } from '../../math/wasm/address-check.js'
import { Arena } from '../../math/wasm/arena.js'
import { LazyKernels } from '../../math/wasm/lazy-kernels.js'
import type { TriangleMesh } from '../../mesh/triangle-mesh.js'
import type { Patches } from '../patches.js'
import { defineNearestKernels, type NearestKernels } from './find-nearest.js'
import { CHUNK, NearestLayout, QUERY } from './nearest-layout.js'

export const nearestKernels = new LazyKernels(defineNearestKernels)

/** Extents of surfaces for which single precision has room, squares of distances included [m]. */
const MOST_EXTENT = 1e9
const LEAST_EXTENT = 1e-9

const DOUBLES = QUERY.size / 8
const WORDS = QUERY.size / 4

export class SimdNearest {
  /** Vertices as of the last `follow` [m]. */
  readonly positions: Float64Array
  private readonly queries: Float64Array
  private readonly words: Uint32Array
  private readonly at: number
  private readonly kernels: NearestKernels

  /**
   * @param checkAddresses  for tests: asked before every load and store
   * @throws Error if they cannot run here (`nearestKernels.obstacle`)
   */
  constructor({ positions, triangles }: TriangleMesh, patches: Patches, checkAddresses?: AddressCheck) {
    const module = nearestKernels.module('nearest triangles', checkAddresses !== undefined)
    const arena = new Arena(checkAddresses !== undefined)
    const layout = new NearestLayout(patches, triangles, positions.length / 3, arena)
    const memory = arena.createMemory()
    layout.write(memory)
    this.at = layout.queries
    this.positions = new Float64Array(memory.buffer, layout.positions, positions.length)
    this.queries = new Float64Array(memory.buffer, layout.queries, CHUNK * DOUBLES)
    this.words = new Uint32Array(memory.buffer, layout.queries, CHUNK * WORDS)
    const imports = { env: { memory }, ...checkAddresses?.(module, arena.regions) }
    this.kernels = new WebAssembly.Instance(module, imports).exports as unknown as NearestKernels
  }

  /** @returns whether points can be asked about: not if a vertex is not finite, or all lie in one point */
  follow(positions: Floats): boolean {
    this.positions.set(positions)
    const extent = this.kernels.follow()
    return extent > LEAST_EXTENT && extent < MOST_EXTENT
  }

  /** A question, `slot` being below `CHUNK`. @param triangle  to be tried first, or any other number */
  put(slot: number, px: number, py: number, pz: number, reach: number, triangle: number): void {
    const { queries } = this
    const o = DOUBLES * slot
    queries[o] = px
    queries[o + 1] = py
    queries[o + 2] = pz
    queries[o + 3] = reach
    this.words[WORDS * slot + QUERY.at.triangle / 4] = triangle
  }

  /** Answers the questions in the first so many slots. */
  find(count: number): void {
    this.kernels.find(this.at, this.at + count * QUERY.size)
  }

  /** Number of the nearest triangle, or `UNTOLD`. */
  triangle(slot: number): number {
    return this.words[WORDS * slot + QUERY.at.triangle / 4]
  }

  squared(slot: number): number {
    return this.queries[DOUBLES * slot + QUERY.at.squared / 8]
  }
}
