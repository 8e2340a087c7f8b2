/** The parts of what suite native says, as cells: a terminal and a document show the same ones. */
import { formatCount, formatNumber } from '@pliant/train/unstable/text'
import type { AgreementRow } from './agreement.js'
import type { CollisionRow } from './collisions.js'
import type { QueryRow, RivalGains } from './queries.js'
import type { Ratio } from './race.js'
import {
  COLLISION_METHODS,
  type CollisionMethod,
  NAMES,
  type Output,
  oursOf,
  type Place,
  type QueryMethod,
  RIVALS,
} from './rivals.js'
import type { NativeBenchResult } from './run.js'

export interface Section {
  /** What the cells are, in a sentence. */
  about: string
  head: string[]
  rows: string[][]
}

const PLACE_NAMES: Readonly<Record<Place, string>> = {
  near: 'near',
  uniform: 'anywhere',
  uniformStop: 'anywhere, stopping',
}

export function nativeSections({ queries, sizes, collisions, agreement }: NativeBenchResult): Section[] {
  return [
    {
      about:
        'A frame in which the body moves (a character by its bones, which all skin that need its vertices) and points are answered with distance and normal: ours in microseconds, and each rival by how many times our time it takes, with the 95% interval over rounds; above 1 ours is faster. Near the surface and where it says stopping, rivals may end their search at the truncation; of several ways to ask a rival the fastest counts.',
      ...queryCells(queries, 'normals'),
    },
    {
      about:
        'The same with the nearest triangle, which rivals find in the same search; where it says stopping, ours looks for triangles within the truncation alone.',
      ...queryCells(queries, 'triangles'),
    },
    {
      about: 'The soft body with a finer surface, points near it, microseconds:',
      ...sizeCells(sizes),
    },
    {
      about:
        'All pairs of triangles that meet and share no vertex, refit included; ours finds depths too. Behind the slash: pairs in all frames that a method lacks or has beside those of CGAL (without CGAL: ours).',
      ...collisionCells(collisions),
    },
    {
      about:
        "Whether all answer alike, against our exact field: distances of points within the truncation, % of the diagonal, and of how many queries something else is said: a distance, beyond single precision; the other side; a triangle that is not nearest; no triangle. Learned distances are not exact. Sign by pseudonormals takes the nearest sheet's side, where a body overlaps itself.",
      ...agreementCells(agreement),
    },
  ]
}

/** What did not run, a line each. */
export function leftOut({ skipped, queries, sizes, collisions }: NativeBenchResult): string[] {
  const refusals = [...queries, ...sizes, ...collisions].flatMap(({ body, refusals }) =>
    Object.values(refusals).map((why) => `${body}: ${why}`),
  )
  return [...skipped.map(({ reason }) => reason), ...new Set(refusals)]
}

function queryCells(queries: readonly QueryRow[], output: Output): Pick<Section, 'head' | 'rows'> {
  const rivals = RIVALS.filter((rival) =>
    queries.some(({ gains }) => Object.values(gains).some((place) => place[output][rival])),
  )
  const rows = queries.flatMap((row) => {
    const places = Object.entries(row.gains) as [Place, Record<Output, RivalGains>][]
    return places.map(([place, outputs]) => [
      row.body,
      PLACE_NAMES[place],
      formatCount(row.count),
      timeCell(row.microseconds[oursOf(output, place)]),
      ...rivals.map((rival) => ratioCell(outputs[output][rival])),
    ])
  })
  // Places below each other, not turn about.
  const order = Object.values(PLACE_NAMES)
  rows.sort((a, b) => (a[0] === b[0] ? order.indexOf(a[1]) - order.indexOf(b[1]) : 0))
  return { head: ['body', 'points', 'queries', 'ours', ...rivals.map((rival) => NAMES[rival])], rows }
}

function sizeCells(sizes: readonly QueryRow[]): Pick<Section, 'head' | 'rows'> {
  const ran = Object.keys(NAMES).filter((name) =>
    sizes.some(({ microseconds }) => name in microseconds),
  ) as QueryMethod[]
  return {
    head: ['triangles', 'queries', ...ran.map((name) => NAMES[name])],
    rows: sizes.map(({ triangles, count, microseconds }) => [
      formatCount(triangles),
      formatCount(count),
      ...ran.map((name) => timeCell(microseconds[name])),
    ]),
  }
}

function collisionCells(collisions: readonly CollisionRow[]): Pick<Section, 'head' | 'rows'> {
  const rivals = COLLISION_METHODS.filter((name) => name !== 'ours' && collisions.some(({ gains }) => gains[name]))
  const rows = collisions.map((row) => [
    row.body,
    formatCount(row.triangles),
    `${row.pairs.least}-${row.pairs.most}`,
    `${timeCell(row.microseconds.ours)}${differenceText(row, 'ours')}`,
    ...rivals.map((name) => `${ratioCell(row.gains[name])}${differenceText(row, name)}`),
  ])
  return { head: ['body', 'triangles', 'pairs', 'ours, us', ...rivals.map((name) => NAMES[name])], rows }
}

function differenceText({ differences }: CollisionRow, name: CollisionMethod): string {
  const difference = differences[name]
  return difference ? ` / -${difference.missing} +${difference.more}` : ''
}

function agreementCells(agreement: readonly AgreementRow[]): Pick<Section, 'head' | 'rows'> {
  return {
    head: ['body', 'method', 'queries', 'mean', 'largest', 'distance', 'side', 'triangle', 'none'],
    rows: agreement.map(({ body, method, queries, difference, off, otherSide, otherTriangle, noTriangle }) => [
      body,
      NAMES[method],
      formatCount(queries),
      `${formatNumber(difference.mean)}%`,
      `${formatNumber(difference.largest)}%`,
      ...[off, otherSide, otherTriangle, noTriangle].map((count) => (count === undefined ? '' : formatCount(count))),
    ]),
  }
}

function timeCell(microseconds: number | undefined): string {
  return microseconds === undefined ? '' : formatNumber(Number(microseconds.toPrecision(3)))
}

function ratioCell(ratio: Ratio | undefined): string {
  if (!ratio) return ''
  const [least, most] = [ratio.low, ratio.high].map((value) => Number(value.toPrecision(2)))
  return `${Number(ratio.ratio.toPrecision(2))}x (${least}-${most})`
}
