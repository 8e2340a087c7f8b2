/** What a figure was measured on, and how times become one number. */
import { availableParallelism, cpus, totalmem } from 'node:os'

export interface Machine {
  cpu: string
  cores: number
  memoryGB: number
  node: string
  platform: string
}

/** Enough to compare figures by, and nothing that names the machine. */
export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  }
}

/** @throws RangeError if there are no times */
export function median(times: ArrayLike<number>): number {
  if (times.length === 0) throw new RangeError('median: no times; measure at least once.')
  const sorted = Float64Array.from(times).sort()
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export interface TimeOptions {
  /** Timed calls. */
  repeats: number
  /** Calls before them that are not timed, in which the engine compiles what is hot. */
  warmup?: number
}

/** Median time of one call [ms]. */
export function timeMedian(call: () => void, { repeats, warmup = 2 }: TimeOptions): number {
  for (let i = 0; i < warmup; i++) call()
  const times = new Float64Array(repeats)
  for (let i = 0; i < repeats; i++) {
    const began = performance.now()
    call()
    times[i] = performance.now() - began
  }
  return median(times)
}
