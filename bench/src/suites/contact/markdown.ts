/** Suite contact in documents. */
import { markdownTable, percent, round, whole } from '../../report/markdown.js'
import type { CubeSphereResult } from './cube-sphere.js'
import type { CurveResult } from './curves.js'
import type { PairsResult } from './random-pairs.js'
import type { ContactBenchResult } from './run.js'
import type { RaceResult } from './scenes/race.js'

export function contactMarkdown({ pairs, cubeSphere, curves, bounds, races = [] }: ContactBenchResult): string {
  const parts = [
    '## Contact between two fields (`bench contact`)',
    pairsText(pairs),
    cubeText(cubeSphere),
    curvesText(curves),
    `**Bounds**: ${whole(bounds.boxes)} random boxes over the twenty shapes, ${whole(bounds.points)} points in them: ${whole(bounds.violations)} outside of what was promised; over small boxes bounds are ${round(bounds.looseness)} times as wide as what was seen (median).`,
    ...races.map(raceText),
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

function raceText({ scene, frames, touching, free, triangles, size, methods }: RaceResult): string {
  const rows = methods.map((each) => [
    each.oneSided ? `${each.method} *` : each.method,
    ...[each.touching, each.free].map(({ median, p95 }) => `${milliseconds(median)} / ${milliseconds(p95)}`),
    `${whole(each.missed)}`,
    whole(each.madeUp),
    `${percent(each.depth.mean, 2)} / ${percent(each.depth.largest, 2)}`,
    whole(each.depth.offBy),
    `${round((each.bytes.body + each.bytes.beside) / 1e6, 2)}`,
  ])
  const head = [
    'method',
    'ms in contact: median / 95%',
    'out of it',
    'missed',
    'made up',
    'depth off: mean / largest',
    'off by over .5%',
    'MB',
  ]
  const against = triangles.tool > 0 ? ` against ${whole(triangles.tool)}` : ''
  return `**${scene[0].toUpperCase()}${scene.slice(1)}**, ${whole(frames)} frames of a tool that approaches, grazes, goes deep, slides and leaves: ${whole(touching)} are proved to touch, ${whole(free)} not to; ${whole(triangles.body)} triangles${against}; shares of the smaller diagonal (${round(size, 3)} m); one thread, the least of several rounds in shuffled turns. With * only points of one body are told, and held to how deep these are.\n\n${markdownTable(head, rows)}`
}

function milliseconds(value: number): string {
  return value < 0.1 ? value.toFixed(3) : value.toPrecision(3)
}

function small(value: number): string {
  if (value === 0) return '0'
  return value < 1e-3 ? value.toExponential(1) : round(value, 2)
}
