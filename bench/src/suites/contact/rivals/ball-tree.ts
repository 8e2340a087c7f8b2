/** Balls around triangles, and around such balls: what a mesh is asked by which of its triangles may be near a field's body. */
import type { SignedField, TriangleMesh } from 'pliant'

export class BallTree {
  /** Corners of each triangle in the order of the leaves, nine numbers each [m]. */
  readonly #corners: Float64Array
  /** Per level, from the root: centres and radii; the two below ball i of one are 2i and 2i + 1 of the next. */
  readonly #levels: { centres: Float64Array; radii: Float64Array }[] = []

  constructor({ positions, triangles }: TriangleMesh) {
    const count = triangles.length / 3
    const corner = (triangle: number, c: number, k: number): number => positions[3 * triangles[3 * triangle + c] + k]
    const depth = Math.ceil(Math.log2(count))
    const order = halved(
      Array.from({ length: count }, (_, i) => i),
      (triangle, k) => corner(triangle, 0, k) + corner(triangle, 1, k) + corner(triangle, 2, k),
      depth,
    )
    // A full tree: where a triangle is missing, there is a ball of no size that nothing is near to.
    this.#corners = new Float64Array(9 * order.length).fill(Number.NaN)
    order.forEach((triangle, slot) => {
      if (triangle < 0) return
      for (let at = 0; at < 9; at++) this.#corners[9 * slot + at] = corner(triangle, Math.trunc(at / 3), at % 3)
    })
    for (let level = 0; level <= depth; level++) this.#levels.push(ballsOver(this.#corners, 1 << level))
  }

  get bytes(): number {
    return this.#levels.reduce(
      (sum, { centres, radii }) => sum + centres.byteLength + radii.byteLength,
      this.#corners.byteLength,
    )
  }

  /**
   * Triangles whose ball the field's body may reach, in the field's frame, their weights at the centroid.
   * @param toField  from the mesh's frame to the field's, rigid
   */
  near(field: SignedField, toField: Float64Array) {
    let balls = [0]
    for (const { centres, radii } of this.#levels) {
      const asked = balls.filter((ball) => radii[ball] >= 0)
      const places = new Float64Array(3 * asked.length)
      asked.forEach((ball, i) => {
        carry(toField, centres, 3 * ball, places, 3 * i)
      })
      const values = new Float64Array(asked.length)
      field.query(places, asked.length, values)
      const kept = asked.filter((ball, i) => values[i] < radii[ball])
      if (radii.length === this.#levels[this.#levels.length - 1].radii.length) balls = kept
      else balls = kept.flatMap((ball) => [2 * ball, 2 * ball + 1])
    }
    const corners = new Float64Array(9 * balls.length)
    balls.forEach((slot, i) => {
      for (let c = 0; c < 9; c += 3) carry(toField, this.#corners, 9 * slot + c, corners, 9 * i + c)
    })
    return { count: balls.length, corners, weights: new Float64Array(3 * balls.length).fill(1 / 3) }
  }
}

/** An order of 2^depth slots in which halves lie apart; -1 where there is nothing. */
function halved(items: number[], place: (item: number, k: number) => number, depth: number): number[] {
  if (depth === 0) return items.length > 0 ? items : [-1]
  const spans = [0, 1, 2].map((k) => {
    // One by one: of a large mesh they are too many for the arguments of a call.
    let [least, most] = [Infinity, -Infinity]
    for (const item of items) {
      least = Math.min(least, place(item, k))
      most = Math.max(most, place(item, k))
    }
    return most - least
  })
  const axis = spans.indexOf(Math.max(...spans))
  const sorted = items.sort((a, b) => place(a, axis) - place(b, axis))
  const half = sorted.length >> 1
  return [...halved(sorted.slice(0, half), place, depth - 1), ...halved(sorted.slice(half), place, depth - 1)]
}

/** Around equal runs of slots: the middle of their box, and the furthest corner; of nothing a radius below zero. */
function ballsOver(corners: Float64Array, count: number): { centres: Float64Array; radii: Float64Array } {
  const [centres, radii] = [new Float64Array(3 * count), new Float64Array(count).fill(-1)]
  const run = corners.length / count
  for (let ball = 0; ball < count; ball++) {
    const [lower, upper] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
    ]
    for (let at = ball * run; at < (ball + 1) * run; at++) {
      if (Number.isNaN(corners[at])) continue
      lower[at % 3] = Math.min(lower[at % 3], corners[at])
      upper[at % 3] = Math.max(upper[at % 3], corners[at])
    }
    if (!(lower[0] <= upper[0])) continue
    for (let k = 0; k < 3; k++) centres[3 * ball + k] = (lower[k] + upper[k]) / 2
    for (let at = ball * run; at < (ball + 1) * run; at += 3) {
      const way = Math.hypot(...[0, 1, 2].map((k) => corners[at + k] - centres[3 * ball + k]))
      if (way > radii[ball]) radii[ball] = way
    }
  }
  return { centres, radii }
}

function carry(frame: Float64Array, from: Float64Array, at: number, out: Float64Array, to: number): void {
  for (let k = 0; k < 3; k++) {
    out[to + k] = frame[k] * from[at] + frame[4 + k] * from[at + 1] + frame[8 + k] * from[at + 2] + frame[12 + k]
  }
}
