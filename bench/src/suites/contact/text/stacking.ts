/** Bodies at rest and in a pile, in documents. */
import { markdownTable, round, type Table, whole } from '../../../report/markdown.js'
import type { PileRow, RestRow, StackingResult } from '../stacking.js'
import { share, small } from './numbers.js'

export function stackingText({ bodies, pileBodies, seconds, pileSeconds, rest, pile }: StackingResult): string {
  const [atRest, dropped] = [restTable(rest), pileTable(pile)]
  return [
    `**Bodies at rest** (${bodies.join(', ')}; five of them in one stack, two in another), ${whole(seconds)} s by \`RigidWorld\` at 60 steps a second without sleeping, contacts of each method in the same solver; drift is the way of a corner of a body's box as a share of its size, and ends the run where it is over a tenth of it.`,
    markdownTable(atRest.head, atRest.rows),
    `**A pile** (${pileBodies.join(', ')}), dropped into a tray, ${whole(pileSeconds)} s. The last impact is the last step that took more than a thousandth of all energy that was lost; rises after it are shares of that energy, and so is what the solver took from motion for what contacts lifted.`,
    markdownTable(dropped.head, dropped.rows),
  ].join('\n\n')
}

export function restTable(rest: readonly RestRow[]): Table {
  return {
    head: [
      'contacts',
      'watched',
      'largest drift',
      'of',
      'deepest overlap',
      'moving at the end',
      'contacts at the end',
      'ms a step',
    ],
    rows: rest.map((row) => [
      ...[row.method, `${round(row.seconds, 1)} s`, share(row.drift), row.worst, share(row.depth)],
      ...[`${small(row.kinetic)} J`, whole(row.contacts), round(row.stepMs, 1)],
    ]),
  }
}

export function pileTable(pile: readonly PileRow[]): Table {
  return {
    head: [
      ...['contacts', 'last impact', 'steps after it in which energy rose', 'largest rise', 'all rises', 'taken back'],
      ...['out of the tray', 'deepest overlap', 'contacts at the end', 'ms a step'],
    ],
    rows: pile.map((row) => [
      ...[row.method, `${round(row.lastImpact, 2)} s`, `${whole(row.rises)} of ${whole(row.stepsAfter)}`],
      ...[small(row.largestRise), small(row.allRises), share(row.takenBack), whole(row.lost), share(row.depth)],
      ...[whole(row.contacts), round(row.stepMs, 1)],
    ]),
  }
}
