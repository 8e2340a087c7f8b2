/** Spearman's rank correlation: 1 where one list rises whenever the other does. */

/** @returns NaN of fewer than two values, or where all of a list are equal */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [x, y] = [ranksOf(a), ranksOf(b)]
  const middle = (a.length - 1) / 2
  let together = 0
  let squaresX = 0
  let squaresY = 0
  for (let i = 0; i < x.length; i++) {
    together += (x[i] - middle) * (y[i] - middle)
    squaresX += (x[i] - middle) ** 2
    squaresY += (y[i] - middle) ** 2
  }
  return together / Math.sqrt(squaresX * squaresY)
}

/** Places in ascending order; equal values share the mean of theirs. */
function ranksOf(values: readonly number[]): Float64Array {
  const order = [...values.keys()].sort((i, j) => values[i] - values[j])
  const ranks = new Float64Array(values.length)
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++
    for (let k = from; k < to; k++) ranks[order[k]] = (from + to - 1) / 2
  }
  return ranks
}
