/** Round numbers for axes, iso-lines and colour bars: 1, 2 or 5 times a power of ten. */

/**
 * The round step that cuts `span` into at most `most` parts.
 * @throws RangeError if the span is not positive and finite
 */
export function roundStep(span: number, most: number): number {
  if (!(span > 0) || !Number.isFinite(span)) {
    throw new RangeError(`ticks: span is ${span}; give a positive length.`)
  }
  const least = span / most
  const power = 10 ** Math.floor(Math.log10(least))
  // The hair of slack keeps 0.2 from becoming 0.5 when 0.6 / 3 comes out as 0.20000000000000001.
  for (const factor of [1, 2, 5]) if (factor * power >= least * (1 - 1e-9)) return factor * power
  return 10 * power
}

/** The smallest of 1, 2, 5 times a power of ten that is not below `value`. */
export function roundUp(value: number): number {
  return roundStep(value, 1)
}

/** Multiples of the round step inside [lower, upper], at most `most` + 1 of them. */
export function ticks(lower: number, upper: number, most: number): number[] {
  const step = roundStep(upper - lower, most)
  const result: number[] = []
  const first = Math.ceil(lower / step - 1e-9)
  const last = Math.floor(upper / step + 1e-9)
  // Dividing by the inverse gives 0.3 where multiplying by 0.1 gives 0.30000000000000004.
  const inverse = Math.round(1 / step)
  for (let i = first; i <= last; i++) result.push(step < 1 ? i / inverse : i * step)
  return result
}

/** Decimals that tell ticks of this step apart. */
export function decimalsOf(step: number): number {
  return Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
}
