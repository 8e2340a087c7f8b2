/** Pairs of parts of a posed gap network on SIMD WebAssembly: tensors packed into one memory, frames through a staging buffer. */
import { Arena } from '../../../math/wasm/arena.js'
import type { Tensors } from '../../network.js'
import { ScratchPlan } from '../../wasm/dense-steps.js'
import { type KernelInstance, type SimdOptions, startKernels } from '../../wasm/kernel-instance.js'
import type { Driver } from '../../wasm/kernel-module.js'
import { PANEL, roundUp } from '../../wasm/pack.js'
import { PLACE_SIZE, type PosedGapShape, posedGapMultiplications } from '../posed-gap-shape.js'
import { layerWords, packPairLayers } from './pair-layers.js'
import { definePairKernels, PAIR, PAIRS_PROGRAM, PLACE } from './posed-gap-kernels.js'

/** A place that is none is so far from all others that its gaps are never the least. */
const NOWHERE = -1e6

/** @param tensors  checked to be complete; copied */
export async function createSimdPairs(
  shape: PosedGapShape,
  tensors: Tensors,
  options: SimdOptions,
): Promise<SimdPairs> {
  const arena = new Arena(options.checkAddresses !== undefined)
  const plan = planPairs(shape, tensors, arena)
  // One code is asked at a time: there is nothing to share.
  const kernels = { define: definePairKernels, worthSharing: Number.POSITIVE_INFINITY }
  const { scratchSize } = plan
  const instance = await startKernels<Driver>({ ...options, ...kernels, arena, scratchSize })
  return new SimdPairs(shape, plan, instance)
}

export class SimdPairs {
  constructor(
    private readonly shape: PosedGapShape,
    private readonly plan: PairsPlan,
    private readonly instance: KernelInstance<Driver>,
  ) {}

  write(spaces: Float64Array, out: Float64Array): void {
    const { floats } = this.instance
    floats.set(spaces, this.plan.frames / 4)
    this.instance.run(this.plan.program, this.shape.pairs, posedGapMultiplications(this.shape))
    for (let pair = 0, at = this.plan.values / 4; pair < this.shape.pairs; pair++, at++) out[pair] = floats[at]
  }
}

/** Addresses. */
interface PairsPlan {
  frames: number
  values: number
  program: number
  scratchSize: number
}

function planPairs(shape: PosedGapShape, tensors: Tensors, arena: Arena): PairsPlan {
  const { pairs, far, perMetre, softness } = shape
  const [places, seen] = [roundUp(shape.places, 4), roundUp(shape.seen, 4)]
  const [frames, values] = [arena.reserve(16 * shape.frames), arena.reserve(pairs)]
  const scratch = new ScratchPlan()
  const widths = [6 * seen, ...shape.hidden, 1]
  const row = (words: number): number => scratch.rows(roundUp(words, PANEL)).at
  const widest = Math.max(...widths.map(layerWords))
  const own = {
    ...{ places: row(6 * places), gaps: row(places ** 2) },
    // Outputs take turns there.
    ...{ features: row(widest), outputs: row(widest) },
  }
  const records = Array.from({ length: pairs }, (_, pair) => {
    const [weights, biases] = ['weight', 'bias'].map((end) =>
      widths.slice(1).map((_, l) => rowOf(tensors, `pair.${l}.${end}`, pair, pairs)),
    )
    weights[0] = inPlanes(weights[0], shape.seen, seen, widths[1])
    const middles = rowOf(tensors, 'pair.middles', pair, pairs)
    const planes = (name: string): number =>
      arena.place(inPlanes(rowOf(tensors, name, pair, pairs), shape.seen, seen, 1))
    return {
      middleA: middles.subarray(1, 4),
      middleB: middles.subarray(5, 8),
      frameA: 64 * middles[0],
      frameB: 64 * middles[4],
      far: tensors.get('pair.far')![pair],
      places: arena.place(packPlaces(rowOf(tensors, 'pair.places', pair, pairs), shape.places, places)),
      radius: arena.place(packRadii(rowOf(tensors, 'gap.radius', pair, pairs), shape.places, places)),
      scale: planes('seen.scale'),
      shift: planes('seen.shift'),
      ...packPairLayers(widths, weights, biases, shape.activation, arena),
    }
  })
  const program = arena.place(
    PAIRS_PROGRAM.encode([
      {
        ...{ frames, pairs: arena.place(PAIR.encode(records)), values, plane: 4 * places, seenPlane: 4 * seen },
        ...{ far, perMetre, softness, sharpness: 1 / softness, ...own },
      },
    ]),
  )
  return { frames, values, program, scratchSize: scratch.size }
}

/** What a tensor has of one pair. */
function rowOf(tensors: Tensors, name: string, pair: number, pairs: number): Float32Array {
  const all = tensors.get(name)!
  return all.subarray((all.length / pairs) * pair, (all.length / pairs) * (pair + 1))
}

/**
 * Rows for what is seen, from xyz of one place after the other to planes of so many places, padded with zeros; those of either
 * part by themselves.
 */
function inPlanes(rows: Float32Array, count: number, plane: number, width: number): Float32Array {
  const out = new Float32Array(6 * plane * width)
  for (let i = 0; i < 6 * count; i++) {
    const [side, within] = [Math.trunc(i / (3 * count)), i % (3 * count)]
    const to = (3 * side + (within % 3)) * plane + Math.trunc(within / 3)
    out.set(rows.subarray(i * width, (i + 1) * width), to * width)
  }
  return out
}

/** Those that are none stand where the first is. */
function packPlaces(rows: Float32Array, count: number, plane: number): Int32Array {
  return PLACE.encode(
    Array.from({ length: 2 * plane }, (_, i) => {
      const [side, place] = [Math.trunc(i / plane), i % plane]
      const [frame, x, y, z] = rows.subarray(PLACE_SIZE * (side * count + (place < count ? place : 0)))
      return { frame: 64 * frame, x, y, z }
    }),
  )
}

function packRadii(radii: Float32Array, count: number, plane: number): Float32Array {
  return Float32Array.from({ length: plane * plane }, (_, i) => {
    const [k, l] = [Math.trunc(i / plane), i % plane]
    return k < count && l < count ? radii[k * count + l] : NOWHERE
  })
}
