/**
 * Where patches of a surface are at a code of a learned space of shapes, without restoring the surface. Restoring is linear
 * in what features say of every vertex, T = exp(v) S (model/acap/acap-inverse.ts). So the surface is cut into K pieces that
 * turn and stretch as one, and patches follow all of them:
 *
 *   (v_i, S_i) = W q + w,  T_i = exp(v_i) S_i  of each piece,   frames = A (T_1 .. T_K) + a
 *
 * W is what the space says of the middle of a piece, A is fitted (train's fit-frames.ts). A dense network in place of this,
 * 2 x 128 and learned for 800 steps, put patches eight times as far beside where they are (docs/notes/shape-contact.md).
 *
 * Tensors by name, row-major: pieces.weight [r, 9 K], pieces.bias [9 K]: x, y, z of v, then xx, xy, xz, yy, yz, zz of S, for
 * each piece; frames.weight [9 K, 12 F], frames.bias [12 F]: from T, row by row, to three rows of four for each frame.
 */
/** Numbers that a piece is told by, before and after its turn. */
export const PIECE_SIZE = 9
/** Where entry (i, j) of a stretch is among its six. */
export const STRETCH = [0, 1, 2, 1, 3, 4, 2, 4, 5] as const
/** Numbers that a frame is told by. */
export const FRAME_SIZE = 12

/** Sizes of what tells frames. */
export interface PieceShape {
  /** r: numbers of a code. */
  codeSize: number
  /** K: pieces of the surface. */
  pieces: number
  /** F: frames that follow them. */
  frames: number
}

/** Name -> dimensions of every tensor. */
export function pieceTensors({ codeSize, pieces, frames }: PieceShape): Map<string, number[]> {
  return new Map([
    ['pieces.weight', [codeSize, PIECE_SIZE * pieces]],
    ['pieces.bias', [PIECE_SIZE * pieces]],
    ['frames.weight', [PIECE_SIZE * pieces, FRAME_SIZE * frames]],
    ['frames.bias', [FRAME_SIZE * frames]],
  ])
}

/** Multiplications of the frames at one code, without turns. */
export function pieceMultiplications({ codeSize, pieces, frames }: PieceShape): number {
  return PIECE_SIZE * pieces * (codeSize + FRAME_SIZE * frames)
}
