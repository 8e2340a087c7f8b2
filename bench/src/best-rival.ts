/** How far ahead we are: of the fastest rival that gives the same output, whichever that is in the row at hand. */
export interface Gain {
  /** The fastest. */
  rival: string
  /** Its time over ours: above 1 ours is faster. */
  gain: number
}

/** @param rivals  those whose output is equal to ours, or more */
export function gainOver<Name extends string>(
  times: Readonly<Record<Name, number>>,
  ours: NoInfer<Name>,
  rivals: readonly NoInfer<Name>[],
): Gain {
  const rival = rivals.reduce((best, name) => (times[name] < times[best] ? name : best))
  return { rival, gain: times[rival] / times[ours] }
}
