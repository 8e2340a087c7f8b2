/** What `pliant bench SUITE --save` writes: a suite's result, and where it is from. */
import type { Machine } from '../origin/machine.js'

export interface ResultFile<Result extends object = object> {
  suite: string
  /** ISO 8601. */
  date: string
  machine: Machine
  /** As `describeCommit` has it; early files do not have it. */
  commit?: string | null
  quick: boolean
  result: Result
}

/** Gives a suite's file by its name; undefined if it has saved none. */
export type ReadResult = (suite: string) => ResultFile | undefined

/** Gives what a suite keeps beside its file, one object for each of bench/cells/SUITE; none if there is nothing. */
export type ReadCells = (suite: string) => readonly object[]

/** Day, commit and machine. */
export function originText({ date, machine, commit }: ResultFile): string {
  const version = commit ? `, commit ${commit.slice(0, 7)}${commit.endsWith(' dirty') ? ' with changes' : ''}` : ''
  return `${date.slice(0, 10)}${version}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}`
}

/** What runs it again. */
export function benchCommand(suite: string): string {
  return `npx pliant bench ${suite}`
}
