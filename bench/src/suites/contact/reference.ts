/**
 * What contact is judged by: how deep the surface of one field goes into another, between two numbers that are proved. Branch
 * and bound over cells: one is dropped where A's bounds say that none of its surface passes through, or B's that nothing in
 * it is deeper than what was found, less the tolerance. Slow, and takes nothing from the contact finder but the fields.
 */
import type { Box, SignedField, Vec3 } from 'pliant'

/** A field that says how steep it is, or bounds itself over boxes, in a pose. */
export interface PosedField {
  field: SignedField & { readonly slope?: number }
  /** A box that holds the body, in its own frame [m]. */
  box: Box
  /** From its frame to the world, rigid, column-major 4x4. */
  pose: Float64Array
}

export interface Depth {
  /** The least value of the other field on the surface is between these [m]; negative where it goes in. */
  least: readonly [number, number]
  /** A point of the surface that is `least[1]` deep [m], in the world; of no surface, undefined. */
  point: Vec3 | undefined
  /** Cells that were looked at. */
  looked: number
}

export interface DepthOptions {
  /** How far apart both ends of the answer may be [m]. */
  tolerance: number
  /** Only whether it goes deeper than this is asked: cells above are dropped [m]. */
  above?: number
}

/** Cells at most; a search that needs more (two faces that lie flat on each other) says what it has proved so far. */
const MOST = 4_000_000
/** Cells along A's longest side at first. */
const FIRST = 8

/**
 * How deep A's surface goes into B.
 * @returns both ends further apart than the tolerance only where more cells were needed than there is room for
 */
export function surfaceDepth(a: PosedField, b: PosedField, { tolerance, above = Infinity }: DepthOptions): Depth {
  const aToB = relativePose(a.pose, b.pose)
  let level = firstCells(a.box)
  const longest = Math.max(...[0, 1, 2].map((k) => a.box.upper[k] - a.box.lower[k]))
  let half = longest / FIRST / 2
  let [best, looked, dropped] = [above, 0, Infinity]
  let point: Vec3 | undefined
  while (level.length > 0) {
    const count = level.length / 3
    looked += count
    const isLast = looked > MOST
    const radius = half * Math.sqrt(3)
    const ofA = rangesOf(a, level, half, radius)
    const passing = pick(level, (i) => ofA[2 * i] <= 0 && ofA[2 * i + 1] >= 0)
    const ofB = rangesOf(b, carried(aToB, passing), radius, radius)
    const found = surfacePoints(a.field, passing)
    const values = valuesOf(b.field, carried(aToB, found))
    for (let i = 0; i < values.length; i++) {
      if (!(values[i] < best)) continue
      best = values[i]
      point = [found[3 * i], found[3 * i + 1], found[3 * i + 2]]
    }
    const left = pick(passing, (i) => {
      const may = ofB[2 * i] < best - tolerance
      if (may && isLast) dropped = Math.min(dropped, ofB[2 * i])
      return may && !isLast
    })
    level = octants(left, half)
    half /= 2
  }
  const least = Math.min(dropped, best - tolerance)
  return { least: [least, best], point: point && transformed(a.pose, point), looked }
}

function firstCells({ lower, upper }: Box): Float64Array {
  const step = Math.max(...[0, 1, 2].map((k) => upper[k] - lower[k])) / FIRST
  const counts = [0, 1, 2].map((k) => Math.max(1, Math.ceil((upper[k] - lower[k]) / step - 1e-9)))
  const cells: number[] = []
  for (let i = 0; i < counts[0]; i++) {
    for (let j = 0; j < counts[1]; j++) {
      for (let k = 0; k < counts[2]; k++) {
        const at = [i, j, k]
        for (let axis = 0; axis < 3; axis++) {
          const middle = (lower[axis] + upper[axis]) / 2
          cells.push(middle + (at[axis] + 0.5 - counts[axis] / 2) * step)
        }
      }
    }
  }
  return Float64Array.from(cells)
}

function octants(centres: Float64Array, half: number): Float64Array {
  const out = new Float64Array(8 * centres.length)
  for (let i = 0; i < centres.length / 3; i++) {
    for (let octant = 0; octant < 8; octant++) {
      for (let k = 0; k < 3; k++) {
        out[24 * i + 3 * octant + k] = centres[3 * i + k] + (((octant >> k) & 1) === 1 ? half / 2 : -half / 2)
      }
    }
  }
  return out
}

/** Least and greatest value of a field in each cell: by its steepness where it tells that, and by its own bounds where not. */
function rangesOf({ field }: PosedField, centres: Float64Array, half: number, radius: number): Float64Array {
  const count = centres.length / 3
  const ranges = new Float64Array(2 * count)
  const slope = field.slope ?? 1
  if (slope < Infinity) {
    const values = valuesOf(field, centres)
    for (let i = 0; i < count; i++) {
      ranges[2 * i] = values[i] - slope * radius
      ranges[2 * i + 1] = values[i] + slope * radius
    }
    return ranges
  }
  for (let i = 0; i < count; i++) {
    const centre = [centres[3 * i], centres[3 * i + 1], centres[3 * i + 2]]
    const box = {
      lower: centre.map((value) => value - half) as never,
      upper: centre.map((value) => value + half) as never,
    }
    ranges.set(field.bounds(box) ?? [-Infinity, Infinity], 2 * i)
  }
  return ranges
}

function valuesOf(field: SignedField, points: Float64Array): Float64Array {
  const values = new Float64Array(points.length / 3)
  field.query(points, values.length, values)
  return values
}

/** A field's values at points of the world. */
export function valuesInWorld({ field, pose }: PosedField, points: Float64Array): Float64Array {
  return valuesOf(field, carried(relativePose(IDENTITY, pose), points))
}

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)

/** Newton steps from a cell's centre to the surface. */
const PROJECTIONS = 4
/** What counts as on the surface [m]. */
const ON = 1e-9

/** Points of A's surface near these, where there are some. */
function surfacePoints(field: SignedField, centres: Float64Array): Float64Array {
  const points = centres.slice()
  const count = points.length / 3
  const [values, gradients] = [new Float64Array(count), new Float64Array(points.length)]
  for (let step = 0; step <= PROJECTIONS; step++) {
    field.query(points, count, values, gradients)
    if (step === PROJECTIONS) break
    for (let i = 0; i < count; i++) {
      const [gx, gy, gz] = gradients.subarray(3 * i, 3 * i + 3)
      const squared = gx * gx + gy * gy + gz * gz
      if (!(squared > 0)) continue
      for (let k = 0; k < 3; k++) points[3 * i + k] -= (values[i] * gradients[3 * i + k]) / squared
    }
  }
  return pick(points, (i) => Math.abs(values[i]) <= ON)
}

function pick(points: Float64Array, keep: (i: number) => boolean): Float64Array {
  const out = new Float64Array(points.length)
  let count = 0
  for (let i = 0; i < points.length / 3; i++) {
    if (!keep(i)) continue
    for (let k = 0; k < 3; k++) out[count++] = points[3 * i + k]
  }
  return out.slice(0, count)
}

/** From A's frame to B's, of two rigid poses. */
function relativePose(a: Float64Array, b: Float64Array): Float64Array {
  const out = new Float64Array(16)
  for (let column = 0; column < 4; column++) {
    const shifted = [0, 1, 2].map((k) => a[4 * column + k] - (column === 3 ? b[12 + k] : 0))
    for (let row = 0; row < 3; row++) {
      out[4 * column + row] = [0, 1, 2].reduce((sum, k) => sum + b[4 * row + k] * shifted[k], 0)
    }
  }
  out[15] = 1
  return out
}

function carried(pose: Float64Array, points: Float64Array): Float64Array {
  const out = new Float64Array(points.length)
  for (let at = 0; at < points.length; at += 3) {
    for (let k = 0; k < 3; k++) {
      out[at + k] = pose[k] * points[at] + pose[4 + k] * points[at + 1] + pose[8 + k] * points[at + 2] + pose[12 + k]
    }
  }
  return out
}

function transformed(pose: Float64Array, point: Vec3): Vec3 {
  return [...carried(pose, Float64Array.from(point))] as unknown as Vec3
}
