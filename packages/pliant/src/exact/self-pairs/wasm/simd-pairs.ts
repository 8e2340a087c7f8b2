/**
 * Pairs of triangles that meet, by SIMD WebAssembly: a packed tree in single precision that no pair escapes
 * (`fit-kernels.ts`), searched by a plan (`search-kernel.ts`); what it finds is settled four at a time
 * (`settle-kernel.ts`), and by exact predicates where single precision cannot tell.
 */
import type { Floats } from '../../../math/floats.js'
import type { OnProgress } from '../../../math/progress.js'
import { requireItems } from '../../../math/require.js'
import type { AddressCheck } from '../../../math/wasm/address-check.js'
import { Arena } from '../../../math/wasm/arena.js'
import { LazyKernels } from '../../../math/wasm/lazy-kernels.js'
import type { TriangleMesh } from '../../../mesh/triangle-mesh.js'
import { trianglesMeet } from '../../triangle-triangle.js'
import { CHILDREN, type PackedTree, packTree } from '../packed-tree.js'
import { planPairs, shareVertex } from '../pair-plan.js'
import type { PairRule } from '../pair-rule.js'
import type { Meeting, PairSearch } from '../pair-search.js'
import { defineFitKernels, type FitKernels } from './fit-kernels.js'
import { type Addresses, reservePairs, writePairs } from './pair-memory.js'
import { CANDIDATE, MEETING, NODE, TASK, TRIANGLE } from './pair-records.js'
import { defineSearchKernel, type SearchKernel } from './search-kernel.js'
import { shareDone } from './search-share.js'
import { defineSettleKernel, OFF, type SettleKernel } from './settle-kernel.js'

type Kernels = FitKernels & SearchKernel & SettleKernel

export const pairKernels = new LazyKernels((module) => {
  defineFitKernels(module)
  defineSearchKernel(module)
  defineSettleKernel(module)
})

/** Pauses between two words of progress: a millisecond or so. */
const ROUNDS_TOLD = 8

/** Sizes, after scaling, with which products of three lengths neither overflow nor vanish. */
const SMALLEST = 2 ** -20
const LARGEST = 2 ** 20

export class SimdPairs implements PairSearch {
  private readonly tree: PackedTree
  /** Vertex numbers of each slot, three each, and the same by which triangles are told to share one. */
  private readonly vertices: Uint32Array
  private readonly shared: Uint32Array
  private readonly slotOfTriangle: Uint32Array
  private readonly kernels: Kernels
  private readonly at: Addresses
  private readonly entries: number
  /** The kernels' memory. */
  private readonly words: Uint32Array
  private readonly floats: Float32Array
  private readonly positions: Float64Array
  private readonly corners = new Float64Array(18)
  /** What positions are multiplied by: a power of two, so that the surface is about as large as 1. */
  private scale = 1
  /** How much a difference of two coordinates may be off. */
  private off = 0

  /**
   * @param sharedOf  of each vertex the number by which triangles are told to share it
   * @param checkAddresses  for tests: asked before every load and store
   * @throws Error if they cannot run here (`pairKernels.obstacle`)
   */
  constructor(
    mesh: TriangleMesh,
    private readonly rule?: PairRule,
    sharedOf?: ArrayLike<number>,
    checkAddresses?: AddressCheck,
  ) {
    const module = pairKernels.module('self-intersection', checkAddresses !== undefined)
    const tree = packTree(mesh)
    const vertices = new Uint32Array(mesh.triangles.length)
    this.slotOfTriangle = new Uint32Array(tree.triangleOfSlot.length)
    for (const [slot, triangle] of tree.triangleOfSlot.entries()) {
      this.slotOfTriangle[triangle] = slot
      for (let k = 0; k < 3; k++) vertices[3 * slot + k] = mesh.triangles[3 * triangle + k]
    }
    const shared = sharedOf ? vertices.map((v) => sharedOf[v]) : vertices
    const plan = planPairs({ tree, vertices, shared, positions: mesh.positions }, rule)
    const surface = { tree, plan, vertices, vertexCount: mesh.positions.length / 3 }
    const arena = new Arena(checkAddresses !== undefined)
    this.at = reservePairs(arena, surface)
    const memory = arena.createMemory()
    writePairs(surface, this.at, new DataView(memory.buffer))
    this.tree = tree
    this.vertices = vertices
    this.shared = shared
    this.entries = plan.nodeA.length
    this.words = new Uint32Array(memory.buffer)
    this.floats = new Float32Array(memory.buffer)
    this.positions = new Float64Array(memory.buffer, this.at.positions, mesh.positions.length)
    const imports = { env: { memory }, ...checkAddresses?.(module, arena.regions) }
    this.kernels = new WebAssembly.Instance(module, imports).exports as unknown as Kernels
    this.moveTo(mesh.positions)
  }

  moveTo(positions: Floats): void {
    requireItems('refit', positions, 'vertex', this.positions.length / 3, 3)
    this.positions.set(positions)
    this.fit()
    const size = this.largestPlace()
    if (size > SMALLEST && size < LARGEST) return
    // Much smaller or larger than it was: once more at another scale.
    this.scale = scaleOf(this.positions, this.vertices)
    this.fit()
  }

  search(meet: Meeting, onProgress?: OnProgress): void {
    const { at, words, kernels } = this
    const { triangleOfSlot } = this.tree
    const [entry, top, found] = (['entry', 'top', 'found'] as const).map((field) => (at.task + TASK.at[field]) / 4)
    words[entry] = at.entries
    words[top] = at.stack
    const share = onProgress && shareDone(this.tree, at, words, this.entries)
    for (let round = 1; ; round++) {
      words[found] = at.candidates
      kernels.search(at.task)
      const end = words[found]
      if (end === at.candidates) return
      this.fillLastFour(end)
      const last = kernels.settle(at.candidates, end, at.meetings, this.off)
      for (let o = at.meetings / 4; o < last / 4; o += MEETING.size / 4) {
        const [s, t] = [this.slotAt(words[o]), this.slotAt(words[o + 1])]
        // At a vertex of very many triangles the plan does not tell which of them share it.
        if (shareVertex(this.shared, 3 * s, 3 * t)) continue
        const isSure = words[o + 2] === 1
        if (!isSure && !this.slotsMeet(s, t)) continue
        const [a, b] = [triangleOfSlot[s], triangleOfSlot[t]]
        if (this.rule?.leavesAlone(a, b)) continue
        if (!meet(a, b)) return
      }
      if (share && round % ROUNDS_TOLD === 0) {
        onProgress({ fraction: share(words[entry], words[top]), stage: 'searching' })
      }
    }
  }

  writeCorners(triangle: number, out: Float64Array, at: number): void {
    this.writeSlot(this.slotOfTriangle[triangle], out, at)
  }

  private writeSlot(slot: number, out: Float64Array, at: number): void {
    const { vertices, positions } = this
    for (let k = 0; k < 3; k++) {
      const v = 3 * vertices[3 * slot + k]
      out[at + 3 * k] = positions[v]
      out[at + 3 * k + 1] = positions[v + 1]
      out[at + 3 * k + 2] = positions[v + 2]
    }
  }

  private slotAt(address: number): number {
    return (address - this.at.triangles) / TRIANGLE.size
  }

  private slotsMeet(s: number, t: number): boolean {
    const { corners } = this
    this.writeSlot(s, corners, 0)
    this.writeSlot(t, corners, 9)
    return boxesOverlap(corners) && trianglesMeet(corners, 0, corners, 9)
  }

  /** Moves places and boxes to where the positions are. */
  private fit(): void {
    const { at, kernels, positions, scale } = this
    const { levels } = this.tree
    // A place of the surface is the origin, so that it may be anywhere.
    const [x, y, z] = positions.subarray(3 * this.vertices[0], 3 * this.vertices[0] + 3)
    const end = at.positions + 8 * positions.length
    kernels.placeVertices(at.positions, end, at.places, scale, scale * x, scale * y, scale * z)
    kernels.fitLeaves(at.triangles, at.nodes, at.nodes + levels[0].count * NODE.size)
    this.emptyLastSlots()
    for (let level = 1; level < levels.length; level++) {
      const node = at.nodes + levels[level].first * NODE.size
      const child = at.nodes + levels[level - 1].first * NODE.size
      kernels.fitNodes(child, node, node + levels[level].count * NODE.size)
    }
    // Where doubles themselves overflow, or vanish in products, exact predicates have the word alone.
    this.off = isOrdinary(scale) ? OFF * this.largestPlace() : Infinity
  }

  /** Takes the boxes away of slots behind the last triangle. */
  private emptyLastSlots(): void {
    const { floats, at } = this
    const { triangleOfSlot, levels } = this.tree
    const leaf = at.nodes + (levels[0].count - 1) * NODE.size
    for (let slot = triangleOfSlot.length; slot < CHILDREN * levels[0].count; slot++) {
      for (let axis = 0; axis < 3; axis++) {
        const lane = CHILDREN * axis + (slot % CHILDREN)
        floats[(leaf + NODE.at.lower) / 4 + lane] = Infinity
        floats[(leaf + NODE.at.upper) / 4 + lane] = -Infinity
      }
    }
  }

  /** Magnitude of the largest coordinate of any place. */
  private largestPlace(): number {
    const root = this.at.nodes + this.tree.levels.at(-1)!.first * NODE.size
    let most = 0
    for (const own of [NODE.at.ownLower, NODE.at.ownUpper]) {
      for (let axis = 0; axis < 3; axis++) most = Math.max(most, Math.abs(this.floats[(root + own) / 4 + axis]))
    }
    return most
  }

  /** What is read behind the last candidate is that one again. */
  private fillLastFour(end: number): void {
    const { words } = this
    const from = (end - CANDIDATE.size) / 4
    for (let k = 1; k < 4; k++) words.copyWithin(from + (k * CANDIDATE.size) / 4, from, end / 4)
  }
}

/** The power of two that makes the largest way from the first corner to another about 1. */
function scaleOf(p: Float64Array, vertices: Uint32Array): number {
  const origin = 3 * vertices[0]
  let most = 0
  for (const v of vertices) {
    // Halves, as the whole of two large ones may be above all numbers.
    for (let axis = 0; axis < 3; axis++) most = Math.max(most, Math.abs(p[3 * v + axis] / 2 - p[origin + axis] / 2))
  }
  return most === 0 ? 1 : 2 ** -Math.min(1000, Math.max(-1000, Math.ceil(Math.log2(most))))
}

/** Whether products of three lengths of a surface, and what rounding leaves of them, are within the range of doubles. */
function isOrdinary(scale: number): boolean {
  return scale > 2 ** -250 && scale < 2 ** 250
}

/** Whether the boxes of two triangles overlap, whose corners follow each other. */
function boxesOverlap(c: Float64Array): boolean {
  for (let axis = 0; axis < 3; axis++) {
    const [x, y, z, u, v, w] = [c[axis], c[axis + 3], c[axis + 6], c[axis + 9], c[axis + 12], c[axis + 15]]
    if (Math.max(x, y, z) < Math.min(u, v, w) || Math.max(u, v, w) < Math.min(x, y, z)) return false
  }
  return true
}
