/** What `pliant bench SUITE --save` writes: a suite's result, and where it is from. */
import type { Machine } from '../origin/machine.js'

/** When, where and by which code a run measured. */
export interface RunOrigin {
  /** ISO 8601. */
  date: string
  machine: Machine
  /** As `describeCommit` has it; early files do not have it. */
  commit?: string | null
  quick: boolean
}

/** Its own origin is that of the last run. */
export interface ResultFile<Result extends object = object> extends RunOrigin {
  suite: string
  /** Of a suite whose parts are measured by themselves: of which run each part is; without it, all are of the last. */
  origins?: Readonly<Record<string, RunOrigin>>
  result: Result
}

/** Gives a suite's file by its name; undefined if it has saved none. */
export type ReadResult = (suite: string) => ResultFile | undefined

/** Gives what a suite keeps beside its file, one object for each of bench/cells/SUITE; none if there is nothing. */
export type ReadCells = (suite: string) => readonly object[]

/** Day, commit and machine. */
export function originText({ date, machine, commit, quick }: RunOrigin): string {
  const version = commit ? `, commit ${commit.slice(0, 7)}${commit.endsWith(' dirty') ? ' with changes' : ''}` : ''
  const few = quick ? ', a quick run' : ''
  return `${date.slice(0, 10)}${version}, ${machine.cpu}, ${machine.cores} cores, Node ${machine.node}${few}`
}

/** What runs it again, or a part of it. */
export function benchCommand(suite: string, part?: string): string {
  return `npx pliant bench ${suite}${part === undefined ? '' : ` --parts ${part}`}`
}
