/**
 * Which bones answer a point, and with what weight they enter: the nearest by distance to the posed segment less its
 * radius, each with a window that is zero where it would leave the nearest.
 */
import { invertAffine } from '../../math/mat4.js'
import { type BoneNetworkShape, LEAST_SQUARE } from './bone-shape.js'

/** Bones posed for one shape: segments in the root frame, and the way into each bone's box. */
export interface PosedBones {
  /** Segment start and end minus start [m], six values per bone. */
  segments: Float64Array
  /** Rows of the 3 x 4 map from root frame to the bone's normalised box, twelve values per bone. */
  toBox: Float64Array
}

export function makePosedBones(bones: number): PosedBones {
  return { segments: new Float64Array(6 * bones), toBox: new Float64Array(12 * bones) }
}

/**
 * @param matrices  joint frame to root frame, column-major 4x4 per joint, with whatever scale it has gained since rest
 */
export function poseBones(shape: BoneNetworkShape, matrices: ArrayLike<number>, out: PosedBones): void {
  const { segments, toBox } = out
  for (let b = 0; b < shape.bones.length; b++) {
    const { joint, start, end, centre, half } = shape.bones[b]
    const m = 16 * joint
    // A joint scaled to nothing: its part has no place, and every point of its box is equally far.
    if (!invertAffine(matrices, m, _inverse, 0)) _inverse.fill(0)
    for (let axis = 0; axis < 3; axis++) {
      const x = matrices[m + axis]
      const y = matrices[m + 4 + axis]
      const z = matrices[m + 8 + axis]
      segments[6 * b + axis] = x * start[0] + y * start[1] + z * start[2] + matrices[m + 12 + axis]
      segments[6 * b + 3 + axis] = x * (end[0] - start[0]) + y * (end[1] - start[1]) + z * (end[2] - start[2])
      for (let column = 0; column < 3; column++) {
        toBox[12 * b + 4 * axis + column] = _inverse[4 * column + axis] / half[axis]
      }
      toBox[12 * b + 4 * axis + 3] = (_inverse[12 + axis] - centre[axis]) / half[axis]
    }
  }
}

/** Chosen bones of one point. */
export interface BoneChoice {
  bones: Int32Array
  windows: Float64Array
}

/** Fills the `nearest` bones of a point, nearest first, and their windows. */
export function chooseBones(
  shape: BoneNetworkShape,
  posed: PosedBones,
  x: number,
  y: number,
  z: number,
  out: BoneChoice,
): void {
  const { nearest, fade } = shape
  const count = shape.bones.length
  const best = _best
  const score = _score
  // One more than are chosen: the first that is not sets the windows.
  const kept = Math.min(nearest + 1, count)
  let filled = 0
  for (let b = 0; b < count; b++) {
    const s = 6 * b
    const px = x - posed.segments[s]
    const py = y - posed.segments[s + 1]
    const pz = z - posed.segments[s + 2]
    const dx = posed.segments[s + 3]
    const dy = posed.segments[s + 4]
    const dz = posed.segments[s + 5]
    const t = Math.min(Math.max((px * dx + py * dy + pz * dz) / (dx * dx + dy * dy + dz * dz + LEAST_SQUARE), 0), 1)
    const distance = Math.sqrt((px - t * dx) ** 2 + (py - t * dy) ** 2 + (pz - t * dz) ** 2) - shape.bones[b].radius
    let place = filled
    while (place > 0 && score[place - 1] > distance) place--
    if (place >= kept) continue
    for (let i = Math.min(filled, kept - 1); i > place; i--) {
      score[i] = score[i - 1]
      best[i] = best[i - 1]
    }
    score[place] = distance
    best[place] = b
    if (filled < kept) filled++
  }
  const limit = count > nearest ? score[nearest] : Infinity
  for (let k = 0; k < nearest; k++) {
    out.bones[k] = k < count ? best[k] : best[0]
    const room = Math.min(Math.max((limit - score[k]) / fade, 0), 1)
    out.windows[k] = k < count ? room * room * (3 - 2 * room) : 0
  }
  // All equally far: the nearest alone answers.
  if (!(out.windows[0] > 1e-6)) out.windows[0] = 1e-6
}

const _inverse = new Float64Array(16)
const _best = new Int32Array(16)
const _score = new Float64Array(16)
