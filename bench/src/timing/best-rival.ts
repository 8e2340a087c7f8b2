/** How far ahead we are: of the fastest rival that gives the same output, whichever that is in the row at hand. */
export interface Gain {
  /** The fastest. */
  rival: string
  /** Its time over ours: above 1 ours is faster. */
  gain: number
}

/**
 * @param times   of ours and of rivals; one that a saved result does not have yet is left out
 * @param rivals  those whose output is equal to ours, or more
 */
export function gainOver<Name extends string>(
  times: Readonly<Partial<Record<Name, number>>>,
  ours: NoInfer<Name>,
  rivals: readonly NoInfer<Name>[],
): Gain {
  const timed = rivals.filter((name) => times[name] !== undefined)
  const rival = timed.reduce((best, name) => (times[name]! < times[best]! ? name : best))
  return { rival, gain: times[rival]! / times[ours]! }
}

/** The smallest of those that a result has. */
export function fastestOf(...times: (number | undefined)[]): number {
  return Math.min(...times.filter((time) => time !== undefined))
}
