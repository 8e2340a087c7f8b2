/** How well a method tells codes apart, wherever it draws its line: all are compared where they miss equally many contacts. */

/** Share of touching codes that are called free. */
export const MISSED = 0.02

/**
 * Share of codes that are called what they are if the line is drawn so that just `missed` of the touching ones are called free.
 * @param distances  of the field, larger for codes that are freer
 * @param signs      exact: -1 for a code that touches itself
 * @returns NaN if none touches
 */
export function accuracyAtMissed(distances: Float64Array, signs: Int8Array, missed = MISSED): number {
  const touching = distances.filter((_, i) => signs[i] < 0).sort()
  if (touching.length === 0) return Number.NaN
  const line = touching[touching.length - 1 - Math.floor(missed * touching.length)]
  const right = distances.reduce((sum, distance, i) => sum + (distance <= line === signs[i] < 0 ? 1 : 0), 0)
  return right / signs.length
}
