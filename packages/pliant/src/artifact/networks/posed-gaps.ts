/** A network of a joint code that sees gaps between parts of a character (net/gaps/posed-gap-shape.ts). */
import {
  type PosedGapShape,
  posedGapMultiplications,
  posedGapTensors,
  wrongEnd,
} from '../../net/gaps/posed-gap-shape.js'
import { finite, object, wholeUpTo, wrong } from '../checks.js'
import { take } from '../take.js'
import { checkGapShape } from './gaps.js'
import { type NetworkKind, tensorOf } from './network-kind.js'

/** What a file says of a network from a joint code to how far pairs of parts are apart. */
export interface PosedGapsNetwork {
  /** Name of the kind. */
  kind: 'posed-gaps'
  /** Its gaps and layers. */
  shape: PosedGapShape
}

/** Far more than anybody learns. */
const MOST_PAIRS = 100_000

/** In single precision, as there is little of it. */
export const posedGaps: NetworkKind<PosedGapsNetwork> = {
  check(network, { codeSize, joints }, path) {
    checkGapShape(network['shape'], codeSize, `${path}.shape`)
    const shape = object(network['shape'], `${path}.shape`) as Partial<Record<keyof PosedGapShape, unknown>>
    if (shape.joints !== joints) throw wrong(`${path}.shape.joints`, shape.joints, `${joints}, as the skeleton has`)
    if (shape.gaps === 0) throw wrong(`${path}.shape.gaps`, 0, 'one or more')
    wholeUpTo(shape.pairs, MOST_PAIRS, `${path}.shape.pairs`, 1)
    finite(shape.far, `${path}.shape.far`)
  },
  store: ({ shape }, tensors) => {
    const all = [...posedGapTensors(shape)]
    return new Map(all.map(([name, dims]) => [name, { shape: dims, data: tensorOf(tensors, name, dims) }]))
  },
  take({ shape }, stored) {
    const all = [...posedGapTensors(shape)]
    const tensors = new Map(all.map(([name, dims]) => [name, take(stored, name, dims, Float32Array)]))
    for (const name of ['gap.ends', 'pair.middles']) requireEnds(shape, name, tensors.get(name)!)
    return tensors
  },
  multiplications: ({ shape }) => posedGapMultiplications(shape),
}

/** @throws Error naming the first end at a joint that is not there */
function requireEnds({ joints }: PosedGapShape, name: string, ends: Float32Array): void {
  const wrong = wrongEnd(joints, ends)
  if (!wrong) return
  throw new Error(`artifact: ${name}[${wrong.row}] is of joint ${wrong.joint}, there are ${joints}; train it again.`)
}
