/** Long work over many points in pieces, so that Ctrl-C is heard and the bar moves between two of them. */
import { setImmediate } from 'node:timers/promises'
import { stopIfAborted } from './errors.js'
import type { Call } from './verb.js'

/** Points per piece: a few milliseconds of exact distance. */
const PIECE = 4096
/** Codes per piece: a few tenths of a second of exact tests. */
export const EXACT_PIECE = 128

/** Calls `work(start, end)` for consecutive ranges that cover [0, count). @throws Interrupted between two of them */
export async function inBatches(
  count: number,
  stage: string,
  { signal, progress }: Pick<Call, 'signal' | 'progress'>,
  work: (start: number, end: number) => Promise<void> | void,
  piece = PIECE,
): Promise<void> {
  for (let start = 0; start < count; start += piece) {
    stopIfAborted(signal)
    const end = Math.min(start + piece, count)
    await work(start, end)
    progress.update({ fraction: end / count, stage })
    await setImmediate()
  }
  stopIfAborted(signal)
}
