/** Where bodies of a scene are: rigid poses, as a place and a turn or as a matrix. */
import { composeMat4, linearDeterminant, normaliseQuaternion, quaternionOfVector, uniformScale } from 'pliant/unstable'
import { Keys } from './keys.js'

const NOWHERE: readonly number[] = [0, 0, 0]
/** Difference of lengths up to which a matrix counts as rigid; numbers of files are rounded. */
const RIGID = 1e-6

/** One pose, or one for each frame. @throws UsageError naming what is wrong */
export function readPoses(keys: Keys): Float64Array[] {
  if (!keys.has('frames')) return [readPose(keys)]
  const clash = ['at', 'turn', 'frame'].find((name) => keys.has(name))
  if (clash) throw keys.error(`has '${clash}' beside 'frames', each of which says where the body is; drop it`)
  const frames = keys.list('frames')
  if (frames.length === 0) throw keys.error('frames is empty; give one or more, or leave it out')
  return frames.map((frame, i) => {
    const each = new Keys(`${keys.where}: frame ${i}`, frame)
    const pose = readPose(each)
    each.finish()
    return pose
  })
}

function readPose(keys: Keys): Float64Array {
  if (keys.has('frame')) {
    const clash = ['at', 'turn'].find((name) => keys.has(name))
    if (clash) throw keys.error(`has 'frame' and '${clash}', which say the same; keep one`)
    return rigid(keys, Float64Array.from(keys.numbers('frame', { count: 16 })))
  }
  const pose = new Float64Array(16)
  const at = keys.has('at') ? keys.numbers('at', { count: 3 }) : NOWHERE
  composeMat4(at, keys.has('turn') ? readTurn(keys) : [0, 0, 0, 1], [1, 1, 1], 0, pose, 0)
  return pose
}

/** A quaternion xyzw of any length, or an axis of any length and degrees about it. */
function readTurn(keys: Keys): Float64Array {
  const turn = new Float64Array(4)
  if (Array.isArray(keys.peek('turn'))) {
    turn.set(keys.numbers('turn', { count: 4 }))
    if (!(Math.hypot(...turn) > 0 && Math.hypot(...turn) < Infinity)) {
      throw keys.error('turn has no length; give a quaternion x, y, z, w')
    }
    normaliseQuaternion(turn, 0)
    return turn
  }
  const inside = new Keys(`${keys.where}: turn`, keys.any('turn'))
  const axis = inside.numbers('axis', { count: 3 })
  const degrees = inside.number('degrees')
  inside.finish()
  const length = Math.hypot(...axis)
  if (!(length > 0 && length < Infinity)) throw inside.error('axis has no length; give a direction')
  if (degrees === undefined) throw inside.error('degrees is missing; give how far to turn about the axis')
  const angle = ((degrees % 360) * Math.PI) / 180
  quaternionOfVector(
    axis.map((value) => (angle * value) / length),
    0,
    turn,
    0,
  )
  return turn
}

function rigid(keys: Keys, frame: Float64Array): Float64Array {
  if (frame[3] !== 0 || frame[7] !== 0 || frame[11] !== 0 || frame[15] !== 1) {
    throw keys.error('frame is no rigid motion; give 16 numbers column by column, columns ending in 0, 0, 0 and 1')
  }
  const { scale, spread } = uniformScale(frame)
  if (!(Math.abs(scale - 1) <= RIGID)) {
    throw keys.error(`frame scales by ${scale}; give a rigid one, and the size by 'scale' of a mesh or a shape`)
  }
  if (!(spread <= RIGID)) throw keys.error('frame shears, or scales its axes unevenly; give a rigid one')
  if (linearDeterminant(frame) < 0) throw keys.error('frame mirrors; give a rigid one')
  return frame
}
