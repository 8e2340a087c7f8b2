/** Contacts for people: a table of each pair, what their separations cannot tell, and rows of a file. */
import { formatCount, formatNumber, formatPoint, table } from '../format.js'
import { deepestOf, type FoundPair } from './find.js'

/** Pairs that are shown; files and `--json` have all. */
const SHOWN = 20

/** What a limit means, after the names of both. */
const LIMITS: Readonly<Record<string, string>> = {
  band: 'deeper than a field tells distances: at least as deep as its band, the separation itself is a guess',
  nested: 'one lies wholly within the other: moving by the separation does not part them',
  room: 'both fill the same room: the overlap is at least so deep',
  slope: "a field's values are no distances here: separations are estimates",
}

export function pairsText(pairs: readonly FoundPair[], frames: number): string {
  const shown = pairs.slice(0, SHOWN).map((pair) => pairText(pair, frames))
  if (pairs.length > SHOWN)
    shown.push(`and ${formatCount(pairs.length - SHOWN)} more pairs; --out and --json have all of them`)
  return shown.join('\n\n')
}

function pairText(pair: FoundPair, frames: number): string {
  const { frame, a, b, contacts, unanswered } = pair
  const lines = [`${frames > 1 ? `frame ${frame}: ` : ''}${a} and ${b}: ${headline(pair)}`]
  for (const limit of new Set(contacts.map(({ limit }) => limit))) {
    const meaning = LIMITS[limit ?? '']
    if (meaning) lines.push(`  ${limit}: ${meaning}`)
  }
  if (unanswered > 0) {
    lines.push(`  a field told no number at ${formatCount(unanswered)} points, where there may be more contacts`)
  }
  if (contacts.length === 0) return lines.join('\n')
  const rows = contacts.map(({ separation, area, limit, pointA, pointB, normal }) => [
    formatNumber(separation),
    area === null ? '' : formatNumber(area),
    limit === null || limit === 'none' ? '' : limit,
    ...[pointA, pointB].map(formatPoint),
    // Of a unit vector the rest is rounding.
    formatPoint(normal.map((value) => Number(value.toFixed(4)) + 0)),
  ])
  return [...lines, table(['separation', 'area', 'limit', 'point of A', 'point of B', 'normal'], rows)].join('\n')
}

function headline(pair: FoundPair): string {
  const { length } = pair.contacts
  if (length === 0) return 'no contacts'
  const deepest = deepestOf(pair)
  const far = deepest < 0 ? `${formatNumber(-deepest)} m deep at most` : `${formatNumber(deepest)} m apart at least`
  return `${length} contact${length === 1 ? '' : 's'}, ${far}`
}

/** One row for each contact, lengths in metres. */
export function contactsCsv(pairs: readonly FoundPair[]): string {
  const axes = ['x', 'y', 'z']
  const triple = (name: string): string[] => axes.map((axis) => `${name}_${axis}`)
  const heading = [
    ...['frame', 'a', 'b', 'separation', 'area', 'limit', 'id'],
    ...triple('point_a'),
    ...triple('point_b'),
    ...triple('normal'),
  ]
  const rows = pairs.flatMap(({ frame, a, b, contacts }) =>
    contacts.map(({ separation, area, limit, id, pointA, pointB, normal }) => {
      const values = [frame, quoted(a), quoted(b), separation, area, limit, id, ...pointA, ...pointB, ...normal]
      return values.map((value) => value ?? '').join(',')
    }),
  )
  return `${[heading.join(','), ...rows].join('\n')}\n`
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
