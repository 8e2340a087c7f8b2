/** What active learning had asked for after so many rounds. */
import type { LearnedRounds } from '../contact-protocol.js'

/** Samples from `first` to `end` came in the last of these rounds, those before it earlier. */
export interface RoundSpan {
  first: number
  end: number
}

/** @param round  counted from 1; 0 for none */
export function roundSpan({ counts }: LearnedRounds, round: number): RoundSpan {
  let first = 0
  for (let r = 0; r + 1 < round; r++) first += counts[r]
  return { first, end: round > 0 ? first + counts[round - 1] : 0 }
}

/** In words. */
export function roundText(rounds: LearnedRounds, round: number): string {
  if (round === 0) return 'none shown'
  const { first, end } = roundSpan(rounds, round)
  let touching = 0
  for (let n = first; n < end; n++) if (rounds.signs[n] < 0) touching++
  const counted = (count: number): string => count.toLocaleString('en')
  return `${round} of ${rounds.counts.length}: ${counted(end)} samples, ${counted(end - first)} new, ${counted(touching)} of them touching`
}
