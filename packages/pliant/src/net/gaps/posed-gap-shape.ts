/**
 * A network from a code to how far each of some pairs of a shape's parts are apart: of a character by its joint code, or of any
 * shape whose parts follow frames that a code moves. Each pair has a small network
 * of its own, which sees nothing but gaps between places of the two parts: two bones are as far apart as they are, whatever
 * the rest of the body does, so what was learned of a pair in one pose holds in all. Ends of gaps are points that follow
 * frames:
 *
 *   v_k = G_i(q) p_k - G_j(q) r_k             (G: frame to root frame, 3 x 4)
 *   g_k = a_k log(|v_k|^2 + e_k^2) + b_k      (K of them for each pair, one pair after the other)
 *   y_p = dense_p(g_p1, ..., g_pK), or `far` where the middles of its places are further apart than l_p: most pairs, most of the time
 *   f   = min_p y_p, of the pairs whose shortest gap does not rule them out:
 *         y_p >= min(0.8 far, c min_k |v_k| - s_p), as it was seen to be
 *
 * Tensors by name, row-major: gap.ends [P K, 8], rows of i, p, j, r; gap.softening [P K], e; gap.scale [P K], a;
 * gap.shift [P K], b; pair.middles [P, 8], the middle of each part's places, as ends; pair.far [P], l squared [m^2]; pair.slack [P], s; pair.l.weight [P, in, out], pair.l.bias [P, 1, out] of each layer l.
 */
import type { Activation } from '../dense/dense-shape.js'

/** Sizes of a network from a code to how far pairs of parts are apart. */
export interface PosedGapShape {
  /** r: numbers of a code. */
  codeSize: number
  /** How many frames there are, such as the joints of a skeleton. */
  frames: number
  /** P: pairs of parts. */
  pairs: number
  /** K: gaps that the network of a pair sees. */
  gaps: number
  /** Widths of the hidden layers of each pair's network. */
  hidden: number[]
  /** Behind every hidden layer. */
  activation: Activation
  /** What pairs have that are too far apart to be looked at. */
  far: number
  /** c: how much more a pair has for each metre that its shortest gap is longer, at least. */
  perMetre: number
}

/** Of `far`: pairs that have less than this share of it are bounded by their shortest gaps, others are only known to have more. */
export const BOUNDED_SHARE = 0.8

/** Numbers of a gap's ends: frame, x, y, z, twice. */
export const END_SIZE = 8

/** Width of each layer's input, and of the last one's output. */
export function pairWidths({ gaps, hidden }: Pick<PosedGapShape, 'gaps' | 'hidden'>): number[] {
  return [gaps, ...hidden, 1]
}

/** Name -> dimensions of every tensor. */
export function posedGapTensors(shape: PosedGapShape): Map<string, number[]> {
  const { pairs, gaps } = shape
  const widths = pairWidths(shape)
  return new Map([
    ['gap.ends', [pairs * gaps, END_SIZE]],
    ['gap.softening', [pairs * gaps]],
    ['gap.scale', [pairs * gaps]],
    ['gap.shift', [pairs * gaps]],
    ['pair.middles', [pairs, END_SIZE]],
    ['pair.far', [pairs]],
    ['pair.slack', [pairs]],
    ...widths.slice(1).flatMap((width, l): [string, number[]][] => [
      [`pair.${l}.weight`, [pairs, widths[l], width]],
      [`pair.${l}.bias`, [pairs, 1, width]],
    ]),
  ])
}

/** The first end of a gap at a frame that is not there, if there is one. @param ends  gap.ends or pair.middles */
export function wrongEnd(frames: number, ends: Float32Array): { row: number; frame: number } | undefined {
  for (let at = 0; at < ends.length; at += END_SIZE / 2) {
    const frame = ends[at]
    if (!(Number.isInteger(frame) && frame >= 0 && frame < frames)) return { row: Math.floor(at / END_SIZE), frame }
  }
  return undefined
}

/** Multiplications of one value where all pairs are near, without those of the frames. */
export function posedGapMultiplications(shape: PosedGapShape): number {
  const widths = pairWidths(shape)
  const layers = widths.slice(1).reduce((sum, width, l) => sum + width * widths[l], 0)
  return shape.pairs * (23 * shape.gaps + layers)
}
