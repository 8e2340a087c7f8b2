/** Products of long rows of numbers, in tiles: what the orthogonalisation of a growing basis spends its time on. */

/**
 * Products of each of `count` basis rows with each of `width` block rows.
 * @param out  receives product of basis row i and block row r at i * width + r
 */
export function rowProducts(
  basis: Float64Array,
  count: number,
  block: Float64Array,
  width: number,
  length: number,
  out: Float64Array,
): void {
  for (let i = 0; i < count; i += 2) {
    // The last of an odd number of rows goes with itself.
    const twin = Math.min(i + 1, count - 1)
    const a = i * length
    const b = twin * length
    let r = 0
    for (; r + 3 < width; r += 4) {
      const r0 = r * length
      const r1 = r0 + length
      const r2 = r1 + length
      const r3 = r2 + length
      let s0 = 0
      let s1 = 0
      let s2 = 0
      let s3 = 0
      let t0 = 0
      let t1 = 0
      let t2 = 0
      let t3 = 0
      for (let k = 0; k < length; k++) {
        const x = basis[a + k]
        const y = basis[b + k]
        const v0 = block[r0 + k]
        const v1 = block[r1 + k]
        const v2 = block[r2 + k]
        const v3 = block[r3 + k]
        s0 += x * v0
        s1 += x * v1
        s2 += x * v2
        s3 += x * v3
        t0 += y * v0
        t1 += y * v1
        t2 += y * v2
        t3 += y * v3
      }
      const s = i * width + r
      out[s] = s0
      out[s + 1] = s1
      out[s + 2] = s2
      out[s + 3] = s3
      const t = twin * width + r
      out[t] = t0
      out[t + 1] = t1
      out[t + 2] = t2
      out[t + 3] = t3
    }
    for (; r < width; r++) {
      let s = 0
      let t = 0
      for (let k = 0; k < length; k++) {
        s += basis[a + k] * block[r * length + k]
        t += basis[b + k] * block[r * length + k]
      }
      out[i * width + r] = s
      out[twin * width + r] = t
    }
  }
}

/** out_r += sum_i weights[i * width + r] basis_i, for each of `width` rows of `out`. */
export function addRows(
  basis: Float64Array,
  count: number,
  weights: Float64Array,
  width: number,
  length: number,
  out: Float64Array,
): void {
  let i = 0
  for (; i + 3 < count; i += 4) {
    const i0 = i * length
    const i1 = i0 + length
    const i2 = i1 + length
    const i3 = i2 + length
    for (let r = 0; r < width; r++) {
      const to = r * length
      const w0 = weights[i * width + r]
      const w1 = weights[(i + 1) * width + r]
      const w2 = weights[(i + 2) * width + r]
      const w3 = weights[(i + 3) * width + r]
      for (let k = 0; k < length; k++) {
        out[to + k] += w0 * basis[i0 + k] + w1 * basis[i1 + k] + (w2 * basis[i2 + k] + w3 * basis[i3 + k])
      }
    }
  }
  for (; i < count; i++) {
    for (let r = 0; r < width; r++) {
      const weight = weights[i * width + r]
      for (let k = 0; k < length; k++) out[r * length + k] += weight * basis[i * length + k]
    }
  }
}
