/** What every reader in this room throws when a file is not what it should be. */

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

/** Files are full of surprises; control characters must not reach a terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be replaced
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, '?')
}
