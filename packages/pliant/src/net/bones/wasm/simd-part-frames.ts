/**
 * Parts that follow a body on SIMD WebAssembly: what part-frames.ts computes, to the last bit. Nodes are copied once,
 * straight to where the kernels read them.
 */
import type { Vec3 } from '../../../math/box.js'
import type { Floats } from '../../../math/floats.js'
import { polarRotation } from '../../../math/polar3.js'
import { requireFinite } from '../../../math/require.js'
import type { AddressCheck } from '../../../math/wasm/address-check.js'
import { Arena } from '../../../math/wasm/arena.js'
import type { ModuleBuilder } from '../../../math/wasm/assembler.js'
import { kernelModule } from '../../wasm/kernel-module.js'
import { MAX_DRIVERS } from '../bone-shape.js'
import type { PosedParts } from '../part-frames.js'
import { AFFINE } from '../part-motions.js'
import { MAX_NEIGHBOURS, type PartsAtRest } from '../parts-at-rest.js'
import { CHECK_STEP, defineFinite, type FiniteCheck } from './finite.js'
import { MOTION, NEIGHBOUR, PAIR_MATRIX, PARTS, TURNED } from './part-records.js'
import { defineSumParts } from './part-sums.js'
import { defineTurnParts } from './part-turns.js'
import { defineViewParts } from './part-views.js'

/** Addresses in bytes. */
interface PartKernels {
  areFinite: FiniteCheck
  sumParts(parts: number, nodes: number): void
  turnParts(parts: number): number
  viewParts(parts: number): void
}

function definePartKernels(module: ModuleBuilder): void {
  defineFinite(module, 'areFinite')
  defineSumParts(module)
  defineTurnParts(module)
  defineViewParts(module)
}

/**
 * At no pose yet.
 * @param nodeCount       of the body
 * @param checkAddresses  for tests: asked before every load and store
 */
export async function createSimdPartFrames(
  rest: PartsAtRest,
  nodeCount: number,
  checkAddresses?: AddressCheck,
): Promise<SimdPartFrames> {
  const arena = new Arena(checkAddresses !== undefined)
  const plan = planParts(rest, nodeCount, arena)
  const checksAddresses = checkAddresses !== undefined
  // Sums and rotations must equal those of plain code: nothing is relaxed.
  const module = await kernelModule(definePartKernels, { relaxed: false, shared: false, checksAddresses })
  const memory = arena.createMemory()
  writeParts(rest, plan, new DataView(memory.buffer))
  const imports = { env: { memory }, ...checkAddresses?.(module, arena.regions) }
  const kernels = (await WebAssembly.instantiate(module, imports)).exports as unknown as PartKernels
  return new SimdPartFrames(rest, nodeCount, plan, kernels, memory.buffer)
}

export class SimdPartFrames implements PosedParts {
  readonly matrices: Float64Array
  readonly drivers: Float32Array
  readonly #rest: PartsAtRest
  readonly #plan: PartsPlan
  readonly #kernels: PartKernels
  /** Two rooms: nodes that turn out not to be finite must not overwrite those that were followed last. */
  readonly #rooms: Float64Array[]
  #room = 0
  readonly #motions: Float64Array
  readonly #origin: Float64Array
  readonly #rotations: Float64Array
  readonly #turned: Uint32Array
  readonly #rotation = new Float64Array(9)

  constructor(rest: PartsAtRest, nodeCount: number, plan: PartsPlan, kernels: PartKernels, buffer: ArrayBuffer) {
    const { count } = rest
    const pairs = Math.ceil(count / 2)
    this.#rest = rest
    this.#plan = plan
    this.#kernels = kernels
    this.#rooms = plan.nodes.map((at) => new Float64Array(buffer, at, 3 * nodeCount))
    this.#motions = new Float64Array(buffer, plan.motions, AFFINE * count)
    this.#origin = new Float64Array(buffer, plan.parts + PARTS.at.origin, 3)
    this.#rotations = new Float64Array(buffer, plan.rotations, 18 * pairs)
    this.#turned = new Uint32Array(buffer, plan.turned, pairs)
    this.matrices = new Float64Array(buffer, plan.matrices, 16 * count)
    this.drivers = new Float32Array(buffer, plan.drivers, 3 * MAX_DRIVERS * count)
  }

  get nodes(): Float64Array {
    return this.#rooms[this.#room]
  }

  pose(code: ArrayLike<number>): void {
    this.#rest.motions.ofCode(code, this.#motions)
    this.#write()
  }

  follow(nodes: Floats, origin: Vec3): void {
    const next = 1 - this.#room
    const { parts, nodes: rooms, nodeBytes } = this.#plan
    this.#rooms[next].set(nodes)
    if (!this.#kernels.areFinite(rooms[next], rooms[next] + nodeBytes)) requireFinite('update', nodes, 'node', 3)
    this.#room = next
    this.#origin.set(origin)
    this.#kernels.sumParts(parts, rooms[next])
    this.#write()
  }

  #write(): void {
    const { parts } = this.#plan
    if (this.#kernels.turnParts(parts) !== TURNED) this.#turnOthers()
    this.#kernels.viewParts(parts)
  }

  /** Rotations that the kernel leaves to us. */
  #turnOthers(): void {
    for (let part = 0; part < this.#rest.count; part++) {
      const [pair, lane] = [part >> 1, part & 1]
      if (this.#turned[pair] & (1 << (2 * lane))) continue
      polarRotation(this.#motions, AFFINE * part, this.#rotation)
      for (let i = 0; i < 9; i++) this.#rotations[18 * pair + 2 * i + lane] = this.#rotation[i]
    }
  }
}

type PartsPlan = ReturnType<typeof planParts>

/** Reserves what PARTS names, with a part more where their number is odd. */
function planParts({ count, motions }: PartsAtRest, nodeCount: number, arena: Arena) {
  const { places, shares } = motions.members
  const pairs = Math.ceil(count / 2)
  const doubles = (n: number): number => arena.reserve(2 * n)
  const parts = arena.reserve(PARTS.size / 4)
  return {
    parts,
    nodes: [doubles(3 * nodeCount), doubles(3 * nodeCount)],
    nodeBytes: Math.ceil((24 * nodeCount) / CHECK_STEP) * CHECK_STEP,
    places: arena.place(Int32Array.from(places, (place) => 8 * place)),
    shares: arena.place(new Int32Array(shares.buffer)),
    ends: arena.reserve(count),
    motions: doubles(2 * AFFINE * pairs),
    rotations: doubles(18 * pairs),
    turned: arena.reserve(pairs),
    axes: doubles(18 * pairs),
    neighbours: arena.reserve((pairs * MAX_NEIGHBOURS * NEIGHBOUR.size) / 4),
    matrices: doubles(2 * 16 * pairs),
    drivers: arena.reserve(2 * 3 * MAX_DRIVERS * pairs),
  }
}

function writeParts({ count, motions, axes, neighbours, resting }: PartsAtRest, plan: PartsPlan, view: DataView): void {
  const { starts } = motions.members
  const { nodes: _, nodeBytes: __, parts, ...addresses } = plan
  const pairs = Math.ceil(count / 2)
  PARTS.write(view, parts, {
    ...addresses,
    endsEnd: plan.ends + 4 * count,
    motionsEnd: plan.motions + 2 * MOTION * pairs,
  })
  const double = (at: number, value: number): void => view.setFloat64(at, value, true)
  for (let part = 0; part < count; part++) {
    view.setUint32(plan.ends + 4 * part, plan.places + 4 * starts[part + 1], true)
  }
  for (let part = 0; part < 2 * pairs; part++) {
    const [pair, lane] = [part >> 1, part & 1]
    const isIdle = part >= count
    // A rotation, so that it asks for no turn.
    if (isIdle) for (let i = 0; i < 9; i += 4) double(plan.motions + MOTION * part + 8 * i, 1)
    double(plan.matrices + 128 * part + 120, 1)
    for (let i = 0; i < 9; i++) {
      double(plan.axes + PAIR_MATRIX * pair + 16 * i + 8 * lane, isIdle ? 0 : axes[9 * part + i])
    }
    for (let n = 0; n < MAX_NEIGHBOURS; n++) {
      const at = plan.neighbours + NEIGHBOUR.size * (MAX_NEIGHBOURS * pair + n)
      const known = !isIdle && n < neighbours[part].length
      const other = known ? neighbours[part][n] : part
      view.setUint32(at + NEIGHBOUR.at.motions + 4 * lane, plan.motions + MOTION * other, true)
      for (let k = 0; k < 4; k++) {
        double(at + NEIGHBOUR.at.resting + 16 * k + 8 * lane, known ? resting[4 * (MAX_NEIGHBOURS * part + n) + k] : 0)
      }
    }
  }
}
