/** An artifact's measured quality as a table: lengths in metres and as a share of the object's size. */
import type { Quality } from 'pliant'
import { formatCount, formatNumber, table } from './format.js'

/** @param size what lengths are shares of */
export function qualityTable(quality: Quality, size: 'diagonal' | 'height' = 'diagonal'): string {
  const { bandError, surfaceError, normalError, diagonal } = quality
  const length = (name: string, value: number): string[] => [
    name,
    `${formatNumber(value)} m`,
    `${formatNumber((100 * value) / diagonal)}%`,
  ]
  const rows = [
    length('distance error, mean', bandError.mean),
    length('distance error, 95% below', bandError.p95),
    length('distance error, 99% below', bandError.p99),
    length('distance error, largest', bandError.max),
    length('error on the surface, mean', surfaceError.mean),
    length('error on the surface, 95% below', surfaceError.p95),
    ['right sign', `${formatNumber(100 * quality.signAccuracy)}%`, ''],
    ['normal error, half below', `${formatNumber(normalError.p50)} degrees`, ''],
    ['normal error, 95% below', `${formatNumber(normalError.p95)} degrees`, ''],
    length('recommended safety margin', quality.safetyMargin),
  ]
  const basis = `${formatCount(quality.points)} points of ${formatCount(quality.poses)} poses never trained on`
  return `${table(['against exact geometry', '', `of the ${size}`], rows)}\n(${basis})`
}
