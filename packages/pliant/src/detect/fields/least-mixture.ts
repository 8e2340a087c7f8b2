/**
 * The step of a proximal bundle method (Kiwiel 1990): where a field has creases, as boxes have inside, it is told by a few
 * planes, each from a point where it was asked; the step goes to the least of the highest of them, less what it costs to go
 * far. Its dual is a mixture of their gradients, found by moving weight from one to another.
 */

/** Sweeps over all pairs; four planes settle within some ten. */
const SWEEPS = 24
/** Weights that move less end the sweeps. */
const SETTLED = 1e-12

const weights = new Float64Array(8)

/**
 * The mixture m of planes, no weight w below zero, their sum 1, for which |m|^2 / 2 - sum w height / length is least: a step
 * of -length m is the best there is.
 * @param gradients  xyz triples, 8 at most
 * @param heights    of each plane over where the step begins, at most 0
 * @param out        receives m
 */
export function leastMixture(
  gradients: Float64Array,
  heights: Float64Array,
  count: number,
  length: number,
  out: Float64Array,
  at: number,
): void {
  weights.fill(0)
  weights[0] = 1
  let x = gradients[0]
  let y = gradients[1]
  let z = gradients[2]
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    let moved = 0
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) {
        const dx = gradients[3 * j] - gradients[3 * i]
        const dy = gradients[3 * j + 1] - gradients[3 * i + 1]
        const dz = gradients[3 * j + 2] - gradients[3 * i + 2]
        const squared = dx * dx + dy * dy + dz * dz
        if (squared === 0) continue
        const wanted = ((heights[j] - heights[i]) / length - (x * dx + y * dy + z * dz)) / squared
        const shift = Math.min(weights[i], Math.max(-weights[j], wanted))
        if (shift === 0) continue
        weights[i] -= shift
        weights[j] += shift
        x += shift * dx
        y += shift * dy
        z += shift * dz
        moved = Math.max(moved, Math.abs(shift))
      }
    }
    if (moved < SETTLED) break
  }
  out[at] = x
  out[at + 1] = y
  out[at + 2] = z
}
