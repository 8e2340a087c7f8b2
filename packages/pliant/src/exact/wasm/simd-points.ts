/** Nearest triangles and winding numbers of points, on SIMD WebAssembly. */
import type { Floats } from '../../math/floats.js'
import { requireCount, requireFinite } from '../../math/require.js'
import type { AddressCheck } from '../../math/wasm/address-check.js'
import { Arena } from '../../math/wasm/arena.js'
import { LazyKernels } from '../../math/wasm/lazy-kernels.js'
import { crossing } from '../crossing-number.js'
import { ASKED, BLOCK, type PointSearch } from '../point-search.js'
import { CLOSEST_SIZE, closestOnTriangle } from '../point-triangle.js'
import { ScalarPoints } from '../scalar-points.js'
import { MAX_TREE_DEPTH, searchSlack, type TriangleTree } from '../triangle-tree.js'
import { WIDTH, type WideTree, wideTree } from '../wide-tree.js'
import { defineCrossingKernel } from './crossing-kernel.js'
import { defineFitKernels } from './fit-kernels.js'
import { ASK_TWIN, BOX_SLACK, defineNearestKernel, WAITING_BYTES } from './nearest-kernel.js'
import { CORNER_BYTES, LEAF, NODE, NOWHERE, TASK, TRIANGLE_BYTES } from './point-records.js'

/** Diagonals [m] of bodies whose squares single precision holds; others are left to the twin. */
const SMALLEST = 1e-12
const LARGEST = 1e12

/** A volume whose height over the diagonal's square is less may be rounding, many times over: the twin adds it up. */
const flatHeight = (box: Float64Array): number => 100 * searchSlack(box, 1e-8)

/** What `defineFitKernels` and its siblings export. */
interface Kernels {
  measure(task: number): void
  fit(task: number): void
  nearest(task: number): void
  wind(task: number): void
}

export const pointKernels = new LazyKernels((module) => {
  defineFitKernels(module)
  defineNearestKernel(module)
  defineCrossingKernel(module)
})

export class SimdPoints implements PointSearch {
  readonly points: Float64Array
  readonly slots: Int32Array
  readonly windings: Int32Array
  diagonal = 0
  facesOutward = true
  private readonly kernels: Kernels
  private readonly task: number
  private readonly doubles: Float64Array
  private readonly words: Uint32Array
  private readonly positions: Float64Array
  private readonly vertexCount: number
  /** Vertices that triangles use, where there are others: only those are placed. */
  private readonly used: Uint32Array | undefined
  private readonly twin: ScalarPoints
  private isForTwin = false
  private areBoxesOld = false

  /**
   * @param tree            its corners are moved into the memory of the kernels
   * @param positions       of all vertices, where the tree is
   * @param checkAddresses  for tests: asked before every load and store
   * @throws Error if they cannot run here (`pointKernels.obstacle`), RangeError if there is no memory
   */
  constructor(
    private readonly tree: TriangleTree,
    positions: Floats,
    checkAddresses?: AddressCheck,
  ) {
    const wide = wideTree(tree)
    const leaves = wide.end.filter((end) => end > 0).length
    const faces = tree.triangleOfSlot.length
    const { used, places } = placesOf(tree.vertices, positions.length / 3)
    this.vertexCount = positions.length / 3
    this.used = used
    const placed = used?.length ?? this.vertexCount
    const arena = new Arena(checkAddresses !== undefined)
    const at = {
      // Kernels take two positions at a time: the last one twice, if they are odd.
      positions: arena.reserve(6 * (placed + (placed % 2))),
      sources: arena.reserve(3 * faces),
      corners: arena.reserve((TRIANGLE_BYTES / 4) * faces),
      leaves: arena.reserve((LEAF.size / 4) * leaves),
      nodes: arena.reserve((NODE.size / 4) * wide.nodeCount),
      parents: arena.reserve(wide.nodeCount),
      points: arena.reserve(6 * BLOCK),
      slots: arena.reserve(BLOCK),
      windings: arena.reserve(BLOCK),
      // A step down leaves all children but one behind; the last writes all of them before it looks.
      stack: arena.reserve((WAITING_BYTES / 4) * ((WIDTH - 1) * MAX_TREE_DEPTH + 2 * WIDTH)),
    }
    this.task = arena.reserve(TASK.size / 4)
    const memory = arena.createMemory()
    const { buffer } = memory
    this.doubles = new Float64Array(buffer)
    this.words = new Uint32Array(buffer)
    this.positions = new Float64Array(buffer, at.positions, 3 * (placed + (placed % 2)))
    this.points = new Float64Array(buffer, at.points, 3 * BLOCK)
    this.slots = new Int32Array(buffer, at.slots, BLOCK)
    this.windings = new Int32Array(buffer, at.windings, BLOCK)
    const corners = new Float64Array(buffer, at.corners, 9 * faces)
    const view = new DataView(buffer)
    tree.vertices.forEach((vertex, i) => {
      this.words[at.sources / 4 + i] = at.positions + CORNER_BYTES * places[vertex]
    })
    writeNodes(wide, at, view)
    TASK.write(view, this.task, {
      ...at,
      positionsEnd: at.positions + CORNER_BYTES * placed,
      leavesEnd: at.leaves + LEAF.size * leaves,
      lastNode: at.nodes + NODE.size * (wide.nodeCount - 1),
    })
    this.twin = new ScalarPoints(tree)
    const module = pointKernels.module('exact field', checkAddresses !== undefined)
    const imports = {
      env: { memory },
      host: exactArithmetic(corners, at.corners),
      ...checkAddresses?.(module, arena.regions),
    }
    this.kernels = new WebAssembly.Instance(module, imports).exports as unknown as Kernels
    // Not before: who catches what is thrown above goes on with the tree as it was.
    tree.corners = corners
    this.refit(positions)
  }

  refit(positions: Floats): void {
    const { kernels, task, doubles, used } = this
    requireCount('refit', positions, 'vertex', this.vertexCount, 3)
    // What is not placed, no kernel sees.
    if (used) requireFinite('refit', positions, 'vertex', 3)
    this.place(positions)
    kernels.measure(task)
    if (doubles[(task + TASK.at.finite) / 8] !== 0) requireFinite('refit', positions, 'vertex', 3)
    const [measured, lower, origin] = [TASK.at.measured, TASK.at.lower, TASK.at.origin].map((at) => (task + at) / 8)
    doubles.copyWithin(lower, measured, measured + 6)
    for (let axis = 0; axis < 3; axis++) {
      doubles[origin + axis] = doubles[lower + axis] / 2 + doubles[lower + axis + 3] / 2
    }
    kernels.fit(task)
    this.areBoxesOld = true
    const box = doubles.subarray(lower, lower + 6)
    this.diagonal = Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2])
    this.isForTwin = !(this.diagonal > SMALLEST && this.diagonal < LARGEST)
    doubles[(task + TASK.at.slack) / 8] = searchSlack(box, BOX_SLACK)
    const volume = doubles[(task + TASK.at.volume) / 8]
    const isSure = Math.abs(volume) > flatHeight(box) * this.diagonal ** 2
    this.facesOutward = isSure ? volume > 0 : !(this.fittedTree().volume() < 0)
  }

  nearest(count: number, limitSquared: number): void {
    const { points, slots, twin } = this
    if (this.isForTwin) slots.fill(ASK_TWIN, 0, count)
    else {
      this.doubles[(this.task + TASK.at.limit) / 8] = limitSquared
      this.askOf(count)
      this.kernels.nearest(this.task)
    }
    for (let i = 0; i < count; i++) {
      if (slots[i] !== ASK_TWIN) continue
      this.fittedTree()
      slots[i] = twin.slotOf(points[3 * i], points[3 * i + 1], points[3 * i + 2], limitSquared)
    }
  }

  wind(count: number): void {
    const { points, windings, twin } = this
    if (!this.isForTwin) {
      this.askOf(count)
      this.kernels.wind(this.task)
      return
    }
    this.fittedTree()
    for (let i = 0; i < count; i++) {
      if (windings[i] === ASKED) windings[i] = twin.windingOf(points[3 * i], points[3 * i + 1], points[3 * i + 2])
    }
  }

  fittedTree(): TriangleTree {
    if (this.areBoxesOld) this.tree.fitBoxes()
    this.areBoxesOld = false
    return this.tree
  }

  private askOf(count: number): void {
    this.words[(this.task + TASK.at.pointsEnd) / 4] = this.points.byteOffset + CORNER_BYTES * count
  }

  private place(positions: Floats): void {
    const { positions: out, used } = this
    if (!used) out.set(positions)
    else {
      for (let i = 0; i < used.length; i++) {
        out[3 * i] = positions[3 * used[i]]
        out[3 * i + 1] = positions[3 * used[i] + 1]
        out[3 * i + 2] = positions[3 * used[i] + 2]
      }
    }
    const placed = used?.length ?? this.vertexCount
    if (placed % 2 === 1) out.copyWithin(3 * placed, 3 * placed - 3, 3 * placed)
  }
}

/** Where each vertex is placed: all in their order, or only those that triangles use, where there are others. */
function placesOf(vertices: Uint32Array, vertexCount: number): { used: Uint32Array | undefined; places: Uint32Array } {
  const places = new Uint32Array(vertexCount)
  for (const vertex of vertices) places[vertex] = 1
  const used = Uint32Array.from(places.keys()).filter((vertex) => places[vertex] === 1)
  for (const [place, vertex] of used.entries()) places[vertex] = place
  return { used: used.length < vertexCount ? used : undefined, places }
}

/** Where parts of the memory are [bytes]. */
interface Addresses {
  corners: number
  leaves: number
  nodes: number
  parents: number
}

/** All of nodes and leaves but their boxes. */
function writeNodes({ nodeCount, child, end }: WideTree, at: Addresses, view: DataView): void {
  const cornersOf = (slot: number): number => at.corners + TRIANGLE_BYTES * slot
  const leaves: { first: number; lane: number; end: number }[] = []
  for (let node = 0; node < nodeCount; node++) {
    const address = at.nodes + NODE.size * node
    const nowhere = Array<number>(3 * WIDTH).fill(NOWHERE)
    NODE.write(view, address, { lower: nowhere, upper: nowhere.map((value) => -value) })
    for (let lane = 0; lane < WIDTH; lane++) {
      const [first, behind] = [child[WIDTH * node + lane], end[WIDTH * node + lane]]
      const atLane = address + 4 * lane
      const atChild = address + NODE.at.children + 8 * lane
      if (behind > 0) {
        leaves.push({ first, lane: atLane, end: cornersOf(behind) })
        view.setUint32(atChild, cornersOf(first), true)
        view.setUint32(atChild + 4, cornersOf(behind), true)
      } else if (first > 0) {
        view.setUint32(atChild, at.nodes + NODE.size * first, true)
        view.setUint32(at.parents + 4 * first, atLane, true)
      }
    }
  }
  leaves.sort((a, b) => a.first - b.first)
  for (const [i, { lane, end }] of leaves.entries()) LEAF.write(view, at.leaves + LEAF.size * i, { lane, end })
}

/** What kernels ask the host about a triangle, by the address of its corners: needles, and signs within rounding. */
function exactArithmetic(corners: Float64Array, address: number) {
  const found = new Float64Array(CLOSEST_SIZE)
  return {
    squaredToNeedle: (at: number, x: number, y: number, z: number): number =>
      closestOnTriangle(corners, (at - address) / 8, x, y, z, found),
    crossing: (at: number, x: number, y: number, z: number, ahead: number): number =>
      crossing(corners, (at - address) / 8, x, y, z, ahead === 1),
  }
}
