/**
 * A network from a character's joint code to how far each of some pairs of its parts are apart. Each pair has a small network
 * of its own, which sees nothing but gaps between places of the two parts: two bones are as far apart as they are, whatever
 * the rest of the body does, so what was learned of a pair in one pose holds in all. Ends of gaps are points that follow
 * joints:
 *
 *   v_k = G_i(q) p_k - G_j(q) r_k             (G: joint space to root frame, 3 x 4)
 *   g_k = a_k log(|v_k|^2 + e_k^2) + b_k      (K of them for each pair, one pair after the other)
 *   y_p = dense_p(g_p1, ..., g_pK), or `far` where the middles of its places are further apart than l_p: most pairs, most of the time
 *   f   = min_p y_p
 *
 * Tensors by name, row-major: gap.ends [P K, 8], rows of i, p, j, r; gap.softening [P K], e; gap.scale [P K], a;
 * gap.shift [P K], b; pair.middles [P, 8], the middle of each part's places, as ends; pair.far [P], l squared [m^2]; pair.l.weight [P, in, out], pair.l.bias [P, 1, out] of each layer l.
 */
import type { Activation } from '../dense/dense-shape.js'

/** Sizes of a network from a joint code to how far pairs of parts of a character are apart. */
export interface PosedGapShape {
  /** r: numbers of a code. */
  codeSize: number
  /** How many joints the skeleton has. */
  joints: number
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
}

/** Numbers of a gap's ends: joint, x, y, z, twice. */
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
    ...widths.slice(1).flatMap((width, l): [string, number[]][] => [
      [`pair.${l}.weight`, [pairs, widths[l], width]],
      [`pair.${l}.bias`, [pairs, 1, width]],
    ]),
  ])
}

/** The first end of a gap at a joint that is not there, if there is one. @param ends  gap.ends or pair.middles */
export function wrongEnd(joints: number, ends: Float32Array): { row: number; joint: number } | undefined {
  for (let at = 0; at < ends.length; at += END_SIZE / 2) {
    const joint = ends[at]
    if (!(Number.isInteger(joint) && joint >= 0 && joint < joints)) return { row: Math.floor(at / END_SIZE), joint }
  }
  return undefined
}

/** Multiplications of one value where all pairs are near, without those of the joints. */
export function posedGapMultiplications(shape: PosedGapShape): number {
  const widths = pairWidths(shape)
  const layers = widths.slice(1).reduce((sum, width, l) => sum + width * widths[l], 0)
  return shape.pairs * (23 * shape.gaps + layers)
}
