/** What a figure was measured on. */
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
