/** What suite cloth found: accuracy beside time, query time against the number of queries, crowd, step and drape. */

import { formatBytes, formatCount, formatNumber, table } from '@pliant/train/unstable/text'
import { gainText } from '../../report/rival-names.js'
import { RIVAL_NAMES } from './rivals.js'
import type { ClothBenchResult } from './run.js'

export function clothTables(result: ClothBenchResult): string {
  const { character, network, fields } = result
  return [
    `${character.name}: ${formatCount(character.triangles)} triangles, ${character.bones} bones; learned: ` +
      `${formatCount(network.multiplications)} multiplications a query, ${network.backend}.`,
    `Error and time, ${fields.poses} poses of ${fields.clip}${otherClips(fields)} by each of ${fields.seeds.length} seeds;\n` +
      `% of the height in a band of ${formatNumber(fields.band.width)}%, beyond which ${formatNumber(fields.band.beyond)}% of points anywhere lie; degrees;\n` +
      `microseconds for a pose and ${formatCount(fields.queries)} queries. Learned and exact are SIMD, grids and capsules JavaScript.`,
    fieldTable(result),
    'Microseconds for a pose and N queries with sign and normal; gain: over the fastest exact rival; stopping: no further than the band.' +
      (network.paperTrained ? '' : "\nThe paper's network was not given (--paper): random weights, its time only."),
    queryTable(result),
    `In the paper (${formatCount(result.paper.triangles)} triangles, ${result.paper.rival}) the network on the CPU is ahead up to about ` +
      `${formatCount(result.paper.cpuAheadUpToQueries)} queries.`,
    crowdTable(result),
    stepTable(result),
    ...(result.drapes.length > 0
      ? result.drapes.map(drapeTable)
      : ['No garment is cut for this body, so none was draped.']),
    ...(result.endurance ? [enduranceLine(result.endurance)] : []),
  ].join('\n\n')
}

/** The error on clips that are easier. */
function otherClips({ clip: hardest, clips }: ClothBenchResult['fields']): string {
  const others = clips
    .filter(({ clip }) => clip !== hardest)
    .map(({ clip, rows: [learned] }) => `${clip}: learned ${formatNumber(learned.error.mean)}%`)
  return others.length > 0 ? ` (harder than ${others.join(', ')})` : ''
}

function fieldTable({ fields }: ClothBenchResult): string {
  const heading = [
    ...['field', 'size', 'mean error', '95% interval', '95% below', 'largest', 'right sign', 'normals', '95% below'],
    ...['beyond, mean', 'too far', 'uniform', 'near'],
  ]
  const rows = fields.rows.map(({ field, bytes, error, sign, normalError, beyond, uniform, near }) => [
    field,
    formatBytes(bytes),
    `${formatNumber(error.mean)}%`,
    `${formatNumber(error.low)} to ${formatNumber(error.high)}`,
    `${formatNumber(error.p95)}%`,
    `${formatNumber(error.max)}%`,
    `${formatNumber(sign)}%`,
    formatNumber(normalError.median),
    formatNumber(normalError.p95),
    `${formatNumber(beyond.mean)}%`,
    `${formatNumber(beyond.maxTooFar)}%`,
    microseconds(uniform),
    microseconds(near),
  ])
  return table(heading, rows)
}

function queryTable({ queries }: ClothBenchResult): string {
  const heading = ['points', 'queries', 'learned', '2 threads', 'paper', 'paper, ort', 'bone grids', 'capsules']
  const exact = ['our exact', 'stopping', 'StaticGeometry', 'SkinnedMeshBVH', 'skinning + refit', 'stopping', 'gain']
  const rows = queries.map(({ points, count, microseconds: us, best }) => [
    points === 'near' ? 'near the surface' : 'anywhere',
    formatCount(count),
    ...[us.learned, us.learnedTwoThreads, us.paper, us.paperOrt, us.boneGrids, us.capsules].map(microseconds),
    ...[us.exact, us.exactStop, us.staticGeometry, us.skinnedMeshBvhStop].map(microseconds),
    ...[us.threeMeshBvh, us.threeMeshBvhStop].map(microseconds),
    gainText(best, RIVAL_NAMES),
  ])
  return table([...heading, ...exact], rows)
}

function crowdTable({ crowd }: ClothBenchResult): string {
  const { learned, learnedTwoThreads, exact, exactStop, threeMeshBvh, threeMeshBvhStop } = crowd.methods
  const rows = Object.entries({
    learned,
    'learned, 2 threads': learnedTwoThreads,
    'skinning + our exact': exact,
    'skinning + our exact, stopping': exactStop,
    'skinning + refit': threeMeshBvh,
    'skinning + refit, stopping': threeMeshBvhStop,
  })
  return [
    `A crowd of ${crowd.characters} characters, each with its own pose and ${crowd.queriesEach} queries near its surface:`,
    table(
      ['', 'ms a frame', 'poses given'],
      rows.map(([name, { frame, withoutClips }]) => [name, formatNumber(frame), formatNumber(withoutClips)]),
    ),
    `Gain over the fastest rival: ${gainText(crowd.best)}.`,
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

function drapeTable(drape: ClothBenchResult['drapes'][number]): string {
  const rows = Object.entries(drape.methods).map(
    ([name, { penetration, deepest, margin, time, energy, notFinite }]) => [
      name,
      `${formatNumber(penetration.deepest)}%`,
      deepest.map(formatNumber).join(', '),
      `${formatNumber(margin)}%`,
      formatCount(penetration.longestRun),
      `${formatNumber(penetration.insideShare)}%`,
      formatNumber(time.total),
      `${formatNumber(energy.max)} of ${formatNumber(energy.bound)} J`,
      formatCount(notFinite),
    ],
  )
  return [
    `A ${drape.garment} of ${formatCount(drape.clothVertices)} vertices over ${formatNumber(drape.frames / 60)} s from each of ${drape.starts} moments of ${drape.clip};\n` +
      'each field without a margin or with its own, whichever keeps the cloth further out:',
    table(
      [
        'field',
        'deepest, of the height',
        'from each start',
        'margin',
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

/** @param value  undefined for a rival that was raced only later than the result was saved */
function microseconds(value: number | undefined): string {
  return value === undefined ? '-' : formatCount(Number(value.toPrecision(3)))
}
