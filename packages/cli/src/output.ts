/** What a verb hands back, and how it reaches stdout: text for a person, or one JSON object. */
import { printableJson, printableLines } from 'pliant/unstable'

export interface Report {
  /** The `--json` object; its keys are those the verb declares. */
  readonly json: Readonly<Record<string, unknown>>
  /** The same for a person, without a closing newline. */
  readonly text: string
  /** Why the run counts as failed (a missed gate) although there is a result; one line. */
  readonly failed?: string
  /** A server goes on after its report; the process ends when this resolves. */
  readonly until?: Promise<void>
}

/** Writes the report to stdout. Resolves when the stream has taken it, so that exiting loses nothing. */
export function writeReport(report: Report, json: boolean): Promise<void> {
  return writeStdout(json ? printableJson(JSON.stringify(report.json, jsonValue)) : printableLines(report.text))
}

/** With `--json` a failed call still leaves one object on stdout: `{ error, exitCode }`. */
export function writeJsonError(message: string, exitCode: number): Promise<void> {
  return writeStdout(printableJson(JSON.stringify({ error: message, exitCode })))
}

function writeStdout(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve()))
}

/** Typed arrays print as arrays, not as objects with numbered keys. */
function jsonValue(_key: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) && !(value instanceof DataView) ? Array.from(value as Float64Array) : value
}
