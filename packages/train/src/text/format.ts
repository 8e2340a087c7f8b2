/** Numbers and tables as a person reads them. */
import { printable } from 'pliant/unstable'

/** 12345 -> 12,345 */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US')
}

/** Four significant digits; lengths and ratios. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value) || value === 0) return String(value)
  return String(Number(value.toPrecision(4)))
}

/** 0.42 s, 12.3 s, 3 min 05 s */
export function formatSeconds(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(2)} s`
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const kilo = bytes / 1000
  return kilo < 1000 ? `${formatNumber(kilo)} kB` : `${formatNumber(kilo / 1000)} MB`
}

/** (x, y, z) */
export function formatPoint(point: ArrayLike<number>): string {
  return `(${Array.from(point, formatNumber).join(', ')})`
}

/** Label and value per line, values aligned. */
export function labelled(given: readonly (readonly [string, string])[]): string {
  const rows = given.map(([label, value]) => [printable(label), printable(value)])
  const width = Math.max(0, ...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `${label.padEnd(width)}  ${value}`).join('\n')
}

/** A table with a heading; columns of numbers align right. */
export function table(heading: readonly string[], given: readonly (readonly string[])[]): string {
  const rows = given.map((row) => row.map(printable))
  const all = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  const numeric = heading.map(
    (_, column) => rows.length > 0 && rows.every((row) => /^[-+\d.,e%x ]*$/.test(row[column] ?? '')),
  )
  const line = (row: readonly string[]): string =>
    widths
      .map((width, column) =>
        numeric[column] ? (row[column] ?? '').padStart(width) : (row[column] ?? '').padEnd(width),
      )
      .join('  ')
      .trimEnd()
  return [line(heading), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join('\n')
}
