/** Suite contact in documents. */
import { markdownTable, percent, round, whole } from '../../report/markdown.js'
import type { CubeSphereResult } from './cube-sphere.js'
import type { CurveResult } from './curves.js'
import type { PairsResult } from './random-pairs.js'
import type { ContactBenchResult } from './run.js'
import type { StackingResult } from './stacking.js'

export function contactMarkdown({ pairs, cubeSphere, curves, bounds, stacking }: ContactBenchResult): string {
  const parts = [
    '## Contact between two fields (`bench contact`)',
    pairsText(pairs),
    cubeText(cubeSphere),
    curvesText(curves),
    `**Bounds**: ${whole(bounds.boxes)} random boxes over the twenty shapes, ${whole(bounds.points)} points in them: ${whole(bounds.violations)} outside of what was promised; over small boxes bounds are ${round(bounds.looseness)} times as wide as what was seen (median).`,
    stackingText(stacking),
  ]
  return parts.join('\n\n')
}

function pairsText({
  shapes,
  poses,
  touching,
  free,
  undecided,
  tolerance,
  limits,
  byDepth,
  methods,
}: PairsResult): string {
  const depths = limits.map((limit, i) => {
    const from = i === 0 ? 0 : limits[i - 1]!
    return limit === null ? `over ${percent(from, 1)}` : `${percent(from, 1)} to ${percent(limit, 1)}`
  })
  const rows = methods.map(({ method, missed, falseContacts, depthError, offBy }) => [
    method,
    ...missed.map((count, i) => `${whole(count)} of ${whole(byDepth[i])}`),
    whole(falseContacts),
    `${percent(depthError.mean, 1)} / ${percent(depthError.p99, 1)} / ${percent(depthError.largest, 1)}`,
    whole(offBy),
  ])
  const head = [
    'method',
    ...depths.map((depth) => `missed, ${depth} deep`),
    'made up',
    'depth off: mean / 99% / largest',
    'off by over .5%',
  ]
  return `${whole(shapes)} shapes against each other in ${whole(poses)} random poses (${whole(touching)} touch, ${whole(free)} do not, ${whole(undecided)} are nearer to touching than is proved), judged by a branch and bound whose two ends lie ${percent(tolerance, 1)} apart; depths as shares of the smaller body's diagonal, of all that touch and were found.\n\n${markdownTable(head, rows)}`
}

function cubeText({ configurations, rows }: CubeSphereResult): string {
  const table = rows.map(({ method, missed, within, cubePlace, ballPlace, normal }) => [
    method,
    whole(missed),
    `${whole(within)}`,
    ...[cubePlace, ballPlace].map(({ mean, largest }) => `${small(mean)} / ${small(largest)}`),
    `${small(normal.mean)} / ${small(normal.largest)}`,
  ])
  const head = [
    'method',
    'missed',
    'both within 1e-5',
    "the cube's point: mean / largest [m]",
    "the ball's",
    'normal [degrees]',
  ]
  return `**Ball and cube** (the paper's Fig. 10a), ${whole(configurations)} random configurations, half a side .5 m, radius .6 m, up to .45 m deep, against closed forms.\n\n${markdownTable(head, table)}`
}

function curvesText({ places, fields, lines }: CurveResult): string {
  const byLines = lines.map(({ count, largest }) => `${small(largest)} by ${count} lines`).join(', ')
  return `**Two curves** (the paper's Fig. 8), ${whole(places)} places: largest error of the shortest way ${small(fields.largest)} m by the fields, in at most 32 steps (the paper: 1e-17 in 89), ${byLines}.`
}

function stackingText({ bodies, pileBodies, seconds, pileSeconds, rest, pile }: StackingResult): string {
  const restTable = markdownTable(
    [
      'contacts',
      'watched',
      'largest drift',
      'of',
      'deepest overlap',
      'moving at the end',
      'contacts at the end',
      'ms a step',
    ],
    rest.map((row) => [
      ...[row.method, `${round(row.seconds, 1)} s`, share(row.drift), row.worst, share(row.depth)],
      ...[`${small(row.kinetic)} J`, whole(row.contacts), round(row.stepMs, 1)],
    ]),
  )
  const pileTable = markdownTable(
    [
      ...['contacts', 'last impact', 'steps after it in which energy rose', 'largest rise', 'all rises', 'taken back'],
      ...['out of the tray', 'deepest overlap', 'contacts at the end', 'ms a step'],
    ],
    pile.map((row) => [
      ...[row.method, `${round(row.lastImpact, 2)} s`, `${whole(row.rises)} of ${whole(row.stepsAfter)}`],
      ...[small(row.largestRise), small(row.allRises), share(row.takenBack), whole(row.lost), share(row.depth)],
      ...[whole(row.contacts), round(row.stepMs, 1)],
    ]),
  )
  return [
    `**Bodies at rest** (${bodies.join(', ')}; five of them in one stack, two in another), ${whole(seconds)} s by \`RigidWorld\` at 60 steps a second without sleeping, contacts of each method in the same solver; drift is the way of a corner of a body's box as a share of its size, and ends the run where it is over a tenth of it.`,
    restTable,
    `**A pile** (${pileBodies.join(', ')}), dropped into a tray, ${whole(pileSeconds)} s. The last impact is the last step that took more than a thousandth of all energy that was lost; rises after it are shares of that energy, and so is what the solver took from motion for what contacts lifted.`,
    pileTable,
  ].join('\n\n')
}

function share(value: number): string {
  return value < 1e-3 ? `${small(100 * value)}%` : percent(value, 1)
}

function small(value: number): string {
  if (value === 0) return '0'
  return value < 1e-3 ? value.toExponential(1) : round(value, 2)
}
