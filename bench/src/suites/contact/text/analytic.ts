/** What has closed forms or proofs, in documents: ball and cube, curves, bounds. */
import { markdownTable, round, whole } from '../../../report/markdown.js'
import type { BoundsResult } from '../bounds-fuzz.js'
import type { CubeSphereResult } from '../cube-sphere.js'
import type { CurveResult } from '../curves.js'
import { small } from './numbers.js'

export function cubeText({ configurations, rows }: CubeSphereResult): string {
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

export function curvesText({ places, fields, lines }: CurveResult): string {
  const byLines = lines.map(({ count, largest }) => `${small(largest)} by ${count} lines`).join(', ')
  return `**Two curves** (the paper's Fig. 8), ${whole(places)} places: largest error of the shortest way ${small(fields.largest)} m by the fields, in at most 32 steps (the paper: 1e-17 in 89), ${byLines}.`
}

export function boundsText(bounds: BoundsResult): string {
  return `**Bounds**: ${whole(bounds.boxes)} random boxes over the twenty shapes, ${whole(bounds.points)} points in them: ${whole(bounds.violations)} outside of what was promised; over small boxes bounds are ${round(bounds.looseness)} times as wide as what was seen (median).`
}
