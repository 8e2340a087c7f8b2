/**
 * Codes brought to the boundary that a network sees (Tan et al., Eq. 4): those whose labels it is least sure of. With the
 * Hessian's first-order part, damped, each code goes by
 *
 *   z <- z - (m - 1/2) grad m / (|grad m|^2 + lambda),      m = sigmoid(logit)
 *
 * within the box; a step that leads further away from m = 1/2 is halved (algorithms.md 1.6, as the paper leaves H open).
 */
import type { Weights } from '../rounds/index.js'
import type { ContactNetwork } from '../self-contact/contact-network.js'

export interface RiskSeekingOptions {
  /** Steps at most, tried ones included. */
  steps: number
  /** lambda. */
  damping: number
  /** A code is done once a step changes it by less than this share of its length. */
  tolerance: number
}
export const RISK_SEEKING: RiskSeekingOptions = { steps: 50, damping: 1e-6, tolerance: 1e-7 }

/**
 * @param network  from codes to logits
 * @param codes    one after the other; moved in place
 * @returns how far each ended from the boundary, |m - 1/2|
 */
export async function seekBoundary(
  network: LogitNetwork,
  weights: Weights,
  codes: Float32Array,
  { lower, upper }: { lower: ArrayLike<number>; upper: ArrayLike<number> },
  { steps, damping, tolerance }: RiskSeekingOptions = RISK_SEEKING,
): Promise<Float32Array> {
  const size = lower.length
  const count = codes.length / size
  const { away, ways } = await waysAt(network, weights, codes, size, damping)
  const tried = new Float32Array(codes.length)
  /** Share of its way that each code tries next. */
  const share = new Float32Array(count).fill(1)
  const isDone = new Uint8Array(count)
  for (let step = 0; step < steps && isDone.includes(0); step++) {
    for (let row = 0; row < count; row++) {
      let [change, whole] = [0, 0]
      for (let at = row * size, k = 0; k < size; k++, at++) {
        tried[at] = Math.min(upper[k], Math.max(lower[k], codes[at] + share[row] * ways[at]))
        change += (tried[at] - codes[at]) ** 2
        whole += codes[at] ** 2
      }
      if (change <= tolerance ** 2 * whole) isDone[row] = 1
    }
    const next = await waysAt(network, weights, tried, size, damping)
    for (let row = 0; row < count; row++) {
      if (isDone[row] === 1) continue
      const isNearer = next.away[row] <= away[row]
      share[row] = isNearer ? 1 : share[row] / 2
      if (!isNearer) continue
      const [from, to] = [row * size, (row + 1) * size]
      codes.set(tried.subarray(from, to), from)
      ways.set(next.ways.subarray(from, to), from)
      away[row] = next.away[row]
    }
  }
  return away
}

type LogitNetwork = Pick<ContactNetwork, 'gradientsAt'>

/** How far codes are from the boundary, |m - 1/2|, and the whole step of each. */
async function waysAt(
  network: LogitNetwork,
  weights: Weights,
  codes: Float32Array,
  size: number,
  damping: number,
): Promise<{ away: Float32Array; ways: Float32Array }> {
  const { values, gradients } = await network.gradientsAt(weights, codes)
  const ways = new Float32Array(codes.length)
  const away = values.map((logit, row) => {
    const m = 1 / (1 + Math.exp(-logit))
    const slope = m * (1 - m)
    let squared = 0
    for (let k = 0; k < size; k++) squared += (slope * gradients[row * size + k]) ** 2
    const factor = ((0.5 - m) * slope) / (squared + damping)
    for (let k = 0; k < size; k++) ways[row * size + k] = factor * gradients[row * size + k]
    return Math.abs(m - 0.5)
  })
  return { away, ways }
}
