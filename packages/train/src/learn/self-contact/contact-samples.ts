/** What rounds keep of the space of codes: labelled codes, points of the boundary, codes with distances; one row each. */
import type { Crossings } from '../../label/contact-tasks.js'
import type { Columns, RoundData, Widths } from '../rounds/index.js'

/** What a row is. */
export const SIGN = 0
export const BOUNDARY = 1
export const DISTANCE = 2

export interface ContactColumns extends Columns {
  codes: Float32Array
  use: Uint8Array
  /** Of a labelled code its sign, of one with a distance that. */
  values: Float32Array
  /** Of a point of the boundary: the normal, the two triangles that meet and the weights of their corners. */
  normals: Float32Array
  triangles: Uint32Array
  weights: Float32Array
  /** Exact tests that the rows took: a point's are written to the first of those found together. */
  tests: Uint32Array
}

export function contactWidths(codeSize: number): Widths<keyof ContactColumns & string> {
  return { codes: codeSize, use: 1, values: 1, normals: codeSize, triangles: 2, weights: 6, tests: 1 }
}

export function labelledRows(codes: Float32Array, signs: Int8Array): ContactColumns {
  const rows = emptyRows(signs.length, codes.length / signs.length, SIGN)
  rows.codes.set(codes)
  rows.values.set(signs)
  rows.tests.fill(1)
  return rows
}

export function boundaryRows(
  { codes, normals, triangles, weights, tests }: Crossings,
  codeSize: number,
): ContactColumns {
  const rows = emptyRows(triangles.length / 2, codeSize, BOUNDARY)
  rows.codes.set(codes)
  rows.normals.set(normals)
  rows.triangles.set(triangles)
  rows.weights.set(weights)
  rows.tests[0] = tests
  return rows
}

export function distanceRows(codes: Float32Array, distances: Float32Array): ContactColumns {
  const rows = emptyRows(distances.length, codes.length / distances.length, DISTANCE)
  rows.codes.set(codes)
  rows.values.set(distances)
  return rows
}

export function joinedRows(parts: readonly ContactColumns[]): ContactColumns {
  const names = Object.keys(parts[0]) as (keyof ContactColumns & string)[]
  const joined = names.map((name) => {
    const first = parts[0][name]
    const all = new (first.constructor as Float32ArrayConstructor)(
      parts.reduce((sum, part) => sum + part[name].length, 0),
    )
    let at = 0
    for (const part of parts) {
      all.set(part[name] as Float32Array, at)
      at += part[name].length
    }
    return [name, all]
  })
  return Object.fromEntries(joined) as ContactColumns
}

/** Numbers of the rows of one use, in their order. */
export function rowsOfUse({ columns, rows }: RoundData<ContactColumns>, use: number): Uint32Array {
  const found = new Uint32Array(rows)
  let count = 0
  for (let row = 0; row < rows; row++) if (columns.use[row] === use) found[count++] = row
  return found.slice(0, count)
}

/** Some rows of a column, one after the other. */
export function takeRows<T extends Float32Array | Uint32Array>(column: T, width: number, rows: Uint32Array): T {
  const out = new (column.constructor as new (length: number) => T)(rows.length * width)
  for (let i = 0; i < rows.length; i++) out.set(column.subarray(rows[i] * width, (rows[i] + 1) * width), i * width)
  return out
}

export function testsOf({ columns, rows }: RoundData<ContactColumns>): number {
  let tests = 0
  for (let row = 0; row < rows; row++) tests += columns.tests[row]
  return tests
}

function emptyRows(count: number, codeSize: number, use: number): ContactColumns {
  return {
    codes: new Float32Array(count * codeSize),
    use: new Uint8Array(count).fill(use),
    values: new Float32Array(count),
    normals: new Float32Array(count * codeSize),
    triangles: new Uint32Array(2 * count),
    weights: new Float32Array(6 * count),
    tests: new Uint32Array(count),
  }
}
