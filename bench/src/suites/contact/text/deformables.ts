/** Two bodies that deform in contact, in documents. */
import { markdownTable, round, type Table, whole } from '../../../report/markdown.js'
import type { BarsResult } from '../deformables/bars.js'
import type { DeformablesResult } from '../deformables/measure.js'
import type { SqueezeResult } from '../deformables/squeeze.js'
import { milliseconds, share } from './numbers.js'

export function deformablesText({ seconds, seeds, squeezed, thrown, bars }: DeformablesResult): string {
  const { head, rows } = squeezedTable(squeezed)
  const lost = thrown.map(
    ({ pair, linear, angular, given }) =>
      `${pair}: of the momentum brought, at least ${share(given)} goes over; both together change by ${share(linear)}, and their spin by ${share(angular)} of what it is about half the size away`,
  )
  return [
    `**Two bodies that deform**: pressed together by a fifth of the size, slid, twisted by a quarter turn and let go, ${round(seconds, 1)} s, ${whole(seeds)} poses each; how deep either surface gets into the other's triangles, vertices, edges and faces, in shares of the lower body's size (aim: below 2%). Firm: twice as stiff, in steps of 1/120 s in the place of 1/60.`,
    markdownTable(head, rows),
    squeezed.map(passText).join(' '),
    `Thrown at each other with nothing to hold them: ${lost.join('; ')}.`,
    barsText(bars),
  ].join('\n\n')
}

/** How deep bodies got into each other, by each way to meet them. */
export function squeezedTable(squeezed: readonly SqueezeResult[]): Table {
  const head = [
    'bodies',
    'contact by',
    'deepest of all',
    'of each seed',
    'mean of frames',
    'deepest vertex',
    'ms a frame',
  ]
  const rows = squeezed.flatMap(({ pair, rows }) =>
    rows.map(({ method, deepest, mean, vertices, stepMs }) => [
      ...[pair, method, share(Math.max(...deepest)), deepest.map(share).join(', ')],
      ...[share(mean), share(vertices), round(stepMs, 1)],
    ]),
  )
  return { head, rows }
}

function passText({ pair, pass, difference }: SqueezeResult): string {
  return `${pair}: contact of both sides found once, both fields updated, ${milliseconds(pass.learned)} ms by learned fields, ${milliseconds(pass.exact)} ms by triangles (${whole(pass.states)} states of a script); their deepest vertices differ by ${share(difference.mean)} of the size, at most ${share(difference.largest)}.`
}

function barsText({ poses, missed, madeUp, mean, largest, learnedMs, exactMs }: BarsResult): string {
  return `Two bars bent by codes of their own, the second lowered into the first by up to 2% of the size or left 1% above, ${whole(poses)} poses: the deepest vertex by learned fields differs from that by triangles by ${share(mean)} of the size, at most ${share(largest)}; ${whole(missed)} touches missed, ${whole(madeUp)} made up; ${milliseconds(learnedMs)} ms a pose, ${milliseconds(exactMs)} ms by triangles.`
}
