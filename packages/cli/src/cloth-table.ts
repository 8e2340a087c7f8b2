/** What suite cloth found: accuracy beside time, query time against the number of queries, crowd, step and drape. */
import type { ClothBenchResult } from '@pliant/bench'
import { formatBytes, formatCount, formatNumber, table } from './format.js'

export function clothTables(result: ClothBenchResult): string {
  const { character, network } = result
  const unseen = character.heldOut.length > 0 ? character.heldOut.join(', ') : 'clips trained on, with noise'
  return [
    `${character.name}: ${formatCount(character.triangles)} triangles, ${character.bones} bones; learned: ` +
      `${formatCount(network.multiplications)} multiplications a query, ${network.backend}.`,
    `Error and time, ${result.fields.poses} poses of ${unseen}; % of the height, degrees,\n` +
      `microseconds for a pose and ${formatCount(result.fields.queries)} queries.`,
    fieldTable(result),
    'Microseconds for a pose and N queries with sign and normal; faster: three-mesh-bvh refit against learned.' +
      (network.paperTrained ? '' : "\nThe paper's network was not given (--paper): random weights, its time only."),
    queryTable(result),
    `In the paper (${formatCount(result.paper.triangles)} triangles, ${result.paper.rival}) the network on the CPU is ahead up to about ` +
      `${formatCount(result.paper.cpuAheadUpToQueries)} queries.`,
    crowdTable(result),
    stepTable(result),
    result.drape ? drapeTable(result.drape) : 'No garment is cut for this body, so none was draped.',
    ...(result.endurance ? [enduranceLine(result.endurance)] : []),
  ].join('\n\n')
}

function fieldTable({ fields }: ClothBenchResult): string {
  const heading = ['field', 'size', 'mean error', '95% below', 'right sign', 'normals', '95% below', 'uniform', 'near']
  const rows = fields.rows.map(({ field, bytes, error, sign, normalError, uniform, near }) => [
    field,
    formatBytes(bytes),
    `${formatNumber(error.mean)}%`,
    `${formatNumber(error.p95)}%`,
    `${formatNumber(sign)}%`,
    formatNumber(normalError.median),
    formatNumber(normalError.p95),
    microseconds(uniform),
    microseconds(near),
  ])
  return table(heading, rows)
}

function queryTable({ queries }: ClothBenchResult): string {
  const heading = ['points', 'queries', 'learned', '2 threads', 'paper', 'bone grids', 'capsules', 'our exact']
  const rows = queries.map(({ points, count, microseconds: us, ratio }) => [
    points === 'near' ? 'near the surface' : 'anywhere',
    formatCount(count),
    ...[us.learned, us.learnedTwoThreads, us.paper, us.boneGrids, us.capsules, us.exact].map(microseconds),
    ...[us.staticGeometry, us.threeMeshBvh].map(microseconds),
    `${ratio.toFixed(1)}x`,
  ])
  return table([...heading, 'StaticGeometry', 'skinning + refit', 'faster'], rows)
}

function crowdTable({ crowd }: ClothBenchResult): string {
  const { learned, learnedTwoThreads, threeMeshBvh } = crowd.methods
  const rows = Object.entries({ learned, 'learned, 2 threads': learnedTwoThreads, 'skinning + refit': threeMeshBvh })
  return [
    `A crowd of ${crowd.characters} characters, each with its own pose and ${crowd.queriesEach} queries near its surface:`,
    table(
      ['', 'ms a frame', 'poses given'],
      rows.map(([name, { frame, withoutClips }]) => [name, formatNumber(frame), formatNumber(withoutClips)]),
    ),
    `${crowd.ratio.toFixed(1)}x faster than skinning + refit.`,
  ].join('\n')
}

function stepTable({ step }: ClothBenchResult): string {
  const rows = Object.entries({ learned: step.learned, 'Rapier 0.21': step.rapier }).map(([name, figures]) => [
    name,
    formatNumber(figures.median),
    formatNumber(figures.max),
    formatNumber(figures.body),
    `${formatNumber(figures.touching)}%`,
    `${formatNumber(figures.penetration.deepest)}%`,
    `${formatNumber(figures.penetration.insideShare)}%`,
  ])
  return [
    `A free sheet of ${formatCount(step.clothVertices)} vertices that falls on the moving body, ${step.frames} frames; ms a frame:`,
    table(['', 'median', 'largest', 'body', 'vertices near', 'deepest, of the height', 'inside'], rows),
    `${step.ratio.toFixed(1)}x faster in the median, ${step.maxRatio.toFixed(1)}x in the largest.`,
  ].join('\n')
}

function drapeTable(drape: NonNullable<ClothBenchResult['drape']>): string {
  const rows = Object.entries(drape.methods).map(([name, { penetration, time, energy, notFinite }]) => [
    name,
    `${formatNumber(penetration.deepest)}%`,
    formatCount(penetration.longestRun),
    `${formatNumber(penetration.insideShare)}%`,
    formatNumber(time.total),
    `${formatNumber(energy.max)} of ${formatNumber(energy.bound)} J`,
    formatCount(notFinite),
  ])
  return [
    `A ${drape.garment} of ${formatCount(drape.clothVertices)} vertices over ${formatNumber(drape.frames / 60)} s of ${drape.clip}:`,
    table(
      [
        'field',
        'deepest, of the height',
        'frames deeper than 1%',
        'inside',
        'ms a frame',
        'energy, bound',
        'not finite',
      ],
      rows,
    ),
  ].join('\n')
}

function enduranceLine({ seconds, speed, notFinite, maxSpeed }: NonNullable<ClothBenchResult['endurance']>): string {
  return (
    `Over ${formatNumber(seconds)} s with the clip at ${speed}x: ${formatCount(notFinite)} vertices not finite, ` +
    `none faster than ${formatNumber(maxSpeed)} m/s.`
  )
}

function microseconds(value: number): string {
  return formatCount(Number(value.toPrecision(3)))
}
