/**
 * Values that come round again: keys at times in [0, 1), joined by cubics that rise and fall only where the keys do
 * (Fritsch and Carlson 1980, in the form of Steffen), so that extremes are eased and held values stay held.
 */
export type Cycle = (phase: number) => number

/** @param keys  time and value, times rising in [0, 1) */
export function cycle(...keys: [time: number, value: number][]): Cycle {
  const count = keys.length
  const at = (i: number): [number, number] => {
    const [time, value] = keys[((i % count) + count) % count]
    return [time + Math.floor(i / count), value]
  }
  const slopeTo = (i: number): number => (at(i + 1)[1] - at(i)[1]) / (at(i + 1)[0] - at(i)[0])
  const tangents = keys.map((_, i) => {
    const [before, after] = [slopeTo(i - 1), slopeTo(i)]
    if (before * after <= 0) return 0
    const [left, right] = [at(i)[0] - at(i - 1)[0], at(i + 1)[0] - at(i)[0]]
    const mean = (before * right + after * left) / (left + right)
    return Math.sign(mean) * Math.min(Math.abs(mean), 2 * Math.abs(before), 2 * Math.abs(after))
  })
  return (phase) => {
    let time = phase - Math.floor(phase)
    if (time < keys[0][0]) time += 1
    let i = count - 1
    while (at(i)[0] > time) i--
    const [[t0, v0], [t1, v1]] = [at(i), at(i + 1)]
    const span = t1 - t0
    const t = (time - t0) / span
    const [m0, m1] = [span * tangents[i], span * tangents[(i + 1) % count]]
    return v0 + t * (m0 + t * (3 * (v1 - v0) - 2 * m0 - m1 + t * (2 * (v0 - v1) + m0 + m1)))
  }
}

/** A wave: `middle` plus `swing` times the cosine, highest at `peak`, `times` per round. */
export function wave(middle: number, swing: number, peak = 0, times = 1): Cycle {
  return (phase) => middle + swing * Math.cos(2 * Math.PI * times * (phase - peak))
}
