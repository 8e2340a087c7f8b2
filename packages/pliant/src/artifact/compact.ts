/**
 * Tensors in less room: whole numbers in the narrowest type, shares as 16-bit fractions, grids as bytes. What comes back
 * packs to the same bytes again, so that a file read and written stays as it was.
 */

/** Indices below a limit in the narrowest unsigned type. */
export function narrowest(values: ArrayLike<number>, limit: number): Uint8Array | Uint16Array | Uint32Array {
  if (limit <= 2 ** 8) return Uint8Array.from(values)
  return limit <= 2 ** 16 ? Uint16Array.from(values) : Uint32Array.from(values)
}

const WHOLE = 65_535

/**
 * Weights of 0 to 1 as fractions of 65,535, none 0; those of a vertex sum to 1, the first, heaviest one making up for
 * what rounding lost.
 * @param starts where each vertex's weights begin; one more at the end
 */
export function packShares(shares: Float32Array, starts: Uint32Array): Uint16Array {
  const packed = Uint16Array.from(shares, (share) => Math.max(1, Math.round(WHOLE * share)))
  for (let v = 0; v + 1 < starts.length; v++) {
    const whole = packed.subarray(starts[v], starts[v + 1])
    if (whole.length > 0) whole[0] += WHOLE - whole.reduce((sum, share) => sum + share, 0)
  }
  return packed
}

export function unpackShares(packed: Uint16Array): Float32Array {
  return Float32Array.from(packed, (share) => share / WHOLE)
}

const LARGEST = 127

/**
 * Values as bytes of -127 to 127, times one of several scales.
 * @param scaleOf which scale a value has, by its place
 */
export function packBytes(
  values: Float32Array,
  scaleCount: number,
  scaleOf: (i: number) => number,
): { bytes: Int8Array; scales: Float32Array } {
  const scales = new Float32Array(scaleCount)
  values.forEach((value, i) => {
    scales[scaleOf(i)] = Math.max(scales[scaleOf(i)], Math.abs(value))
  })
  for (let s = 0; s < scaleCount; s++) scales[s] = roundUp(scales[s] / LARGEST)
  const bytes = Int8Array.from(values, (value, i) => (value === 0 ? 0 : Math.round(value / scales[scaleOf(i)])))
  return { bytes, scales }
}

export function unpackBytes(bytes: Int8Array, scales: Float32Array, scaleOf: (i: number) => number): Float32Array {
  return Float32Array.from(bytes, (byte, i) => byte * scales[scaleOf(i)])
}

/** To 12 bits, so that a byte times it is exact in single precision and packs again to the same scale. */
function roundUp(value: number): number {
  if (value === 0) return 0
  const unit = 2 ** (Math.floor(Math.log2(value)) - 11)
  return Math.ceil(value / unit) * unit
}
