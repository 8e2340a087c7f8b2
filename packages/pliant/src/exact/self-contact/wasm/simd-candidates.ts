/** The search for candidates at four codes at once, on SIMD WebAssembly (`candidate-kernels.ts`). */
import type { AddressCheck } from '../../../math/wasm/address-check.js'
import { Arena } from '../../../math/wasm/arena.js'
import { LazyKernels } from '../../../math/wasm/lazy-kernels.js'
import type { CandidatePlan } from '../candidate-plan.js'
import { type CandidateSearch, mostFound, PAUSE } from '../candidate-search.js'
import {
  ASIDE,
  type CandidateKernels,
  defineCandidateKernels,
  ENTRY,
  FOUND,
  NODE,
  TASK,
  VERTEX_BYTES,
} from './candidate-kernels.js'

const LANES = 4

export const candidateKernels = new LazyKernels(defineCandidateKernels)

export class SimdCandidates implements CandidateSearch {
  readonly lanes = LANES
  readonly found: Int32Array
  private readonly kernels: CandidateKernels
  private readonly words: Int32Array
  /** A vector for each mode. */
  private readonly codes: Float32Array
  private readonly at: Addresses

  /**
   * @param checkAddresses  for tests: asked before every load and store
   * @throws Error if they cannot run here (`candidateKernels.obstacle`)
   */
  constructor(
    private readonly plan: CandidatePlan,
    checkAddresses?: AddressCheck,
  ) {
    const module = candidateKernels.module('self-contact', checkAddresses !== undefined)
    const { codeSize, table, nodes, pairs } = plan
    const arena = new Arena(checkAddresses !== undefined)
    const vertices = table.length / (3 * (codeSize + 1))
    this.at = {
      task: arena.reserve(TASK.size / 4),
      codes: arena.reserve(LANES * codeSize),
      table: arena.place(table),
      positions: arena.reserve((vertices * VERTEX_BYTES) / 4),
      nodes: arena.reserve((nodes.right.length * NODE.size) / 4),
      aside: arena.reserve((nodes.right.length * ASIDE.size) / 4),
      entries: arena.reserve((pairs.nodeA.length * ENTRY.size) / 4),
      // As many pairs as a path can leave behind: see ScalarCandidates.
      stack: arena.reserve(2 * (2 * nodes.depth + 2)),
      found: arena.reserve((mostFound(plan) * FOUND.size) / 4),
    }
    const memory = arena.createMemory()
    this.words = new Int32Array(memory.buffer)
    this.codes = new Float32Array(memory.buffer, this.at.codes, LANES * codeSize)
    this.found = new Int32Array(memory.buffer, this.at.found, (mostFound(plan) * FOUND.size) / 4)
    writePlan(plan, this.at, new DataView(memory.buffer))
    const imports = { env: { memory }, ...checkAddresses?.(module, arena.regions) }
    this.kernels = new WebAssembly.Instance(module, imports).exports as unknown as CandidateKernels
  }

  begin(codes: Float64Array): void {
    const { at, kernels } = this
    const { codeSize, codeSizes, table, nodes, slabSlack } = this.plan
    for (let lane = 0; lane < LANES; lane++) {
      for (let k = 0; k < codeSize; k++) this.codes[LANES * k + lane] = codes[lane * codeSize + k] / codeSizes[k]
    }
    kernels.moveVertices(at.table, at.table + 4 * table.length, at.codes, at.codes + 16 * codeSize, at.positions)
    kernels.fitNodes(at.nodes + (nodes.right.length - 1) * NODE.size, at.nodes, at.aside - at.nodes, slabSlack)
    this.words[(at.task + TASK.at.entry) / 4] = at.entries
  }

  next(alive: number): number {
    const { words, at } = this
    const task = at.task / 4
    for (let lane = 0; lane < LANES; lane++) words[task + TASK.at.alive / 4 + lane] = alive & (1 << lane) ? -1 : 0
    words[task + TASK.at.found / 4] = at.found
    this.kernels.search(at.task)
    return (words[task + TASK.at.found / 4] - at.found) / FOUND.size
  }
}

/** Where everything is [bytes]. */
interface Addresses {
  task: number
  codes: number
  table: number
  positions: number
  nodes: number
  aside: number
  entries: number
  stack: number
  found: number
}

function writePlan({ triangles, nodes, pairs, gapSlack }: CandidatePlan, at: Addresses, view: DataView): void {
  const { right, size, triangle } = nodes
  const nodeAt = (node: number): number => at.nodes + node * NODE.size
  for (let node = 0; node < right.length; node++) {
    const own = 3 * triangle[node]
    NODE.write(view, nodeAt(node), {
      right: right[node] === 0 ? 0 : nodeAt(right[node]),
      size: size[node],
      triangle: triangle[node],
      corners: own < 0 ? [] : [0, 1, 2].map((k) => at.positions + triangles[own + k] * VERTEX_BYTES),
    })
  }
  const { nodeA, nodeB, next, isLast } = pairs
  for (let entry = 0; entry < nodeA.length; entry++) {
    ENTRY.write(view, at.entries + entry * ENTRY.size, {
      a: nodeAt(nodeA[entry]),
      b: nodeAt(nodeB[entry]),
      next: at.entries + next[entry] * ENTRY.size,
      isLast: isLast[entry],
    })
  }
  TASK.write(view, at.task, {
    gapSlack: [gapSlack, gapSlack, gapSlack, gapSlack],
    entry: at.entries,
    end: at.entries + nodeA.length * ENTRY.size,
    pause: at.found + PAUSE * FOUND.size,
    stack: at.stack,
    aside: at.aside - at.nodes,
  })
}
