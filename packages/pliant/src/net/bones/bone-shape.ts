/**
 * A network in bone frames, for skinned characters (docs/notes/prototypes.md): a network of the global point and all joint
 * angles does not carry over to new motion, one that sees each body part from its own bone does.
 *
 * At the point q, in the frame of the root joint, the `nearest` bones answer, by distance to the posed bone segment
 * less its radius. Bone b sees x = (T_b^-1 q - centre_b) / half_b in [-1, 1]^3 (clamped), and
 *   w = warp_b(x)                     grid of this pose: 3 channels of warp, then features
 *   X = x - w[0..3)
 *   g = grid_b(X)                     static grid: distance, logit, then features
 *   h = silu([X, w[3..), g] W0 + bias_b);  (r0, r1) = h W1 + b1
 *   s_b = g[0] + r0 + |q - clamped q|,  l_b = g[1] + r1
 *   f = sum_b o_b s_b,   o_b ~ window_b exp(l_b - sharpness s_b), normalised
 * Distances are in units of `scale`. The window fades a bone out before it stops being among the nearest, so that f is
 * continuous. The grid of a pose is base + sum_k c_k basis_k with c = u L + tanh(u A + a) V + v, where u holds the
 * rotation vectors (over pi) of the joints that bend this part: `drivers`, zero where there are fewer than MAX_DRIVERS.
 *
 * Tensors (row-major; grids in [z][y][x][channel] order; B bones, U = 3 * MAX_DRIVERS, K coefficients, H code.hidden):
 *   code.linear [B, U, K]  code.offset [B, K]  code.hidden.weight [B, U, H]  code.hidden.bias [B, H]  code.output [B, H, K]
 *   warp.base [B, r^3 (3 + features)]   warp.basis [B, K, r^3 (3 + features)]
 *   grid [nodes of all bones, 2 + features], one bone's grid after the other
 *   head.0.weight [inputs, hidden]  head.0.bias [B, hidden]  head.1.weight [hidden, 2]  head.1.bias [2]
 */
import type { Vec3 } from '../../math/box.js'

/**
 * Added to squared lengths of segments [m^2], so that a segment of no length divides by something. Far below the square of
 * any length that single precision tells from zero beside a body of a micrometre: it changes no answer in any unit.
 */
export const LEAST_SQUARE = 1e-30

/** Joints that may bend one part: its own and up to seven others. */
export const MAX_DRIVERS = 8

/** A part of a character or of a body, and its place in the frame that it moves with. */
export interface BoneFrame {
  /** Of its joint, or of the part. */
  name: string
  /** Its joint, by number in the skeleton. */
  joint: number
  /** Centre of the part's box in the joint's frame [m]. */
  centre: Vec3
  /** Half extents of that box [m]. */
  half: Vec3
  /** How many nodes its static grid has along x, y, z: counts, without a unit. */
  nodes: Vec3
  /** Where the bone begins, as a segment in the joint's frame [m]. */
  start: Vec3
  /** Where it ends [m]. */
  end: Vec3
  /** The part's mean distance from the segment [m]. */
  radius: number
  /** Joints, by number, whose rotation bends this part; at most MAX_DRIVERS. */
  drivers: number[]
}

/** What a network in the frames of bones, or of a body's parts, is made of. */
export interface BoneNetworkShape {
  /** Its bones or parts. */
  bones: BoneFrame[]
  /** How many bones answer each point. */
  nearest: number
  /** Width of the window [m]. */
  fade: number
  /** How strongly the nearer of two surfaces wins, per unit of `scale`. */
  sharpness: number
  /** Unit of distance [m]: the body's height. */
  scale: number
  /** Coefficients of each bone's code, which blend its warp grid. */
  coefficients: number
  /** Hidden units between the rotations of its drivers and the coefficients. */
  codeHidden: number
  /** Nodes along each side of a bone's warp grid, and features at each beside the three of the warp. */
  warp: { resolution: number; features: number }
  /** Features at each node of a bone's static grid, beside its two distances. */
  grid: { features: number }
  /** Width of the head's hidden layer. */
  hidden: number
}

/** Length of the head's input: warped point, features of the warp grid, channels of the static grid. */
export function boneHeadInputs(shape: BoneNetworkShape): number {
  return 3 + shape.warp.features + 2 + shape.grid.features
}

/** How many joints a network's bones need the matrices of. */
export function jointsOf({ bones }: Pick<BoneNetworkShape, 'bones'>): number {
  return bones.reduce((most, { joint }) => Math.max(most, joint + 1), 0)
}

/** Where each bone's nodes start within the static grids' tensor; then how many there are. */
export function gridStarts(bones: readonly Pick<BoneFrame, 'nodes'>[]): number[] {
  const starts = [0]
  for (const { nodes } of bones) starts.push(starts[starts.length - 1] + nodes[0] * nodes[1] * nodes[2])
  return starts
}

/** Name -> dimensions of every tensor. */
export function boneTensors(shape: BoneNetworkShape): Map<string, number[]> {
  const { coefficients: k, codeHidden: h, hidden } = shape
  const bones = shape.bones.length
  const inputs = 3 * MAX_DRIVERS
  const warp = shape.warp.resolution ** 3 * (3 + shape.warp.features)
  return new Map([
    ['code.linear', [bones, inputs, k]],
    ['code.offset', [bones, k]],
    ['code.hidden.weight', [bones, inputs, h]],
    ['code.hidden.bias', [bones, h]],
    ['code.output', [bones, h, k]],
    ['warp.base', [bones, warp]],
    ['warp.basis', [bones, k, warp]],
    ['grid', [gridStarts(shape.bones)[bones], 2 + shape.grid.features]],
    ['head.0.weight', [boneHeadInputs(shape), hidden]],
    ['head.0.bias', [bones, hidden]],
    ['head.1.weight', [hidden, 2]],
    ['head.1.bias', [2]],
  ])
}

/** Multiplications of one query once posed: choice of bones, transforms, lookups, head, blend. */
export function boneMultiplications(shape: BoneNetworkShape): number {
  const choice = 12 * shape.bones.length
  const each = 9 + 8 * (3 + shape.warp.features + 2 + shape.grid.features) + shape.hidden * (boneHeadInputs(shape) + 2)
  return choice + shape.nearest * (each + 2)
}
