/** 16-bit floats (IEEE 754 binary16), which JavaScript engines of today do not all have: 11 bits of precision. */

const float = new Float32Array(1)
const bits = new Uint32Array(float.buffer)

/** The nearest half, ties to even, as its bits; beyond 65,504 infinity. */
export function halfBits(value: number): number {
  float[0] = value
  const sign = (bits[0] >>> 16) & 0x8000
  const rest = bits[0] & 0x7fffffff
  if (rest > 0x7f800000) return sign | 0x7e00
  // 65,520 is halfway between the largest half and the next, which there is not.
  if (rest >= 0x477ff000) return sign | 0x7c00
  // Below 2^-14 halves are multiples of 2^-24: adding 0.5 makes the single's own rounding do the work.
  if (rest < 0x38800000) {
    float[0] = Math.abs(float[0]) + 0.5
    return sign | (bits[0] - 0x3f000000)
  }
  return sign | ((rest - 0x38000000 + 0xfff + ((rest >>> 13) & 1)) >>> 13)
}

/** The value of a half, exactly. */
export function halfValue(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >>> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction ? Number.NaN : sign * Infinity
  return sign * (1024 + fraction) * 2 ** (exponent - 25)
}
