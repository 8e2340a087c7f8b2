/**
 * Text from files, fit for a terminal. A name may hold anything: escape sequences that move the cursor or retitle the
 * window (also as single C1 codes), line ends that forge a line of ours, marks that turn the direction of writing.
 */

/** Control characters (C0, DEL, C1), directional marks, separators of lines, invisible tags. */
const CONTROLS =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ufeff\\ufff9-\\ufffb'
const ALL = new RegExp(`[${CONTROLS}\\u{e0000}-\\u{e007f}]+`, 'gu')
/** The same but for what lays out a text of several lines. */
const IN_LINES = new RegExp(`(?:(?![\\n\\t])[${CONTROLS}\\u{e0000}-\\u{e007f}])+`, 'gu')
/** What JSON leaves as it is. */
const IN_JSON = new RegExp(`(?![\\u0000-\\u001f])[${CONTROLS}]`, 'gu')

/** One line: what cannot be printed becomes a question mark. */
export function printable(text: string): string {
  return text.replace(ALL, '?')
}

/** Several lines, which stay lines. */
export function printableLines(text: string): string {
  return text.replace(IN_LINES, '?')
}

/** JSON that says the same and can be printed. */
export function printableJson(json: string): string {
  return json.replace(IN_JSON, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
