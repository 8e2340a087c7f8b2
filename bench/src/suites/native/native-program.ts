/**
 * A native rival that runs: a process that is asked by lines and answers each with one line of JSON. The lines are
 * described in bench/native/common.h.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { PointKind } from '../../queries/query-points.js'

/** What is asked at once: some frames of a body, one after another, and in each the first points of that frame. */
export interface Turn {
  body: string
  /** Which points, or `self` for the pairs of triangles that meet. */
  kind: PointKind | 'self'
  count: number
  /** Frames go round from here on. */
  first: number
  frames: number
  /** So many more before those, which do not count. */
  warm: number
}

/** It does not do what it was asked to, and says why. */
export class ProgramRefusal extends Error {}

export class NativeProgram {
  private readonly child: ChildProcess
  private waiting: { resolve: (line: string) => void; reject: (error: Error) => void } | undefined
  private failure: Error | undefined

  /** @param data  folder with the bodies (data-folder.ts) */
  constructor(
    readonly name: string,
    path: string,
    data: string,
  ) {
    this.child = spawn(path, [data], { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.waiting?.resolve(line)
      this.waiting = undefined
    })
    this.child.on('error', (error) => this.fail(`cannot be started (${error.message})`))
    this.child.on('close', (code, signal) => this.fail(`ended by itself (${signal ?? `code ${code}`})`))
    // It may have ended while it was written to; what is told then is that it ended.
    this.child.stdin!.on('error', () => {})
  }

  /**
   * @returns the time of each frame that counts [microseconds]
   * @throws ProgramRefusal if it cannot do that
   */
  async time(method: string, turn: Turn): Promise<number[]> {
    return parseTimes(this.name, await this.ask(lineOf(method, turn)), turn.frames)
  }

  /** Writes what it answers to a file instead (native-answers.ts reads it). */
  async write(method: string, turn: Omit<Turn, 'warm'>, file: string): Promise<void> {
    refuse(this.name, parse(this.name, await this.ask(`${lineOf(method, { ...turn, warm: 0 })} ${file}`)))
  }

  /** Ends the process; nothing may be asked any more. */
  dispose(): void {
    this.failure ??= new Error(`bench native: ${this.name} was disposed of.`)
    this.child.kill()
  }

  private ask(line: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.failure) return reject(this.failure)
      this.waiting = { resolve, reject }
      this.child.stdin!.write(`${line}\n`)
    })
  }

  private fail(how: string): void {
    this.failure ??= new ProgramRefusal(`bench native: ${this.name} ${how}.`)
    this.waiting?.reject(this.failure)
    this.waiting = undefined
  }
}

function lineOf(method: string, { body, kind, count, first, frames, warm }: Turn): string {
  return [method, body, kind, count, first, frames, warm].join(' ')
}

/**
 * @returns times in a program's line [microseconds]
 * @throws ProgramRefusal if it is a refusal
 * @throws Error if it is none of its lines
 */
export function parseTimes(name: string, line: string, frames: number): number[] {
  const answer = parse(name, line)
  refuse(name, answer)
  const { times } = answer
  if (Array.isArray(times) && times.length === frames && times.every((time) => Number.isFinite(time) && time >= 0)) {
    return times
  }
  throw new Error(`bench native: ${name} answers ${shown(line)}, and not ${frames} times.`)
}

function parse(name: string, line: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(line))
  } catch {
    throw new Error(`bench native: ${name} answers ${shown(line)}, which is no JSON.`)
  }
}

function refuse(name: string, { error }: Record<string, unknown>): void {
  if (error !== undefined) throw new ProgramRefusal(`bench native: ${name}: ${error}.`)
}

function shown(line: string): string {
  return JSON.stringify(line.slice(0, 80))
}
