/** What the terminal can show: colour only where a person is looking and did not decline it (NO_COLOR). */
import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** True if escape codes are welcome on this stream. */
export function wantsColour(stream: { isTTY?: boolean }): boolean {
  return Boolean(stream.isTTY) && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
}

export function paint(stream: { isTTY?: boolean }, style: Style, text: string): string {
  return wantsColour(stream) ? styleText(style, text) : text
}
