/**
 * The paper's Fig. 8: how near two smooth curves come to each other, by the distances themselves and by lines in their place.
 * The curves are outlines of bodies that are round about an axis: a circle, and that of a round cone, whose distance has a
 * closed form; so the shortest way between them is that of the circle's middle, less its radius.
 */
import { streamOf } from '@pliant/train/unstable/streams'
import { SolidPair, solidOf } from 'pliant/detect'
import { fieldOf, roundCone, sphere } from 'pliant/shapes'

export interface CurveResult {
  places: number
  /** Error of the shortest way [m]: by the fields, within at most 32 steps. */
  fields: { mean: number; largest: number }
  /** The same by so many lines for each curve. */
  lines: { count: number; mean: number; largest: number }[]
}

const RADIUS = 0.4
const [LOWER, UPPER, HEIGHT] = [0.5, 0.2, 0.9]
const LINES = [5, 10, 100]

export async function judgeCurves(
  { seed, places }: { seed: number; places: number },
  told: (done: number) => Promise<void>,
): Promise<CurveResult> {
  const [ball, drop] = [sphere(RADIUS), roundCone(LOWER, UPPER, HEIGHT)].map((shape) => fieldOf(shape))
  const pair = new SolidPair(solidOf(ball, ball.box), solidOf(drop, drop.box), { gap: 10 })
  const errors: number[] = []
  const byLines = LINES.map(() => [] as number[])
  const still = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)
  const outlines = LINES.map((count) => ({ circle: outline(count, circle), drop: outline(count, dropOutline) }))
  for (let place = 0; place < places; place++) {
    if (place % 10 === 0) await told(place)
    const random = streamOf('contactPoses', seed, 950_000 + place)
    const angle = random.between(0, 2 * Math.PI)
    const [x, y] = [Math.cos(angle), HEIGHT / 2 + Math.sin(angle)].map((value) => value * random.between(1.2, 2))
    const pose = still.slice()
    pose.set([x, y, 0], 12)
    const distance = new Float64Array(1)
    drop.query(Float64Array.of(x, y, 0), 1, distance)
    const exact = distance[0] - RADIUS
    if (exact < 0.01) continue
    errors.push(Math.abs(pair.update(pose, still).separations[0] - exact))
    outlines.forEach((lines, i) => {
      const moved = lines.circle.map(([px, py]): Place => [px + x, py + y])
      byLines[i].push(Math.abs(shortestWay(moved, lines.drop) - exact))
    })
  }
  return {
    places: errors.length,
    fields: meanAndLargest(errors),
    lines: LINES.map((count, i) => ({ count, ...meanAndLargest(byLines[i]) })),
  }
}

type Place = readonly [number, number]

const outline = (count: number, at: (share: number) => Place): Place[] =>
  Array.from({ length: count }, (_, i) => at(i / count))

const circle = (share: number): Place => [
  RADIUS * Math.cos(2 * Math.PI * share),
  RADIUS * Math.sin(2 * Math.PI * share),
]

/** The outline of the round cone: lower arc, side, upper arc, side; by its length. */
function dropOutline(share: number): Place {
  // The sides touch both circles where their normal rises by asin((lower - upper) / height).
  const rise = Math.asin((LOWER - UPPER) / HEIGHT)
  const side = Math.sqrt(HEIGHT ** 2 - (LOWER - UPPER) ** 2)
  const parts = [LOWER * (Math.PI / 2 + rise), side, UPPER * (Math.PI / 2 - rise)]
  const half = parts[0] + parts[1] + parts[2]
  const isRight = share < 0.5
  let left = 2 * half * (isRight ? share : 1 - share)
  let place: Place
  if (left < parts[0]) {
    const angle = -Math.PI / 2 + left / LOWER
    place = [LOWER * Math.cos(angle), LOWER * Math.sin(angle)]
  } else if (left < parts[0] + parts[1]) {
    left -= parts[0]
    place = [LOWER * Math.cos(rise) - Math.sin(rise) * left, LOWER * Math.sin(rise) + Math.cos(rise) * left]
  } else {
    const angle = rise + (left - parts[0] - parts[1]) / UPPER
    place = [UPPER * Math.cos(angle), HEIGHT + UPPER * Math.sin(angle)]
  }
  return isRight ? place : [-place[0], place[1]]
}

function shortestWay(a: readonly Place[], b: readonly Place[]): number {
  let least = Infinity
  for (const [points, lines] of [
    [a, b],
    [b, a],
  ]) {
    for (const point of points) {
      lines.forEach((from, i) => {
        least = Math.min(least, toLine(point, from, lines[(i + 1) % lines.length]))
      })
    }
  }
  return least
}

function toLine([x, y]: Place, [ax, ay]: Place, [bx, by]: Place): number {
  const [dx, dy] = [bx - ax, by - ay]
  const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
  return Math.hypot(x - ax - t * dx, y - ay - t * dy)
}

function meanAndLargest(values: readonly number[]): { mean: number; largest: number } {
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length),
    largest: values.reduce((most, value) => Math.max(most, value), 0),
  }
}
