/** What `pliant train` tells of a result; which of it there is depends on what was trained (./kinds). */
export interface TrainedReport {
  warnings: string[]
  /** Keys of `--json` beside those that all have. */
  json: object
  /** For people, before the warnings. */
  lines: string[]
  /** In the last line, before and after the time that it took. */
  on: string
  judged: string
}
