/** Builds text files in pieces: one long string of a large mesh would pass the engine's limit (512 MB). */

const ROWS_PER_PIECE = 65536

/** A run of lines: how many, and the text of each with its line end. */
export interface TextRows {
  count: number
  row(index: number): string
}

/** The bytes of texts and rows, in order. */
export function encodeText(parts: readonly (string | TextRows)[]): Uint8Array {
  const encoder = new TextEncoder()
  const pieces: Uint8Array[] = []
  for (const part of parts) {
    if (typeof part === 'string') {
      pieces.push(encoder.encode(part))
      continue
    }
    for (let start = 0; start < part.count; start += ROWS_PER_PIECE) {
      let text = ''
      for (let i = start; i < Math.min(part.count, start + ROWS_PER_PIECE); i++) text += part.row(i)
      pieces.push(encoder.encode(text))
    }
  }
  const bytes = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

/** A comment as one line, whatever it is made of. */
export function oneLine(comment: string): string {
  return comment.replace(/\s+/g, ' ').trim()
}
