/** How gaps enter a network: softened by a share of their usual length, their logarithms brought to mean 0 and spread 1. */

/** Softening of a gap, as a share of its own median length. */
const SOFTENING = 0.1

/** Spread of a gap's logarithm below which its length is always the same. */
const NOTHING = 1e-6

/** Codes that gaps are scaled on. */
export const SCALED_ON = 2000

/**
 * @param squares  squared length of every gap, at each of some codes
 * @returns tensors gap.softening, gap.scale, gap.shift
 */
export function scalesOfGaps(gaps: number, squares: readonly Float64Array[]): Map<string, Float32Array> {
  const columns = ['softening', 'scale', 'shift'].map((name) => [`gap.${name}`, new Float32Array(gaps)] as const)
  for (let gap = 0; gap < gaps; gap++) {
    const own = Float64Array.from(squares, (row) => row[gap])
    const softening = SOFTENING * Math.sqrt(own.slice().sort()[own.length >> 1])
    const logs = own.map((square) => Math.log(square + softening ** 2))
    const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
    const spread = Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / logs.length)
    // Between points of one bone nothing changes but by rounding.
    const unit = spread > NOTHING ? spread : 1
    for (const [i, value] of [softening, 1 / unit, -mean / unit].entries()) columns[i][1][gap] = value
  }
  return new Map(columns)
}
