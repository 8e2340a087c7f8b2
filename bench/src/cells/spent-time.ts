/**
 * Processor time of all threads that went into a cell, so that it tells the same on a busy machine; kept beside the
 * checkpoint, so that a run that was interrupted tells that of all its parts.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'

/** Between two notes [s]: as much as a killed run forgets. */
const NOTED_EVERY = 5

export class SpentTime {
  private readonly before: number
  private readonly began: number
  private noted = 0
  private stopped: number | undefined

  /**
   * @param path  of the note
   * @param now   clock [s]; replaced in tests
   */
  constructor(
    private readonly path: string,
    private readonly now: () => number = processorSeconds,
  ) {
    this.before = readNote(path)
    this.began = now()
  }

  get seconds(): number {
    return this.stopped ?? this.before + this.now() - this.began
  }

  /** Called now and then while the work goes on. */
  note(): void {
    const { seconds } = this
    if (this.stopped !== undefined || seconds - this.before - this.noted < NOTED_EVERY) return
    this.noted = seconds - this.before
    writeFileSync(this.path, String(seconds))
  }

  /** What comes after is not counted. */
  stop(): void {
    if (this.stopped !== undefined) return
    this.stopped = this.seconds
    writeFileSync(this.path, String(this.stopped))
  }

  /** Once the result is safe. */
  forget(): void {
    rmSync(this.path, { force: true })
  }
}

function readNote(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8')) || 0
  } catch {
    return 0
  }
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
