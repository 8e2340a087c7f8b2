/** What every reader in this room throws when a file is not what it should be. */
import { printable } from './printable.js'

/** Longest piece of a file that a message repeats. */
const QUOTE_LENGTH = 40

/** A file's content is wrong. The message is one line: `format: which value; what to do.` */
export class FileError extends Error {
  constructor(
    /** Short lower-case name of the format, as at the start of the message. */
    readonly format: string,
    problem: string,
  ) {
    super(`${format}: ${printable(problem)}`)
    this.name = 'FileError'
  }
}

/** A piece of a file between quotes, shortened, fit for a one-line message. */
export function quoted(text: string): string {
  const line = printable(text)
  return `'${line.length > QUOTE_LENGTH ? `${line.slice(0, QUOTE_LENGTH)}...` : line}'`
}
