/** Bodies in oriented boxes, in documents. */
import { markdownTable, rightShare, round, type Table, whole } from '../../../report/markdown.js'
import type { BoxesResult, Cut } from '../boxes/measure-boxes.js'

export function boxesText(result: BoxesResult): string {
  const { cells, judgedCells, cuts } = result
  const { head, rows } = boxesTable(result)
  const all = cuts.every(({ held }) => held === 1)
  const held = all ? 'All points that were cut are in a box' : 'Not all points that were cut are in a box'
  return `**Bodies in oriented boxes**, the decomposition of Liu et al.: how many boxes and the sum of their volumes, the room that they take together, both over the volume of the body beside the one box around it (in brackets over that box), and what they hold of ${whole(judgedCells)} points a side that they were not made of; ${whole(cells)} a side were cut. ${held}.\n\n${markdownTable(head, rows)}`
}

/** Bodies by their boxes, of each way to cut. */
export function boxesTable({ cuts }: BoxesResult): Table {
  const bodies = [...new Set(cuts.map(({ body }) => body))].map((body) => cuts.filter((cut) => cut.body === body))
  const rows = bodies.map((own) => {
    const [{ body, points, single }] = own as [Cut]
    return [body, whole(points), round(single, 2), ...own.flatMap(columnsOf)]
  })
  const methods = [...new Set(cuts.map(({ method }) => method))]
  const head = ['body', 'points', 'one box', ...methods.flatMap((method) => [method, 'take', 'hold', 'time [s]'])]
  return { head, rows }
}

function columnsOf({ boxes, overBody, overSingle, roomOverBody, judged, seconds }: Cut): string[] {
  return [
    `${whole(boxes)}: ${round(overBody, 2)} (${round(overSingle, 2)})`,
    round(roomOverBody, 2),
    rightShare(100 * judged),
    round(seconds, 2),
  ]
}
