/** What suite haptics found: query time against the number of queries, triangles, error, and whole frames of touch. */

import { formatCount, formatNumber, table } from '@pliant/train/unstable/text'
import { gainText } from '../../report/rival-names.js'
import type { HapticsBenchResult } from './run.js'

export function hapticsTables(result: HapticsBenchResult): string {
  const { body, network, paper } = result
  const { learned, paper: theirs } = network.multiplications
  return [
    `${body.name}: ${formatCount(body.nodes)} nodes, ${formatCount(body.triangles)} triangles outside, ${body.modes} modes; learned: ` +
      `${formatCount(learned.query)} multiplications a query (the paper's ${formatCount(theirs.query)}), ${network.backend}.`,
    'Milliseconds for a body that has bent and N queries. ort is onnxruntime; ours has gradients there. exact is our own,\n' +
      'distances alone and with normal and triangle; stopping: no further than the band. Gains are over the fastest rival of\n' +
      'equal output: distances, with normals, with normals and triangles. In brackets: native libraries, measured apart.' +
      (network.paperTrained ? '' : "\nThe paper's network was not given (--paper): random weights, its time only."),
    queryTable(result),
    splitLine(result),
    `In the paper (${formatCount(paper.triangles)} triangles, ${paper.rival}) the network is ahead up to about ` +
      `${formatCount(paper.cpuAheadUpToQueries)} queries on the CPU, ${formatCount(paper.gpuAheadUpToQueries)} on a GPU.`,
    triangleTable(result),
    table1(result),
    qualityTable(result),
    touchTable(result),
  ].join('\n\n')
}

function queryTable({ queries, native }: HapticsBenchResult): string {
  const heading = ['points', 'queries', 'learned', '2 threads', '+ normals', 'ort', '+ triangles', '+ both']
  const rows = queries.map(({ points, count, milliseconds: ms, gains, native: marks }) => [
    points === 'near' ? 'near' : 'anywhere',
    formatCount(count),
    ...[ms.learned, ms.learnedTwoThreads, ms.learnedGradient, ms.learnedOrt].map(milliseconds),
    ...[ms.learnedTriangle, ms.learnedGradientTriangle, ms.paper, ms.paperOrt].map(milliseconds),
    ...[ms.exactDistance, ms.exact, ms.exactPseudonormal, ms.exactStop].map(milliseconds),
    ...[ms.threeMeshBvh, ms.threeMeshBvhStop, ms.threeMeshBvhRebuild].map(milliseconds),
    ...[gains.distances, gains.normals, gains.triangles].map((gain) => gainText(gain)),
    ...native.map(({ name }) => milliseconds(marks[name])),
  ])
  const rivals = [
    ...['paper', 'paper, ort', 'exact distances', 'exact', 'pseudonormals', 'stopping'],
    ...['bvh refit', 'stopping', 'bvh rebuild', 'gain', 'with normals', 'with triangles'],
  ]
  return table([...heading, ...rivals, ...native.map(({ name }) => `(${name})`)], rows)
}

function splitLine({ split }: HapticsBenchResult): string {
  const { code, pose, queries } = split.learned
  const asked = Object.entries(queries).map(([count, time]) => `${formatCount(Number(count))} in ${whole(time)}`)
  return (
    `Before the first query, in microseconds: code ${whole(code)}, pose ${whole(pose)}; then queries near the surface: ` +
    `${asked.join(', ')}. The paper's network: code ${whole(split.paper.code)}, pose ${whole(split.paper.pose)}; ` +
    `three-mesh-bvh: refit ${whole(split.threeMeshBvh.refit)}; our exact field: ${whole(split.exact.refit)}.`
  )
}

function triangleTable({ triangles }: HapticsBenchResult): string {
  const rows = triangles.rows.map(({ points, count, milliseconds: ms, gains }) => [
    points === 'near' ? 'near' : 'anywhere',
    formatCount(count),
    ...[ms.patches, ms.hinted, ms.scan, ms.threeMeshBvh, ms.exact].map(milliseconds),
    ...[gains.scan, gains.trees].map(({ gain }) => `${gain.toFixed(1)}x`),
  ])
  const { queries, sameTriangle, sameDistance } = triangles.equality
  return [
    'The nearest triangle alone, milliseconds for a moved surface and N queries:',
    table(
      [
        ...['points', 'queries', 'ours', '+ learned distance', 'scan of all', 'bvh refit', 'our exact'],
        ...['of scan', 'of the faster tree'],
      ],
      rows,
    ),
    `Of ${formatCount(queries)} queries ours has the scan's triangle in ${formatCount(sameTriangle.hinted)} and its distance to the last bit in ` +
      `${formatCount(sameDistance.hinted)}; three-mesh-bvh, in single precision, ${formatCount(sameTriangle.threeMeshBvh)} and ` +
      `${formatCount(sameDistance.threeMeshBvh)} (to 0.001% of the diagonal).`,
  ].join('\n')
}

function table1({ triangles, paper }: HapticsBenchResult): string {
  const rows = triangles.table1.map(({ count, milliseconds: ms }, row) => [
    formatCount(count),
    ...[ms.learned, ms.paperScan, ms.exact, ms.threeMeshBvh, ms.threeMeshBvhRebuild].map(milliseconds),
    ...[paper.table1.neural[row], paper.table1.bvh[row]].map(milliseconds),
  ])
  return [
    "Distance, normal and triangle of points anywhere, milliseconds (the paper's Table 1):",
    table(
      [
        'queries',
        'ours',
        "paper's network + scan",
        'our exact',
        'bvh refit',
        'bvh rebuild',
        '(paper, GPU + scan)',
        '(paper, libigl)',
      ],
      rows,
    ),
  ].join('\n')
}

function qualityTable({ quality }: HapticsBenchResult): string {
  const rows = quality.rows.map(({ field, material, shapes, inRange, poses, error, sign, normalError, beyond }) => [
    field,
    material,
    shapes,
    `${inRange} of ${poses}`,
    `${formatNumber(error.mean)}%`,
    `${formatNumber(error.low)} to ${formatNumber(error.high)}`,
    ...[error.p95, error.max, error.surface, sign].map((value) => `${formatNumber(value)}%`),
    formatNumber(normalError.median),
    formatNumber(normalError.p95),
    ...[beyond.mean, beyond.maxTooFar].map((value) => `${formatNumber(value)}%`),
  ])
  return [
    `Error on poses never trained on, of ${quality.seeds.length} seeds, % of the diagonal and degrees, in a band of ${formatNumber(quality.band.width)}%, beyond\n` +
      `which ${formatNumber(quality.band.beyond)}% of points anywhere lie. The modes leave nodes ` +
      `${formatNumber(quality.projection['run time'])}% off in the material of run time.`,
    table(
      [
        ...['field', 'material', 'shapes', 'in range', 'mean', 'interval', '95%', 'largest', 'on surface'],
        ...['right sign', 'normals', '95%', 'beyond, mean', 'too far'],
      ],
      rows,
    ),
  ].join('\n')
}

function touchTable({ touch }: HapticsBenchResult): string {
  const runs = { learned: touch.learned, exact: touch.exact, ...(touch.paper && { paper: touch.paper }) }
  const rows = Object.entries(runs).map(([name, { parts, total, longest, deepest, jerk, contacts }]) => [
    name,
    ...[parts.body, parts.tool, parts.code, parts.pose, parts.queries, parts.triangles, parts.contacts].map(
      milliseconds,
    ),
    ...[total, longest].map(milliseconds),
    formatCount(contacts),
    `${formatNumber(deepest)}%`,
    formatNumber(jerk.rms),
    formatNumber(jerk.meanForce),
  ])
  return [
    `A hand of ${formatCount(touch.tool.nodes)} nodes presses and slides, ${touch.frames} frames; ms a frame, depth in the exact surface, N/s^2, N:`,
    table(
      [
        'field',
        'body',
        'tool',
        'code',
        'pose',
        'queries',
        'triangles',
        'contact',
        'in all',
        'longest',
        'contacts',
        'deepest',
        'jerk',
        'force',
      ],
      rows,
    ),
    `The learned field's jerk is ${formatNumber(touch.jerkRatio)} of the exact one's.`,
  ].join('\n')
}

function milliseconds(value: number): string {
  return formatNumber(Number(value.toPrecision(3)))
}

function whole(value: number): string {
  return formatCount(Math.round(value))
}
