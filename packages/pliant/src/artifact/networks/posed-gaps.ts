/** A network of a joint code that sees gaps between parts of a character (net/gaps/posed-gap-shape.ts). */
import {
  type PosedGapShape,
  posedGapMultiplications,
  posedGapTensors,
  TERM_SIZE,
  wrongTerm,
} from '../../net/gaps/posed-gap-shape.js'
import { object, wholeUpTo, wrong } from '../checks.js'
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

/** Far more than anybody learns, and counts that tensors can have. */
const MOST_TERMS = 1_000_000
const MOST_PAIRS = 100_000

/** In single precision, as there is little of it. */
export const posedGaps: NetworkKind<PosedGapsNetwork> = {
  check(network, { codeSize, joints }, path) {
    checkGapShape(network['shape'], codeSize, `${path}.shape`)
    const shape = object(network['shape'], `${path}.shape`) as Partial<Record<keyof PosedGapShape, unknown>>
    if (shape.joints !== joints) throw wrong(`${path}.shape.joints`, shape.joints, `${joints}, as the skeleton has`)
    if (shape.gaps === 0) throw wrong(`${path}.shape.gaps`, 0, 'one or more')
    wholeUpTo(shape.terms, MOST_TERMS, `${path}.shape.terms`, 1)
    wholeUpTo(shape.pairs, MOST_PAIRS, `${path}.shape.pairs`, 1)
  },
  store: ({ shape }, tensors) => {
    const all = [...posedGapTensors(shape)]
    return new Map(all.map(([name, dims]) => [name, { shape: dims, data: tensorOf(tensors, name, dims) }]))
  },
  take({ shape }, stored) {
    const all = [...posedGapTensors(shape)]
    const tensors = new Map(all.map(([name, dims]) => [name, take(stored, name, dims, Float32Array)]))
    requireTerms(shape, tensors.get('gap.terms')!)
    return tensors
  },
  multiplications: ({ shape }) => posedGapMultiplications(shape),
}

/** @throws Error naming the first term of a gap or joint that is not there */
function requireTerms(shape: PosedGapShape, rows: Float32Array): void {
  const t = wrongTerm(shape, rows)
  if (t < 0) return
  const [gap, joint] = rows.subarray(TERM_SIZE * t)
  throw new Error(
    `artifact: gap.terms[${t}] is of gap ${gap} and joint ${joint}, there are ${shape.gaps} and ${shape.joints}; train it again.`,
  )
}
