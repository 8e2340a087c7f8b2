/** What is minimised: errors of truncated distances, in normalised units. */
import { abs, add, clamp, greater, less, mean, relu, sub, type Tensor, where } from '../graph/index.js'

/**
 * One-sided beyond the truncation: |f - d| inside the band; where |d| is beyond it, only falling short counts. A plain
 * two-sided clamp would kill the gradient of a point predicted beyond the band on the wrong side.
 */
export function truncatedError(predicted: Tensor, exact: Tensor, truncation: number): Tensor {
  const outside = relu(sub(truncation, predicted))
  const inside = relu(add(predicted, truncation))
  const band = abs(sub(predicted, exact))
  return where(greater(exact, truncation), outside, where(less(exact, -truncation), inside, band))
}

/** The mean of it. */
export function truncatedLoss(predicted: Tensor, exact: Tensor, truncation: number): Tensor {
  return mean(truncatedError(predicted, exact, truncation))
}

/** The paper's: L1 after clamping both sides to the truncation (Zesch et al. Eq. 2). */
export function clampedLoss(predicted: Tensor, exact: Tensor, truncation: number): Tensor {
  return mean(abs(sub(clamp(predicted, -truncation, truncation), clamp(exact, -truncation, truncation))))
}
