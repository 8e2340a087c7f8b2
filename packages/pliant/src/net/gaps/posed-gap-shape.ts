/**
 * A network from a code to how far each of some pairs of a shape's parts are apart: of a character by its joint code, or of
 * any shape whose parts follow frames that a code moves. What it tells of a pair depends on nothing but how the two lie to
 * each other: two bones are as far apart as they are, whatever the rest of the body does, so what was learned of a pair in
 * one pose holds in all. Each part has K places inside it, which follow frames; around each pair of places lie two balls that
 * are so far apart as the pair of parts is at least, about, and a small network corrects the least of all these:
 *
 *   a_k = G(q) p_k, b_l = G(q) r_l            (G: the place's frame to the root frame, 3 x 4)
 *   s   = -t log sum_kl exp(-(c |a_k - b_l| - R_kl) / t)
 *   u_l = A^T (b_l - o), w_k = B^T (a_k - p)  (A, o: turn and origin of the frame of a_1; B, p: of b_1; C of either)
 *   y_p = s + dense_p(scale (u, w) + shift), or `far` where the middles of its places are further apart than l_p: most pairs,
 *         most of the time
 *   f   = min_p y_p
 *
 * Balls alone know the shape of parts badly, the network alone knows nothing beyond what it has seen: at 2% of missed contacts
 * together they have a fifth of the network's false alarms (docs/notes/posed-contact.md).
 *
 * Tensors by name, row-major: pair.places [2 P K, 4], rows of frame, x, y, z: those of the one part, then those of the other;
 * pair.middles [2 P, 4], the middle of each part's places; pair.far [P], l squared [m^2]; gap.radius [P, K K], R;
 * seen.scale and seen.shift [P, 6 C], u before w; pair.l.weight [P, in, out], pair.l.bias [P, 1, out] of each layer l.
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
  /** K: places of each part. */
  places: number
  /** C: places of either part that the network of a pair sees, from the other one's frame. */
  seen: number
  /** Widths of the hidden layers of each pair's network. */
  hidden: number[]
  /** Behind every hidden layer. */
  activation: Activation
  /** What pairs have that are too far apart to be looked at. */
  far: number
  /** c: what a metre between places is worth. */
  perMetre: number
  /** t: gaps that differ by less than this count together, in the unit of the distance. */
  softness: number
}

/** Numbers of a place: frame, x, y, z. */
export const PLACE_SIZE = 4

/** Width of each layer's input, and of the last one's output. */
export function pairWidths({ seen, hidden }: Pick<PosedGapShape, 'seen' | 'hidden'>): number[] {
  return [6 * seen, ...hidden, 1]
}

/** Name -> dimensions of every tensor. */
export function posedGapTensors(shape: PosedGapShape): Map<string, number[]> {
  const { pairs, places, seen } = shape
  const widths = pairWidths(shape)
  return new Map([
    ['pair.places', [2 * pairs * places, PLACE_SIZE]],
    ['pair.middles', [2 * pairs, PLACE_SIZE]],
    ['pair.far', [pairs]],
    ['gap.radius', [pairs, places * places]],
    ['seen.scale', [pairs, 6 * seen]],
    ['seen.shift', [pairs, 6 * seen]],
    ...widths.slice(1).flatMap((width, l): [string, number[]][] => [
      [`pair.${l}.weight`, [pairs, widths[l], width]],
      [`pair.${l}.bias`, [pairs, 1, width]],
    ]),
  ])
}

/** Tensors whose rows are places. */
export const PLACE_TENSORS = ['pair.places', 'pair.middles'] as const

/** The first place of a frame that is not there, if there is one. @param places  rows of frame, x, y, z */
export function wrongPlace(frames: number, places: Float32Array): { row: number; frame: number } | undefined {
  for (let row = 0; row < places.length / PLACE_SIZE; row++) {
    const frame = places[PLACE_SIZE * row]
    if (!(Number.isInteger(frame) && frame >= 0 && frame < frames)) return { row, frame }
  }
  return undefined
}

/** Multiplications of one value where all pairs are near, without those of the frames. */
export function posedGapMultiplications(shape: PosedGapShape): number {
  const { pairs, places, seen } = shape
  const widths = pairWidths(shape)
  const layers = widths.slice(1).reduce((sum, width, l) => sum + width * widths[l], 0)
  return pairs * (18 * places + 5 * places * places + 24 * seen + layers)
}
