/**
 * Where a rising curve no longer rises as it did ("kneedle", Satopaa et al. 2011): both axes scaled to 0 to 1, the point that
 * lies furthest above the straight line between the ends, once the curve has fallen back towards that line by as much as
 * points are apart on the average.
 */

/** How far it must fall back, in mean distances between points: the authors' S. */
const SENSITIVITY = 1

/**
 * @param sizes   rising
 * @param values  of a curve that rises ever less, such as accuracies by how much was learned from
 * @returns place of the elbow in the list; -1 if there is none yet
 */
export function findElbow(sizes: readonly number[], values: readonly number[]): number {
  const count = sizes.length
  if (count < 3) return -1
  const [low, high] = [Math.min(...values), Math.max(...values)]
  if (!(high > low)) return -1
  const above = values.map(
    (value, i) => (value - low) / (high - low) - (sizes[i] - sizes[0]) / (sizes[count - 1] - sizes[0]),
  )
  const isPeak = (i: number): boolean => above[i] >= above[i - 1] && above[i] >= above[i + 1]
  let peak = -1
  for (let i = 1; i < count; i++) {
    if (i < count - 1 && isPeak(i)) peak = i
    else if (peak > 0 && above[i] < above[peak] - SENSITIVITY / (count - 1)) return peak
  }
  return -1
}
