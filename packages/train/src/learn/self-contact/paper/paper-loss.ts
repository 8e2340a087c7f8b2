/**
 * The paper's loss (Cai et al., Eq. 3, 4, 7 to 9, 11 to 16) as a graph. Two of its formulas are printed wrong: trusting
 * weights enter a softmax with a minus sign, so that what is trusted would count less, and are zero on -eta1 ... eta2;
 * here samples count in proportion to their trust, which is zero below eta1 on both sides.
 */
import type { GapShape } from 'pliant/unstable'
import {
  abs,
  add,
  concat,
  constant,
  div,
  grad,
  greater,
  input,
  less,
  maximum,
  mean,
  mul,
  neg,
  norm,
  reshape,
  sigmoid,
  slice,
  softmax,
  sqrt,
  square,
  sub,
  sum,
  type Tensor,
  where,
} from '../../../graph/index.js'
import { gapGraph } from '../gap-graph.js'
import type { PaperOptions } from './paper-options.js'

/** Step of the differences that stand for the slope, in the unit of the code. */
const DIFFERENCE = 1e-2

/** A slope is kept from zero, where Eq. 4 is infinite. */
const LEAST_SLOPE = 1e-3

/** @param tensor  of each name of the network; inputs: see `paperFeeds` */
export function paperLoss(
  shape: GapShape,
  tensor: (name: string) => Tensor,
  pass: 0 | 1,
  { eikonal, slack, slopes, eikonalWeight, distanceWeight }: PaperOptions,
): Tensor {
  const { codeSize } = shape
  const f = (codes: Tensor, rows: number | string): Tensor => reshape(gapGraph(shape, tensor, codes, rows), [rows])
  const signs = signLoss(f(input('codes', ['n', codeSize]), 'n'), input('signs', ['n']))
  const places = input('eikonal', [eikonal, codeSize])
  const slope =
    slopes === 'exact' ? exactSlope(f(places, eikonal), places) : differenceSlope(f, places, eikonal, codeSize)
  const loss = add(signs, mul(mean(eikonalPenalty(slope, slack)), eikonalWeight[pass]))
  if (pass === 0) return loss
  const error = sub(f(input('distanceCodes', ['m', codeSize]), 'm'), input('distances', ['m']))
  const trusted = sum(mul(square(error), input('trust', ['m'])))
  return add(loss, mul(trusted, distanceWeight))
}

/** Eq. 8 and 9. */
function signLoss(f: Tensor, signs: Tensor): Tensor {
  const wrong = maximum(neg(mul(signs, sub(mul(sigmoid(f), 2), 1))), 0)
  return sum(mul(softmax(neg(abs(f)), 0), wrong))
}

/** Eq. 4. */
function eikonalPenalty(slope: Tensor, slack: number): Tensor {
  const kept = maximum(slope, LEAST_SLOPE)
  const beyond = maximum(sub(kept, slack), LEAST_SLOPE)
  const flat = add(kept, div(1, kept))
  const steep = add(beyond, div(1, beyond))
  return where(less(kept, 1), flat, where(greater(kept, 1 + slack), steep, 2))
}

function exactSlope(f: Tensor, places: Tensor): Tensor {
  return norm(grad(sum(f), [places])[0], 1)
}

/** As the authors computed it: one value more for each entry of the code. */
function differenceSlope(
  f: (codes: Tensor, rows: number) => Tensor,
  places: Tensor,
  count: number,
  codeSize: number,
): Tensor {
  const moved = Array.from({ length: codeSize }, (_, k) => {
    const step = new Float32Array(codeSize)
    step[k] = DIFFERENCE
    return add(places, constant(step, [codeSize]))
  })
  const values = f(concat([places, ...moved], 0), (codeSize + 1) * count)
  const at = (k: number): Tensor => slice(values, 0, k * count, (k + 1) * count)
  const slopes = moved.map((_, k) => square(div(sub(at(k + 1), at(0)), DIFFERENCE)))
  // The root has no slope at zero.
  return sqrt(maximum(slopes.reduce(add), LEAST_SLOPE ** 2))
}

/** Eq. 14 to 16: how far a distance from a cloud of so many points is to be believed. */
export function trustOf(distance: number, points: number, codeSize: number, alpha: number): number {
  const from = 2 / points ** (1 / codeSize)
  const full = alpha * from
  const away = Math.abs(distance)
  if (away < from) return 0
  if (away >= full) return 1
  return (Math.cos(((away - full) / (full - from)) * Math.PI) + 1) / 2
}
