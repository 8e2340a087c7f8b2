/** What suite haptics found: query time against the number of queries, triangles, error, and whole frames of touch. */
import type { HapticsBenchResult } from '@pliant/bench'
import { formatCount, formatNumber, table } from './format.js'

export function hapticsTables(result: HapticsBenchResult): string {
  const { body, network, paper } = result
  const { learned, paper: theirs } = network.multiplications
  return [
    `${body.name}: ${formatCount(body.nodes)} nodes, ${formatCount(body.triangles)} triangles outside, ${body.modes} modes; learned: ` +
      `${formatCount(learned.query)} multiplications a query (the paper's ${formatCount(theirs.query)}), ${network.backend}.`,
    'Milliseconds for a body that has bent and N queries; faster: three-mesh-bvh refit against learned, distances\n' +
      'alone and with triangles. ort is onnxruntime; ours has gradients there.' +
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
  const heading = ['points', 'queries', 'learned', '2 threads', '+ gradients', 'ort', '+ triangles', '+ both']
  const rows = queries.map(({ points, count, milliseconds: ms, ratios, native: marks }) => [
    points === 'near' ? 'near' : 'anywhere',
    formatCount(count),
    ...[ms.learned, ms.learnedTwoThreads, ms.learnedGradient, ms.learnedOrt].map(milliseconds),
    ...[ms.learnedTriangle, ms.learnedGradientTriangle, ms.paper, ms.paperOrt].map(milliseconds),
    ...[ms.threeMeshBvh, ms.threeMeshBvhRebuild].map(milliseconds),
    ...[ratios.learned, ratios.learnedTriangle].map(times),
    ...native.map(({ name }) => (marks[name] === null ? '' : milliseconds(marks[name]))),
  ])
  const rivals = ['paper', 'paper, ort', 'bvh refit', 'bvh rebuild', 'faster', 'with triangles']
  return table([...heading, ...rivals, ...native.map(({ name }) => `(${name})`)], rows)
}

function splitLine({ split }: HapticsBenchResult): string {
  const { code, pose, queries } = split.learned
  const asked = Object.entries(queries).map(([count, time]) => `${formatCount(Number(count))} in ${whole(time)}`)
  return (
    `Before the first query, in microseconds: code ${whole(code)}, pose ${whole(pose)}; then queries near the surface: ` +
    `${asked.join(', ')}. The paper's network: code ${whole(split.paper.code)}, pose ${whole(split.paper.pose)}; ` +
    `three-mesh-bvh: refit ${whole(split.threeMeshBvh.refit)}.`
  )
}

function triangleTable({ triangles }: HapticsBenchResult): string {
  const rows = triangles.rows.map(({ points, count, milliseconds: ms, ratios }) => [
    points === 'near' ? 'near' : 'anywhere',
    formatCount(count),
    ...[ms.patches, ms.hinted, ms.scan, ms.threeMeshBvh].map(milliseconds),
    ...[ratios.scan, ratios.threeMeshBvh].map(times),
  ])
  const { queries, sameTriangle, sameDistance } = triangles.equality
  return [
    'The nearest triangle alone, milliseconds for a moved surface and N queries:',
    table(['points', 'queries', 'ours', '+ learned distance', 'scan of all', 'bvh refit', 'of scan', 'of bvh'], rows),
    `Of ${formatCount(queries)} queries ours has the scan's triangle in ${formatCount(sameTriangle.hinted)} and its distance to the last bit in ` +
      `${formatCount(sameDistance.hinted)}; three-mesh-bvh, in single precision, ${formatCount(sameTriangle.threeMeshBvh)} and ` +
      `${formatCount(sameDistance.threeMeshBvh)} (to 0.001% of the diagonal).`,
  ].join('\n')
}

function table1({ triangles, paper }: HapticsBenchResult): string {
  const rows = triangles.table1.map(({ count, milliseconds: ms }, row) => [
    formatCount(count),
    ...[ms.learned, ms.paperScan, ms.threeMeshBvh, ms.threeMeshBvhRebuild].map(milliseconds),
    ...[paper.table1.neural[row], paper.table1.bvh[row]].map(milliseconds),
  ])
  return [
    "Distance, normal and triangle of points anywhere, milliseconds (the paper's Table 1):",
    table(
      [
        'queries',
        'ours',
        "paper's network + scan",
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
  const rows = quality.rows.map(({ field, material, shapes, inRange, poses, error, sign, normalError }) => [
    field,
    material,
    shapes,
    `${inRange} of ${poses}`,
    ...[error.mean, error.p95, error.surface, sign].map((value) => `${formatNumber(value)}%`),
    formatNumber(normalError.median),
    formatNumber(normalError.p95),
  ])
  return [
    'Error on poses never trained on, % of the diagonal and degrees. The modes leave nodes ' +
      `${formatNumber(quality.projection['run time'])}% off in the material of run time.`,
    table(
      ['field', 'material', 'shapes', 'in range', 'mean', '95%', 'on surface', 'right sign', 'normals', '95%'],
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

function times(value: number): string {
  return `${value.toFixed(1)}x`
}
