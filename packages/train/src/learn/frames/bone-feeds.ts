/** Points as a network in bone frames sees them: the feeds of `boneGraph`, filled row by row. */
import { type BoneNetworkShape, MAX_DRIVERS } from 'pliant/unstable'
import { input, intInput } from '../../graph/index.js'
import type { BoneBatch } from './bone-graph.js'

export interface BoneFeeds extends Record<string, Float32Array | Int32Array> {
  drivers: Float32Array
  local: Float32Array
  bone: Int32Array
  posedBone: Int32Array
  window: Float32Array
  outside: Float32Array
}

export function makeBoneFeeds(shape: BoneNetworkShape, poses: number, points: number): BoneFeeds {
  const rows = points * shape.nearest
  return {
    drivers: new Float32Array(poses * shape.bones.length * 3 * MAX_DRIVERS),
    local: new Float32Array(3 * rows),
    bone: new Int32Array(rows),
    posedBone: new Int32Array(rows),
    window: new Float32Array(rows),
    outside: new Float32Array(rows),
  }
}

/** The graph's inputs, named as the feeds. */
export function boneInputs(shape: BoneNetworkShape, poses: number, points: number): BoneBatch {
  const rows = points * shape.nearest
  return {
    poses,
    drivers: input('drivers', [poses, shape.bones.length, 3 * MAX_DRIVERS]),
    local: input('local', [rows, 3]),
    bone: intInput('bone', [rows]),
    posedBone: intInput('posedBone', [rows]),
    window: input('window', [points, shape.nearest]),
    outside: input('outside', [points, shape.nearest]),
  }
}

/**
 * Fills the row of one point and one of its bones.
 * @param row    point * nearest + place among the nearest
 * @param toBox  root frame to bone boxes, twelve values per bone of a pose, from `at` on
 */
export function fillBoneRow(
  feeds: BoneFeeds,
  shape: BoneNetworkShape,
  row: number,
  x: number,
  y: number,
  z: number,
  bone: number,
  window: number,
  toBox: Float64Array,
  at: number,
): void {
  const { half } = shape.bones[bone]
  let squared = 0
  for (let axis = 0; axis < 3; axis++) {
    const m = at + 4 * axis
    const inBox = toBox[m] * x + toBox[m + 1] * y + toBox[m + 2] * z + toBox[m + 3]
    const clamped = Math.min(Math.max(inBox, -1), 1)
    squared += ((inBox - clamped) * half[axis]) ** 2
    feeds.local[3 * row + axis] = clamped
  }
  feeds.bone[row] = bone
  feeds.window[row] = window
  feeds.outside[row] = Math.sqrt(squared) / shape.scale
}
