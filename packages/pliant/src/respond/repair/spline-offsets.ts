/**
 * Offsets over the frames of a clip that come and go smoothly: cubic B-splines on even knots, so that what is added to a
 * recording has no jump up to its second derivative, wherever it begins and ends.
 */

/** Frames of a clip that may be changed, from the first to the last. */
export interface FrameSpan {
  /** Number of the first of them. */
  first: number
  /** Number of the last of them. */
  last: number
}

/** What one knot adds to one frame. */
interface Share {
  knot: number
  weight: number
}

export class SplineOffsets {
  readonly knots: number
  readonly #shares: Share[][]

  /**
   * @param spacing  frames from knot to knot
   * @param frames   of the clip: at its ends nothing has to be smooth
   */
  constructor(
    readonly span: FrameSpan,
    spacing: number,
    frames: number,
  ) {
    const { first, last } = span
    const places: number[] = []
    const reach = 2 * spacing
    // A knot is worth having if it fades out within the span, or the clip ends there.
    const lowest = first === 0 ? -reach : first - 1 + reach
    const highest = last === frames - 1 ? last + reach : last + 1 - reach
    const middle = (first + last) / 2
    const steps = Math.ceil((last - first) / spacing) + 4
    for (let i = -steps; i <= steps; i++) {
      const place = middle + i * spacing
      if (place >= lowest && place <= highest) places.push(place)
    }
    this.knots = places.length
    this.#shares = Array.from({ length: last - first + 1 }, (_, i) =>
      places.flatMap((place, knot) => {
        const weight = cubicSpline((first + i - place) / spacing)
        return weight > 0 ? [{ knot, weight }] : []
      }),
    )
  }

  /** @param out  receives the offset of a frame, `size` numbers */
  at(coefficients: Float64Array, size: number, frame: number, out: Float64Array): void {
    out.fill(0)
    for (const { knot, weight } of this.#shares[frame - this.span.first] ?? []) {
      for (let k = 0; k < size; k++) out[k] += weight * coefficients[knot * size + k]
    }
  }

  /** Adds the gradient by the offset of a frame to that by the coefficients. */
  pullBack(byOffset: Float64Array, size: number, frame: number, out: Float64Array): void {
    for (const { knot, weight } of this.#shares[frame - this.span.first] ?? []) {
      for (let k = 0; k < size; k++) out[knot * size + k] += weight * byOffset[k]
    }
  }
}

/** The uniform cubic B-spline, two knots wide to either side. */
function cubicSpline(x: number): number {
  const t = Math.abs(x)
  if (t >= 2) return 0
  return t >= 1 ? (2 - t) ** 3 / 6 : 2 / 3 - t * t + t ** 3 / 2
}
