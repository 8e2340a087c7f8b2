/** Learning rates over the steps. */

/** Linear warm-up, then a cosine down to 1% of the peak. */
export function cosineRate(step: number, steps: number, peak: number): number {
  const warmUp = Math.min(200, Math.ceil(steps / 10))
  if (step < warmUp) return (peak * (step + 1)) / warmUp
  const progress = (step - warmUp) / Math.max(1, steps - warmUp)
  return peak * (0.01 + 0.99 * 0.5 * (1 + Math.cos(Math.PI * progress)))
}
