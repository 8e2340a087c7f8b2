/** How rough a force feels: second differences in time of a force that was sampled evenly, as a hand would feel it. */
export interface ForceJerk {
  /** Root mean square of the second difference over dt^2 [N/s^2]. */
  rms: number
  /** The largest of them [N/s^2]. */
  largest: number
  /** Mean length of the force [N], to compare them by. */
  meanForce: number
}

/**
 * @param samples  forces [N], xyz triples, at least three of them
 * @param dt       time between two [s]
 * @throws RangeError if there are too few, one is not finite, or dt is not positive
 */
export function forceJerk(samples: ArrayLike<number>, dt: number): ForceJerk {
  const count = Math.floor(samples.length / 3)
  if (count < 3) throw new RangeError(`force jerk: ${count} samples; give at least 3.`)
  if (!(dt > 0)) throw new RangeError(`force jerk: dt is ${dt}; give a positive number of seconds.`)
  let sum = 0
  let largest = 0
  let length = 0
  for (let n = 0; n < count; n++) {
    const i = 3 * n
    const size = Math.hypot(samples[i], samples[i + 1], samples[i + 2])
    if (!Number.isFinite(size)) throw new RangeError(`force jerk: sample ${n} is not finite; leave it out.`)
    length += size
    if (n === 0 || n === count - 1) continue
    let square = 0
    for (let axis = i; axis < i + 3; axis++) square += (samples[axis - 3] - 2 * samples[axis] + samples[axis + 3]) ** 2
    sum += square
    largest = Math.max(largest, square)
  }
  return {
    rms: Math.sqrt(sum / (count - 2)) / dt ** 2,
    largest: Math.sqrt(largest) / dt ** 2,
    meanForce: length / count,
  }
}
