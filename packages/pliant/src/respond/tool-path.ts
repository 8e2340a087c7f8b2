/** A hand's recorded way: poses at times, straight and at even turns in between. For tests, benches and demonstrations. */
import type { Floats } from '../math/floats.js'
import { normaliseQuaternion, slerpQuaternions } from '../math/quaternion.js'

export interface ToolPathData {
  /** [s], ascending. */
  times: ArrayLike<number>
  /** [m], xyz triples, one per time. */
  positions: ArrayLike<number>
  /** xyzw, one per time; of any length but 0. */
  quaternions: ArrayLike<number>
}

export class ToolPath {
  readonly times: Float64Array
  readonly positions: Float64Array
  readonly quaternions: Float64Array

  /** @throws RangeError if lengths disagree, a number is not finite, or times do not ascend */
  constructor({ times, positions, quaternions }: ToolPathData) {
    const count = times.length
    if (count === 0 || positions.length !== 3 * count || quaternions.length !== 4 * count) {
      throw new RangeError(
        `tool path: ${count} times, ${positions.length} coordinates, ${quaternions.length} quaternion values; ` +
          'give at least one time, and three and four for each.',
      )
    }
    this.times = requireFinite('time', times)
    this.positions = requireFinite('coordinate', positions)
    this.quaternions = requireFinite('quaternion value', quaternions)
    for (let i = 1; i < count; i++) {
      if (!(this.times[i] > this.times[i - 1])) {
        throw new RangeError(`tool path: time ${i} is ${times[i]} after ${times[i - 1]}; give them in ascending order.`)
      }
    }
    for (let i = 0; i < count; i++) normaliseQuaternion(this.quaternions, 4 * i)
  }

  /** From the first time to the last [s]. */
  get duration(): number {
    return this.times[this.times.length - 1] - this.times[0]
  }

  /** The pose at a time [s]; before the first and after the last time, theirs. */
  at(time: number, outPosition: Floats, outQuaternion: Floats): void {
    const { times, positions, quaternions } = this
    const last = times.length - 1
    let [low, high] = [0, last]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (times[middle] <= time) low = middle
      else high = middle
    }
    const share = last === 0 ? 0 : Math.min(Math.max((time - times[low]) / (times[high] - times[low]), 0), 1)
    for (let axis = 0; axis < 3; axis++) {
      const from = positions[3 * low + axis]
      outPosition[axis] = from + share * (positions[3 * high + axis] - from)
    }
    slerpQuaternions(quaternions, 4 * low, quaternions, 4 * high, share, outQuaternion, 0)
  }
}

function requireFinite(what: string, values: ArrayLike<number>): Float64Array {
  const copy = Float64Array.from(values)
  const i = copy.findIndex((value) => !Number.isFinite(value))
  if (i >= 0) throw new RangeError(`tool path: ${what} ${i} is ${copy[i]}; give finite numbers.`)
  return copy
}
