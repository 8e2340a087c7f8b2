/**
 * Pairs of shapes in poses from a gap to deep in each other: drawn from a seed, and moved together along a line until the
 * reference says that they are about as deep as was drawn. Nothing here asks the contact finder.
 */
import { streamOf } from '@pliant/train/unstable/streams'
import { fieldOf, type ShapeField, shapeOf } from 'pliant/shapes'
import { type PosedField, surfaceDepth } from './reference.js'
import { TWENTY_SHAPES } from './twenty-shapes.js'

export interface ContactPose {
  names: readonly [string, string]
  a: PosedField
  b: PosedField
  /** Depth that was drawn, negative of a gap; what it became, the reference says [m]. */
  drawn: number
}

/** Gaps and depths that are drawn, the same share for each factor [m]; shapes are about 1 across. */
const DEPTHS = { least: 1e-4, greatest: 0.3 }
/** One of so many poses is of a gap. */
const GAPS = 4
/** Steps towards each other; each is as long as bodies are known to be apart, so none is too long. */
const STEPS = 10
const COARSE = 1e-2

let compiled: Map<string, ShapeField> | undefined

/** The twenty shapes as fields, compiled once. */
export function twentyFields(): ReadonlyMap<string, ShapeField> {
  compiled ??= new Map(Object.entries(TWENTY_SHAPES).map(([name, shape]) => [name, fieldOf(shapeOf(shape))]))
  return compiled
}

/** Pose `index` of a seed. */
export function contactPose(seed: number, index: number): ContactPose {
  const random = streamOf('contactPoses', seed, index)
  const fields = [...twentyFields()]
  const picked = [fields[random.below(fields.length)], fields[random.below(fields.length)]]
  const [poseA, poseB] = [turnedAnyWay(random), turnedAnyWay(random)]
  const way = unit([random.normal(), random.normal(), random.normal()])
  const depth = DEPTHS.least * (DEPTHS.greatest / DEPTHS.least) ** random.uniform()
  const drawn = random.below(GAPS) === 0 ? -depth : depth
  const [a, b] = picked.map(([, field], i) => ({ field, box: field.box, pose: i === 0 ? poseA : poseB }))
  let apart = 2
  for (let step = 0; step < STEPS && apart > 0; step++) {
    for (let k = 0; k < 3; k++) poseB[12 + k] = apart * way[k]
    const options = { tolerance: COARSE }
    const least = Math.min(surfaceDepth(a, b, options).least[1], surfaceDepth(b, a, options).least[1])
    apart -= least + drawn
    if (Math.abs(least + drawn) < 0.05 * depth) break
  }
  return { names: [picked[0][0], picked[1][0]], a, b, drawn }
}

/** A frame turned any way, all alike likely. */
export function turnedAnyWay(random: { normal(): number }): Float64Array {
  const [x, y, z, w] = unit([random.normal(), random.normal(), random.normal(), random.normal()])
  return Float64Array.of(
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0],
    ...[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0],
    ...[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0],
    ...[0, 0, 0, 1],
  )
}

function unit<Of extends number[]>(vector: Of): Of {
  const size = Math.hypot(...vector)
  return vector.map((value) => value / size) as Of
}
