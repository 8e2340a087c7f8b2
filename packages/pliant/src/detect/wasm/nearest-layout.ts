/**
 * Where the kernels of the nearest triangle find what they read: the surface's vertices, the triangles of its patches, and
 * boxes round groups, patches and triangles, four side by side, in single precision and seen from the surface's middle.
 */
import { ARENA_START, type Arena } from '../../math/wasm/arena.js'
import { record } from '../../math/wasm/records.js'
import type { Patches } from '../patches.js'

/** Boxes of a block. */
const LANES = 4
/** What rounding of single precision does to distances from boxes at most, as a part of the coordinates. */
export const SINGLE = 2e-6
/** Points that are asked together: what JavaScript writes for them and reads of them stays in the nearest cache. */
export const CHUNK = 128
/** Bytes of a vertex: three doubles. */
export const VERTEX_BYTES = 24
/** So many candidates are gathered at least, if there are as many, before their distances are worked out. */
export const MANY_CANDIDATES = 32

/** What all kernels are told, at `TASK_ADDRESS`. */
export const TASK = record({
  /** Middle of the surface [m]: boxes are seen from there. */
  origin: ['f64', 3],
  /** How much further than a radius is looked for all that rounding may do to the surface [m]. */
  slack: 'f64',
  /** Points further than this from the middle are left to doubles [m]. */
  far: 'f64',
  /** Number of this update. */
  update: 'u32',
  groups: 'u32',
  groupsEnd: 'u32',
  /** Boxes of all groups: of four a block. */
  groupBoxes: 'u32',
  groupBoxesEnd: 'u32',
  /** Address of each triangle's place. */
  placeOfTriangle: 'u32',
  triangleCount: 'u32',
  /** For each set of lanes, their numbers, the first ones first. */
  order: 'u32',
  /** Lists of addresses, written by whole vectors. */
  nearGroups: 'u32',
  nearPatches: 'u32',
  candidates: 'u32',
  /** From a candidate to the square of how far its box is, and of twice how far the box's middle is [m^2]. */
  squaresAside: 'u32',
  middlesAside: 'u32',
})
export const TASK_ADDRESS = ARENA_START

/** What is asked about a point, and the answer. */
export const QUERY = record({
  point: ['f64', 3],
  /** First radius to look in [m]; NaN or infinite where there is none. */
  reach: 'f64',
  /** Squared distance of the nearest triangle [m^2]. */
  squared: 'f64',
  /** In: a triangle to try first, or any other number. Out: the nearest triangle, or `UNTOLD`. */
  triangle: 'u32',
  spare: 'u32',
})
/** Of a point for which single precision or a triangle without a plane leaves no answer: ask `ScalarNearest`. */
export const UNTOLD = 0xffffffff

/** Patches of triangles, in blocks of four; `fitted` is the update in which the boxes of its patches were found. */
export const GROUP = record(
  {
    fitted: 'u32',
    patches: 'u32',
    patchesEnd: 'u32',
    boxes: 'u32',
    boxesEnd: 'u32',
    /** Addresses of vertices, an even number. */
    vertices: 'u32',
    verticesEnd: 'u32',
    spare: 'u32',
    /** Least and greatest coordinates [m]. */
    lower: ['f64', 4],
    upper: ['f64', 4],
  },
  128,
)

export const PATCH = record({
  /** The update in which the boxes of its triangles were found. */
  opened: 'u32',
  places: 'u32',
  boxes: 'u32',
  boxesEnd: 'u32',
  /** Addresses of vertices, an even number. */
  vertices: 'u32',
  verticesEnd: 'u32',
  spare: ['u32', 2],
})

/** A triangle: addresses of its corners, and its number. */
export const PLACE = record({ corners: ['u32', 3], triangle: 'u32' })

/** Four boxes: x of all, y of all, z of all. */
export const BOXES = record({ lower: ['f32x4', 3], upper: ['f32x4', 3] })

/** Ends of a box that nothing is near to. */
const NOWHERE = 1e15

export interface NearestAddresses {
  task: number
  positions: number
  queries: number
  regions: Arena['regions']
}

/** How many addresses a list takes that kernels read two at a time. */
const even = (count: number): number => count + (count & 1)
const blocksOf = (count: number): number => Math.ceil(count / LANES)

/** Reserves room for a surface, and fills in all that never changes once there is a memory. */
export class NearestLayout {
  readonly positions: number
  readonly queries: number
  private readonly groups: number
  private readonly groupBoxes: number
  private readonly groupVertices: number
  private readonly patchTable: number
  private readonly patchBoxes: number
  private readonly patchVertices: number
  private readonly places: number
  private readonly placeBoxes: number
  private readonly placeOfTriangle: number
  private readonly order: number
  private readonly nearGroups: number
  private readonly nearPatches: number
  private readonly candidates: number
  private readonly candidateBytes: number
  private readonly groupBlocks: number

  constructor(
    private readonly patches: Patches,
    private readonly triangles: Uint32Array,
    private readonly vertexCount: number,
    arena: Arena,
  ) {
    const { firstPatch, firstPlace, ofGroups, ofPatches } = patches
    const table = arena.reserve(TASK.size / 4)
    if (table !== TASK_ADDRESS) throw new Error('nearest triangles: plan their memory before anything else.')
    const groupCount = firstPatch.length - 1
    this.groupBlocks = blocksOf(groupCount)
    let patchBlocks = 0
    for (let group = 0; group < groupCount; group++) patchBlocks += blocksOf(firstPatch[group + 1] - firstPatch[group])
    let [placeBlocks, largest] = [0, 0]
    for (let patch = 0; patch + 1 < firstPlace.length; patch++) {
      const size = firstPlace[patch + 1] - firstPlace[patch]
      placeBlocks += blocksOf(size)
      largest = Math.max(largest, size)
    }
    const records = (count: number, { size }: { size: number }): number => arena.reserve((count * size) / 4)
    // One vertex more, which is nowhere: corners of places that no triangle has.
    this.positions = arena.reserve((vertexCount + 1) * (VERTEX_BYTES / 4))
    this.queries = records(CHUNK, QUERY)
    this.groups = records(this.groupBlocks * LANES, GROUP)
    this.groupBoxes = records(this.groupBlocks, BOXES)
    this.groupVertices = arena.reserve(listLength(ofGroups.first))
    this.patchTable = records(patchBlocks * LANES, PATCH)
    this.patchBoxes = records(patchBlocks, BOXES)
    this.patchVertices = arena.reserve(listLength(ofPatches.first))
    this.places = records(placeBlocks * LANES, PLACE)
    this.placeBoxes = records(placeBlocks, BOXES)
    this.placeOfTriangle = arena.reserve(triangles.length / 3)
    this.order = arena.reserve(16 * LANES)
    this.nearGroups = arena.reserve((this.groupBlocks + 1) * LANES)
    this.nearPatches = arena.reserve((patchBlocks + 1) * LANES)
    // Of one patch more than there are many, and a vector behind them.
    this.candidateBytes = 4 * LANES * blocksOf(MANY_CANDIDATES + largest + 2 * LANES)
    this.candidates = arena.reserve((3 * this.candidateBytes) / 4)
  }

  write(memory: WebAssembly.Memory): void {
    const view = new DataView(memory.buffer)
    const { positions, vertexCount, groups, groupBoxes, groupBlocks, patches } = this
    const { firstPatch, ofGroups } = patches
    new Float64Array(memory.buffer, positions, 3 * vertexCount + 3).fill(Number.NaN, 3 * vertexCount)
    const { placeOfTriangle, order, nearGroups, nearPatches, candidates, candidateBytes } = this
    TASK.write(view, TASK_ADDRESS, {
      ...{ groups, groupsEnd: groups + (firstPatch.length - 1) * GROUP.size },
      ...{ groupBoxes, groupBoxesEnd: groupBoxes + groupBlocks * BOXES.size },
      ...{ placeOfTriangle, triangleCount: this.triangles.length / 3 },
      ...{ order, nearGroups, nearPatches, candidates },
      ...{ squaresAside: candidateBytes, middlesAside: 2 * candidateBytes },
    })
    writeOrder(view, order)
    writeNowhere(view, groupBoxes, groupBlocks)
    let [list, block] = [this.groupVertices, 0]
    let next = { list: this.patchVertices, block: 0 }
    for (let group = 0; group + 1 < firstPatch.length; group++) {
      const end = this.writeList(view, list, ofGroups, group)
      const count = firstPatch[group + 1] - firstPatch[group]
      const boxes = this.patchBoxes + block * BOXES.size
      const own = this.patchTable + block * LANES * PATCH.size
      GROUP.write(view, groups + group * GROUP.size, {
        ...{ patches: own, patchesEnd: own + count * PATCH.size },
        ...{ boxes, boxesEnd: boxes + blocksOf(count) * BOXES.size },
        ...{ vertices: list, verticesEnd: end },
      })
      writeNowhere(view, boxes, blocksOf(count))
      for (let k = 0; k < count; k++) next = this.writePatch(view, own + k * PATCH.size, firstPatch[group] + k, next)
      block += blocksOf(count)
      list = end
    }
  }

  private writePatch(
    view: DataView,
    at: number,
    patch: number,
    { list, block }: { list: number; block: number },
  ): { list: number; block: number } {
    const { firstPlace, ofPatches, triangleOfPlace } = this.patches
    const end = this.writeList(view, list, ofPatches, patch)
    const count = firstPlace[patch + 1] - firstPlace[patch]
    const places = this.places + block * LANES * PLACE.size
    const boxes = this.placeBoxes + block * BOXES.size
    PATCH.write(view, at, {
      ...{ places, boxes, boxesEnd: boxes + blocksOf(count) * BOXES.size },
      ...{ vertices: list, verticesEnd: end },
    })
    for (let k = 0; k < LANES * blocksOf(count); k++) {
      const place = places + k * PLACE.size
      if (k >= count) {
        const nowhere = this.vertexAt(this.vertexCount)
        PLACE.write(view, place, { corners: [nowhere, nowhere, nowhere], triangle: UNTOLD })
        continue
      }
      const triangle = triangleOfPlace[firstPlace[patch] + k]
      const corners = [0, 1, 2].map((corner) => this.vertexAt(this.triangles[3 * triangle + corner]))
      PLACE.write(view, place, { corners, triangle })
      view.setUint32(this.placeOfTriangle + 4 * triangle, place, true)
    }
    return { list: end, block: block + blocksOf(count) }
  }

  /** @returns where the list ends */
  private writeList(view: DataView, at: number, { first, vertices }: Patches['ofGroups'], set: number): number {
    const [from, to] = [first[set], first[set + 1]]
    for (let i = 0; i < even(to - from); i++) {
      view.setUint32(at + 4 * i, this.vertexAt(vertices[Math.min(from + i, to - 1)]), true)
    }
    return at + 4 * even(to - from)
  }

  private vertexAt(vertex: number): number {
    return this.positions + VERTEX_BYTES * vertex
  }
}

function listLength(first: Uint32Array): number {
  let length = 0
  for (let set = 0; set + 1 < first.length; set++) length += even(first[set + 1] - first[set])
  return length
}

function writeOrder(view: DataView, at: number): void {
  for (let lanes = 0; lanes < 1 << LANES; lanes++) {
    const numbers = [0, 1, 2, 3].filter((lane) => lanes & (1 << lane))
    for (const [k, lane] of numbers.entries()) view.setUint32(at + 4 * (LANES * lanes + k), lane, true)
  }
}

function writeNowhere(view: DataView, boxes: number, count: number): void {
  for (let block = 0; block < count; block++) {
    BOXES.write(view, boxes + block * BOXES.size, {
      lower: new Float32Array(3 * LANES).fill(NOWHERE),
      upper: new Float32Array(3 * LANES).fill(NOWHERE),
    })
  }
}
