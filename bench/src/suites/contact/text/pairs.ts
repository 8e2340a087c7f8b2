/** Random pairs of the twenty shapes, in documents. */
import { markdownTable, percent, type Table, whole } from '../../../report/markdown.js'
import type { PairsResult } from '../random-pairs.js'

export function pairsText(result: PairsResult): string {
  const { shapes, poses, touching, free, undecided, tolerance } = result
  const { head, rows } = pairsTable(result)
  return `${whole(shapes)} shapes against each other in ${whole(poses)} random poses (${whole(touching)} touch, ${whole(free)} do not, ${whole(undecided)} are nearer to touching than is proved), judged by a branch and bound whose two ends lie ${percent(tolerance, 1)} apart; depths as shares of the smaller body's diagonal, of all that touch and were found. A method may tell beside it that more room is shared than surfaces show: of a ball in both bodies, which is checked point by point.\n\n${markdownTable(head, rows)}`
}

/** Methods by what they missed, by depth, what they made up, and how far depths are off. */
export function pairsTable({ limits, byDepth, methods }: PairsResult): Table {
  const depths = limits.map((limit, i) => {
    const from = i === 0 ? 0 : limits[i - 1]!
    return limit === null ? `over ${percent(from, 1)}` : `${percent(from, 1)} to ${percent(limit, 1)}`
  })
  const rows = methods.map(({ method, missed, falseContacts, depthError, offBy, rooms }) => [
    method,
    ...missed.map((count, i) => `${whole(count)} of ${whole(byDepth[i])}`),
    whole(falseContacts),
    `${percent(depthError.mean, 1)} / ${percent(depthError.p99, 1)} / ${percent(depthError.largest, 1)}`,
    whole(offBy),
    rooms ? (rooms.told === 0 ? '-' : `${whole(rooms.told)}, ${whole(rooms.wrong)} wrong`) : '-',
  ])
  const head = [
    'method',
    ...depths.map((depth) => `missed, ${depth} deep`),
    'made up',
    'depth off: mean / 99% / largest',
    'off by over .5%',
    'told of shared room',
  ]
  return { head, rows }
}
