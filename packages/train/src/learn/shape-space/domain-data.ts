/**
 * What level 2 learns from, with no vertices left in it: residuals of each domain as amounts along the directions in which
 * they differ, and the products by which squares of their errors are computed, those of features and of the displacements
 * that they make.
 */
import type { TriangleMesh } from 'pliant'
import { along, type Directions, principalDirections } from '../../modes/principal.js'
import { type DomainSight, seenBy, spreadBy } from './attention.js'
import { MovedByNumbers } from './moved-by-numbers.js'
import type { ShapeNumbers } from './shape-numbers.js'
import type { ShapeSpaceOptions } from './shape-space-options.js'

/** What a domain sees of the shapes. */
export interface Domain {
  sight: DomainSight
  directions: Directions
  /** Amounts are in units of this: the spread along the first direction. */
  unit: number
}

/** What steps are fed with, over all directions of all domains side by side. */
export interface DomainData {
  width: number
  /** Of each shape: of its residual along each direction, in units of the domain. */
  amounts: Float32Array
  /** And P^T r; all squares are over the mean of |r|^2. */
  products: Float32Array
  /** P^T P. */
  gram: Float32Array
}

export function domainOf(sight: DomainSight, residuals: readonly Float32Array[], most: number): Domain {
  const seen = residuals.map((row) => seenBy(sight, row))
  const directions = principalDirections(seen, most)
  return { sight, directions, unit: directions.spreads[0] || 1 }
}

/** @param residuals  numbers of each shape less what level 1 makes of them */
export function domainData(
  reference: TriangleMesh,
  numbers: Pick<ShapeNumbers, 'mean' | 'scale'>,
  residuals: readonly Float32Array[],
  domains: readonly Domain[],
  { fitWeight, vertexWeight }: ShapeSpaceOptions,
): DomainData {
  const moved = new MovedByNumbers(reference, numbers, fitWeight)
  const displacements = residuals.map((row) => moved.displacements(row))
  const [inFeatures, inVertices] = [residuals, displacements].map((rows) => meanOf(rows.map(squareOf)))
  const weight = inVertices > 0 ? Math.sqrt((vertexWeight * inFeatures) / inVertices) : 0
  const unit = inFeatures > 0 ? 1 / Math.sqrt((1 + vertexWeight) * inFeatures) : 1
  const measured = (row: Float32Array, by: Float32Array): Float32Array => {
    const out = new Float32Array(row.length + by.length)
    for (let i = 0; i < row.length; i++) out[i] = unit * row[i]
    for (let i = 0; i < by.length; i++) out[row.length + i] = unit * weight * by[i]
    return out
  }
  const columns = domains.flatMap(({ sight, directions, unit: amount }) =>
    Array.from({ length: directions.count }, (_, d) => {
      const { length, rows } = directions
      const column = spreadBy(sight, rows.subarray(d * length, (d + 1) * length), residuals[0].length)
      for (let i = 0; i < column.length; i++) column[i] *= amount
      return measured(column, moved.displacements(column))
    }),
  )
  const width = columns.length
  const products = new Float32Array(residuals.length * width)
  residuals.forEach((row, s) => {
    const whole = measured(row, displacements[s])
    columns.forEach((column, c) => {
      products[s * width + c] = dot(column, whole)
    })
  })
  const gram = new Float32Array(width * width)
  for (let a = 0; a < width; a++) {
    for (let b = 0; b <= a; b++) gram[a * width + b] = gram[b * width + a] = dot(columns[a], columns[b])
  }
  const amounts = Float32Array.from(
    residuals.flatMap((row) =>
      domains.flatMap(({ sight, directions, unit: amount }) =>
        Array.from(along(directions, seenBy(sight, row)), (value) => value / amount),
      ),
    ),
  )
  return { width, amounts, products, gram }
}

/** Of each domain, what each direction explains of all squares. */
export function needsOf(domains: readonly Domain[], { gram, width }: DomainData): number[][] {
  let column = 0
  return domains.map(({ directions, unit }) =>
    Array.from(directions.spreads, (spread) => {
      const own = gram[column * width + column]
      column++
      return own * (spread / unit) ** 2
    }),
  )
}

function squareOf(row: Float32Array): number {
  return dot(row, row)
}

function dot(a: Float32Array, b: Float32Array): number {
  let total = 0
  for (let i = 0; i < a.length; i++) total += a[i] * b[i]
  return total
}

function meanOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0) / values.length
}
