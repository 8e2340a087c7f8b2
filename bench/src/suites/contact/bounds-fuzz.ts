/** A million random boxes over the twenty shapes: whether any point in one has a value outside of what is promised of it. */
import { streamOf } from '@pliant/train/unstable/streams'
import type { Vec3 } from 'pliant'
import { twentyFields } from './poses.js'

export interface BoundsResult {
  boxes: number
  points: number
  /** Points whose value lies outside of the bounds of their box. */
  violations: number
  /** Width of the bounds over the width of the values that were seen, on boxes of a twentieth of the size and less: median. */
  looseness: number
}

const POINTS = 8

export async function fuzzBounds(
  { seed, boxes }: { seed: number; boxes: number },
  told: (done: number) => Promise<void>,
): Promise<BoundsResult> {
  const fields = [...twentyFields().values()]
  const [points, values] = [new Float64Array(3 * POINTS), new Float64Array(POINTS)]
  const widths: number[] = []
  let violations = 0
  for (let index = 0; index < boxes; index++) {
    if (index % 10_000 === 0) await told(index)
    const random = streamOf('contactPoses', seed, 800_000 + (index % 50_000))
    // Boxes of a stream differ by the shape and the turn of the index.
    const turn = Math.floor(index / 50_000)
    for (let skip = 0; skip < turn; skip++) random.uniform()
    const field = fields[index % fields.length]
    const size = 1e-4 * 1e4 ** random.uniform()
    const centre = [0, 1, 2].map(() => random.between(-0.8, 0.8))
    const half = [0, 1, 2].map(() => (size / 2) * random.uniform())
    const box = {
      lower: centre.map((at, k) => at - half[k]) as unknown as Vec3,
      upper: centre.map((at, k) => at + half[k]) as unknown as Vec3,
    }
    const bounds = field.bounds(box)
    for (let i = 0; i < POINTS; i++) {
      // A corner, or a point inside.
      for (let k = 0; k < 3; k++) {
        const share = i < 4 ? (random.uniform() < 0.5 ? 0 : 1) : random.uniform()
        points[3 * i + k] = Math.min(box.upper[k], box.lower[k] + share * (box.upper[k] - box.lower[k]))
      }
    }
    field.query(points, POINTS, values)
    if (!bounds) continue
    for (const value of values) if (!(value >= bounds[0] && value <= bounds[1])) violations++
    const seen = Math.max(...values) - Math.min(...values)
    if (size < 0.05 && seen > 0) widths.push((bounds[1] - bounds[0]) / seen)
  }
  widths.sort((a, b) => a - b)
  return { boxes, points: boxes * POINTS, violations, looseness: widths[widths.length >> 1] ?? 0 }
}
