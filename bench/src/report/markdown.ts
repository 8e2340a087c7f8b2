/** Figures in Markdown: numbers, shares, means with their interval, tables. */

/** So many significant digits, thousands apart. */
export function round(value: number, digits = 3): string {
  return Number(value.toPrecision(digits)).toLocaleString('en', { maximumFractionDigits: 4 })
}

/** 12345 -> 12,345 */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

/** Two digits of `value` in % of `all`. */
export function percent(value: number, all = 100): string {
  return `${round((100 * value) / all, 2)}%`
}

/** A share of right answers in %, rounded down: 100% is said where all are. */
export function rightShare(value: number): string {
  return `${Math.floor(100 * value + 1e-6) / 100}%`
}

/** A mean in %, with its 95% interval where several seeds were measured. */
export function meanText({ mean, low, high }: { mean: number; low?: number; high?: number }, all = 100): string {
  if (low === undefined || high === undefined) return percent(mean, all)
  return `${percent(mean, all)} (${percent(low, all)} to ${percent(high, all)})`
}

/** A table as documents and pages show it: names of the columns, and a row of text for each of whatever it is about. */
export interface Table {
  head: string[]
  rows: string[][]
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
