/** What attention costs at a geodesic distance from a domain's centre: nothing up to `reach`, all of it from twice that on. */
import { clamp, div, sub, type Tensor } from '../../graph/index.js'

export function priceOfDistance(distance: number, reach: number): number {
  return Math.min(1, Math.max(0, (distance - reach) / reach))
}

export function priceGraph(distances: Tensor, reach: number): Tensor {
  return clamp(div(sub(distances, reach), reach), 0, 1)
}
