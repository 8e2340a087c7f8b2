/** How far the learned field is from the exact one on a slice, judged inside the band that was trained. */
export interface SliceError {
  /** |learned - exact| [m] of every node; NaN where |exact| is beyond the truncation. */
  values: Float32Array
  /** Of the nodes inside the band [m]; 0 if there are none. */
  mean: number
  max: number
  /** How many nodes lie inside the band. */
  points: number
}

export function sliceError(learned: Float32Array, exact: Float32Array, truncation: number): SliceError {
  const values = new Float32Array(exact.length)
  let sum = 0
  let max = 0
  let points = 0
  for (let i = 0; i < exact.length; i++) {
    // Beyond the band the network only promises "at least about this far": no error to speak of.
    if (!(Math.abs(exact[i]) <= truncation)) {
      values[i] = Number.NaN
      continue
    }
    const error = Math.abs(learned[i] - exact[i])
    values[i] = error
    sum += error
    max = Math.max(max, error)
    points++
  }
  return { values, mean: points > 0 ? sum / points : 0, max, points }
}
