/** Measured quality as tables: lengths in metres and as a share of the object's size. */
import type { Quality } from 'pliant'
import type { SeenError } from 'pliant/character'
import { formatCount, formatNumber, table } from './format.js'

/** @param poses  what the poses are of, after their number */
export function qualityTable(quality: Quality, poses = 'never trained on'): string {
  const { bandError, surfaceError, normalError, size, beyond, interval, inverted, hidden } = quality
  const share = (value: number): string => `${formatNumber((100 * value) / size)}%`
  const length = (name: string, value: number): string[] => [name, `${formatNumber(value)} m`, share(value)]
  const rows = [
    length('distance error, mean', bandError.mean),
    ...(interval
      ? [
          [
            `  95% interval over ${formatCount(interval.groups)} drops`,
            `${formatNumber(interval.lower)} to ${formatNumber(interval.upper)} m`,
            `${share(interval.lower)} to ${share(interval.upper)}`,
          ],
        ]
      : []),
    length('distance error, 95% below', bandError.p95),
    length('distance error, 99% below', bandError.p99),
    length('distance error, largest', bandError.max),
    length('error on the surface, mean', surfaceError.mean),
    length('error on the surface, 95% below', surfaceError.p95),
    ['right sign', `${formatNumber(100 * quality.signAccuracy)}%`, ''],
    ['normal error, half below', `${formatNumber(normalError.p50)} degrees`, ''],
    ['normal error, 95% below', `${formatNumber(normalError.p95)} degrees`, ''],
    length('recommended safety margin', quality.safetyMargin),
    ...(inverted
      ? [
          length(`${formatCount(inverted.poses)} poses with inverted tetrahedra: mean`, inverted.mean),
          length('  largest', inverted.max),
          length('  mean over all poses, these included', inverted.withThem),
        ]
      : []),
    ...(hidden
      ? [
          length(`${formatNumber(100 * hidden.share)}% nearest to a surface hidden inside: mean`, hidden.mean),
          length('  largest', hidden.max),
        ]
      : []),
    length('beyond the band: error, mean', beyond.mean),
    length('beyond the band: error, largest', beyond.max),
    length('beyond the band: too far away at most', beyond.maxTooFar),
  ]
  const basis = `${formatCount(quality.points)} points of ${formatCount(quality.poses)} poses ${poses}`
  return `${table(['against exact geometry', '', `of the ${quality.sizeOf}`], rows)}\n(${basis}; ${bandText(quality)})`
}

/** Where the errors hold, and how much of space lies beyond. */
function bandText({ beyond, size }: Quality): string {
  const width = formatNumber((100 * beyond.from) / size)
  return (
    `errors and normals within a band of ${width}% from the surface,\n` +
    `beyond which ${formatNumber(100 * beyond.share)}% of points anywhere near the object lie`
  )
}

/** The same field against the mesh that people see, where that is not the closed surface of the table. */
export function seenLine(seen: SeenError | undefined, height: number): string[] {
  if (!seen) return []
  const percent = (length: number): string => `${formatNumber((100 * length) / height)}%`
  return [
    `against the mesh that is seen, outside: ${percent(seen.mean)} of the height in the mean, 95% below ${percent(seen.p95)}, largest ${percent(seen.max)}; the table is against the closed surface that was made of it`,
  ]
}

/** Fields on the same points, errors as shares of the size; the last column is how many times the first one's mean. */
export function sideBySide(fields: readonly (readonly [name: string, quality: Quality])[]): string {
  const [[, first]] = fields
  const rows = fields.map(([name, quality]) => [
    name,
    ...qualityCells(quality),
    `${formatNumber(quality.bandError.mean / first.bandError.mean)}x`,
  ])
  return table(['on the same points', ...QUALITY_HEADING, 'of ours'], rows)
}

export const QUALITY_HEADING = [
  'mean error',
  '95% below',
  'largest',
  'on the surface',
  'right sign',
  'normals, half',
  '95%',
]

/** One row under `QUALITY_HEADING`: errors in % of the size, normals in degrees. */
export function qualityCells({ bandError, surfaceError, size, signAccuracy, normalError }: Quality): string[] {
  const percent = (length: number): string => `${formatNumber((100 * length) / size)}%`
  return [
    percent(bandError.mean),
    percent(bandError.p95),
    percent(bandError.max),
    percent(surfaceError.mean),
    `${formatNumber(100 * signAccuracy)}%`,
    formatNumber(normalError.p50),
    formatNumber(normalError.p95),
  ]
}
