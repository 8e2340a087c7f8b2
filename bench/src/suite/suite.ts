/**
 * A suite: one thing that is measured, and all that is said of it. `pliant bench`, `pliant reproduce`, docs/benchmarks.md
 * and the README's table go over the suites of ../suites/index.ts and ask them; none of them knows a suite by name.
 */
import type { OnProgress } from 'pliant/unstable'
import type { Machine } from '../origin/machine.js'
import type { SuiteInputs } from './inputs.js'

/**
 * Loading a suite must be cheap, as help and documents load all of them: what measures is imported when it runs.
 * Given: what its inputs become. Result: its figures, plain JSON whose keys are only ever added to.
 */
export interface Suite<Given extends object = object, Result extends object = object> {
  readonly name: string
  /** What is measured, a few words for help. */
  readonly summary: string
  readonly inputs: SuiteInputs<Given>
  run(options: RunOptions & Given): Promise<Result>
  /** The result for a terminal. */
  table(result: Result): string
  /**
   * Its section of docs/benchmarks.md, heading and all; also of a result that an earlier version has saved.
   * @param originOf  a line for below each of its parts, where these are of several runs
   */
  markdown(result: Result, originOf?: (part: string) => string): string
  /** Keys of its result that its option `--parts` names: a saved run replaces those that it measured, and no others. */
  readonly parts?: readonly string[]
  /** Its row of the README's table, if it has one. */
  headline?(result: Result): Headline
  /** A paper's tables and figures beside ours, if there is a paper. */
  readonly page?: SuitePage<Given>
  /** Results that are made and committed one at a time, beside the suite's own, if it has such. */
  readonly cells?: SuiteCells
}

/** Files in bench/cells/SUITE, one JSON object each. */
export interface SuiteCells<Cell extends object = object> {
  /** Their section of docs/benchmarks.md, heading and all. */
  markdown(cells: readonly Cell[]): string
}

export interface RunOptions {
  signal?: AbortSignal
  onProgress?: OnProgress
  /** Fewer repetitions: a first look in seconds. */
  quick?: boolean
}

export interface SuitePage<Given extends object = object> {
  /** What `pliant reproduce` calls it, if that is not the suite's name. */
  readonly name?: string
  /** What the paper is about, a few words for help. */
  readonly summary: string
  /** What it takes, if that is not what the suite takes. */
  readonly inputs?: SuiteInputs
  run(options: ReproduceOptions & Given): Promise<Reproduction>
}

export interface Reproduction {
  /** All figures on the page. */
  result: object
  /** A page of them that opens anywhere. */
  html: string
  /** What else there is to say in a terminal, a line each. */
  notes?: readonly string[]
}

export interface ReproduceOptions extends RunOptions {
  machine: Machine
  /** ISO 8601. */
  date: string
}

/** The few figures of a suite that the README shows, as text. Where there is a choice, those that flatter least. */
export interface Headline {
  /** What was measured: an object and how many triangles it has. */
  subject: string
  /** Mean error off the surface, and the largest. */
  error: string
  /** Share of points whose sign is right. */
  sign: string
  /** Error of normals, median and 95%. */
  normals: string
  /** A change of shape and 1,024 queries with sign and normal, and where their points lie. */
  time: string
  /** There, over the fastest rival of equal output, and which that is. */
  gain: string
  /** The least over all numbers of queries from 128 up. */
  least: string
}
