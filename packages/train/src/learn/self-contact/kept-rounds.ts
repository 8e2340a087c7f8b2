/** A few samples of every round, for pages that replay how the boundary was found. */
import type { Columns, RoundData } from '../rounds/index.js'

/** Samples that a file keeps of all rounds together. */
const KEPT = 2000

/**
 * @param signOf  of a row: 1, -1, or 0 for one that is not shown
 * @returns codes, signs, and how many of each round
 */
export function keptRounds<C extends Columns & { codes: Float32Array }>(
  data: RoundData<C>,
  codeSize: number,
  signOf: (columns: C, row: number) => number,
): { rounds: number[]; codes: Float32Array; signs: Int8Array } {
  const rounds: number[] = []
  const codes: number[] = []
  const signs: number[] = []
  for (let round = 0; round < data.rounds; round++) {
    const columns = data.ofRound(round)
    const rows = Array.from({ length: columns.codes.length / codeSize }, (_, row) => row).filter(
      (row) => signOf(columns, row) !== 0,
    )
    // Evenly over the round, as they came.
    const count = Math.min(rows.length, Math.floor(KEPT / data.rounds))
    for (let i = 0; i < count; i++) {
      const row = rows[Math.floor((i * rows.length) / count)]
      codes.push(...columns.codes.subarray(row * codeSize, (row + 1) * codeSize))
      signs.push(signOf(columns, row))
    }
    rounds.push(count)
  }
  return { rounds, codes: Float32Array.from(codes), signs: Int8Array.from(signs) }
}
