/** Any JSON of figures as text: a list of records becomes a table, a record a list of labels, nested ones sections. */
import { formatNumber, labelled, table } from './format.js'

type Plain = string | number | boolean | null | undefined
type Fields = Record<string, unknown>

export function figuresText(value: unknown): string {
  return sections('', value).join('\n\n')
}

function sections(title: string, value: unknown): string[] {
  if (isPlain(value)) return [heading(title, plainText(value))]
  if (Array.isArray(value)) return [heading(title, listText(value))]
  if (!isFields(value)) return []
  const entries = Object.entries(value)
  const own = entries.filter(([, entry]) => isPlain(entry) || isPlainList(entry))
  const nested = entries.filter(([, entry]) => !isPlain(entry) && !isPlainList(entry))
  const rows = own.map(
    ([key, entry]) => [key, isPlain(entry) ? plainText(entry) : listText(entry as unknown[])] as const,
  )
  const parts = nested.flatMap(([key, entry]) => sections(title ? `${title}.${key}` : key, entry))
  return own.length > 0 ? [heading(title, labelled(rows)), ...parts] : parts
}

function listText(list: readonly unknown[]): string {
  if (list.every(isPlain)) return list.map(plainText).join(', ')
  const rows = list.map((entry) => flattened(isFields(entry) ? entry : { value: entry }))
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return table(
    columns,
    rows.map((row) => columns.map((column) => plainText(row[column]))),
  )
}

/** { a: { b: 1 } } -> { 'a.b': 1 } */
function flattened(fields: Fields, prefix = ''): Record<string, Plain> {
  const flat: Record<string, Plain> = {}
  for (const [key, value] of Object.entries(fields)) {
    if (isPlain(value)) flat[prefix + key] = value
    else if (Array.isArray(value)) flat[prefix + key] = listText(value).replaceAll('\n', '; ')
    else if (isFields(value)) Object.assign(flat, flattened(value, `${prefix}${key}.`))
  }
  return flat
}

function plainText(value: Plain): string {
  if (value === null || value === undefined) return '-'
  return typeof value === 'number' && !Number.isInteger(value) ? formatNumber(value) : String(value)
}

function heading(title: string, text: string): string {
  return title ? `${title}\n${text}` : text
}

function isPlain(value: unknown): value is Plain {
  return value === null || value === undefined || ['string', 'number', 'boolean'].includes(typeof value)
}

function isPlainList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isPlain)
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null
}
