/**
 * What no network could learn, said before hours are spent on it: sizes beyond single precision, clips in other units
 * than the character, parts that vanish.
 */

import { boxOfPoints } from 'pliant'
import { type Clip, type SkinnedCharacter, sampleClip } from 'pliant/character'
import { boxDiagonal, frameTimes, linearDeterminant, weightOfJoints } from 'pliant/unstable'

/** Each pose's surface is posed and searched whole: with more than this, for hours and beyond memory. */
const MOST_VERTICES = 500_000
/** Height at rest [m]: beyond these it is in no unit that anybody means. */
const SHORTEST = 1e-6
const TALLEST = 1e7
/** The largest extent in any direction, in heights. */
const WIDEST = 200
/** How far from the origin it may stand at rest, in heights: further off the shape is lost in rounding. */
const REMOTEST = 1e6
/** How far from the root a joint may be carried, in extents at rest: far above what arms and capes do. */
const FARTHEST = 20
/** Scale of a joint, relative to rest. Less is a part that vanishes, whose frame cannot be looked into. */
const SMALLEST = 0.01
const LARGEST = 100
/** Longest axis of a joint's frame over its shortest: frames are taken for turned and evenly scaled ones. */
const FLATTEST = 10
/** Frames per second at which clips are looked at. */
const FRAMES_PER_SECOND = 30

/** @throws Error naming the first thing that cannot be learned, and what to do */
export function checkCharacter(character: SkinnedCharacter, clips: readonly Clip[]): void {
  const { skeleton, height, vertexCount } = character
  if (vertexCount > MOST_VERTICES) {
    throw new Error(`character: it has ${vertexCount} vertices; reduce them to ${MOST_VERTICES} or fewer.`)
  }
  const rest = new Float64Array(3 * vertexCount)
  character.positionsOfPose(skeleton.rest, rest)
  const extent = boxDiagonal(boxOfPoints(rest))
  if (!(height >= SHORTEST && height <= TALLEST)) {
    throw new Error(
      `character: it is ${rounded(height)} m tall at rest; scale it to between ${SHORTEST} and ${TALLEST} m.`,
    )
  }
  if (!(extent <= WIDEST * height)) {
    throw new Error(
      `character: it is ${rounded(height)} m tall but ${rounded(extent)} m across at rest; check the places and scales of its joints.`,
    )
  }
  const matrices = new Float64Array(16 * skeleton.jointCount)
  skeleton.worldMatrices(skeleton.rest, matrices)
  const remote = distanceOf(matrices, 16 * skeleton.root)
  if (!(remote <= REMOTEST * height)) {
    throw new Error(`character: it stands ${rounded(remote)} m from the origin at rest; move it nearer.`)
  }

  const carrying = weightOfJoints(character.surface, skeleton.jointCount)
  const check = (when: string): void => {
    for (let joint = 0; joint < skeleton.jointCount; joint++) {
      if (!(carrying[joint] > 0)) continue
      const fault = faultOf(matrices, skeleton.restMatrices, 16 * joint, extent)
      if (fault) throw new Error(`character: ${when} joint '${skeleton.names[joint]}' is ${fault}`)
    }
  }
  skeleton.matrices(skeleton.rest, matrices)
  check('at rest')
  const pose = skeleton.createPose()
  for (const clip of clips) {
    for (const time of frameTimes(clip, FRAMES_PER_SECOND)) {
      sampleClip(skeleton, clip, time, pose)
      skeleton.matrices(pose, matrices)
      check(`in clip '${clip.name}' at ${rounded(time)} s`)
    }
  }
}

/** What is wrong with a joint's matrix, and what to do; undefined if nothing is. */
function faultOf(matrices: Float64Array, rest: Float64Array, at: number, extent: number): string | undefined {
  const away = distanceOf(matrices, at)
  if (!(away <= FARTHEST * extent)) {
    return `${rounded(away)} m from the root of a body that is ${rounded(extent)} m across; check the unit, or leave the clip out.`
  }
  const scale = Math.cbrt(Math.abs(linearDeterminant(matrices, at) / linearDeterminant(rest, at)))
  if (!(scale >= SMALLEST && scale <= LARGEST)) {
    return `scaled by ${rounded(scale)} since rest; keep it between ${SMALLEST} and ${LARGEST}, or leave the clip out.`
  }
  const axes = [0, 4, 8].map((column) => Math.hypot(...matrices.subarray(at + column, at + column + 3)))
  const flatness = Math.max(...axes) / Math.min(...axes)
  if (!(flatness <= FLATTEST)) {
    return `scaled ${rounded(flatness)} times as much one way as another; keep it below ${FLATTEST}, or leave the clip out.`
  }
  return undefined
}

/** For a message. */
function rounded(value: number): number {
  return Number(value.toPrecision(4))
}

/** Of the place that a matrix puts the origin to. */
function distanceOf(matrices: Float64Array, at: number): number {
  return Math.hypot(matrices[at + 12], matrices[at + 13], matrices[at + 14])
}
