/** The distance to the nearest of many line segments in the plane, exactly: a tree of boxes, the nearer one first. */

/** Segments of a leaf: fewer cost more in going down than they save. */
const LEAF = 6

export class SegmentTree {
  /** Segments in the order of the tree. */
  private readonly segments: Float64Array
  /** Boxes of nodes: lower x, y, upper x, y. Children of node i are 2 i + 1 and 2 i + 2. */
  private readonly boxes: Float64Array
  private readonly depth: number
  private readonly count: number

  /** @param segments  x, y of one end, x, y of the other, for each; at least one */
  constructor(segments: Float64Array) {
    this.count = segments.length / 4
    if (this.count === 0) throw new RangeError('segment tree: no segments; pass at least one.')
    this.depth = Math.max(0, Math.ceil(Math.log2(this.count / LEAF)))
    this.boxes = new Float64Array(4 * (2 ** (this.depth + 1) - 1))
    const order = Uint32Array.from({ length: this.count }, (_, i) => i)
    this.build(segments, order, 0, 0)
    this.segments = new Float64Array(segments.length)
    for (const [i, segment] of order.entries()) {
      this.segments.set(segments.subarray(4 * segment, 4 * segment + 4), 4 * i)
    }
  }

  /** Unsigned. */
  distance(x: number, y: number): number {
    return Math.sqrt(this.search(x, y, 0, 0, this.count, Infinity))
  }

  /** Halves along the longer side of the box, all nodes of a level alike. */
  private build(segments: Float64Array, order: Uint32Array, node: number, level: number): void {
    const box = [Infinity, Infinity, -Infinity, -Infinity]
    for (const segment of order) {
      for (let k = 0; k < 4; k++) {
        const value = segments[4 * segment + k]
        box[k & 1] = Math.min(box[k & 1], value)
        box[2 + (k & 1)] = Math.max(box[2 + (k & 1)], value)
      }
    }
    this.boxes.set(box, 4 * node)
    if (level === this.depth) return
    const axis = box[2] - box[0] >= box[3] - box[1] ? 0 : 1
    const middle = (i: number): number => segments[4 * i + axis] + segments[4 * i + 2 + axis]
    order.sort((a, b) => middle(a) - middle(b))
    const half = order.length >> 1
    this.build(segments, order.subarray(0, half), 2 * node + 1, level + 1)
    this.build(segments, order.subarray(half), 2 * node + 2, level + 1)
  }

  /** @returns the least squared distance, no more than `least` */
  private search(x: number, y: number, node: number, from: number, to: number, least: number): number {
    if (4 * (2 * node + 1) >= this.boxes.length) return this.searchLeaf(x, y, from, to, least)
    const half = from + ((to - from) >> 1)
    const [left, right] = [2 * node + 1, 2 * node + 2]
    const [toLeft, toRight] = [this.toBox(x, y, left), this.toBox(x, y, right)]
    const goLeft = (best: number): number => (toLeft < best ? this.search(x, y, left, from, half, best) : best)
    const goRight = (best: number): number => (toRight < best ? this.search(x, y, right, half, to, best) : best)
    return toLeft < toRight ? goRight(goLeft(least)) : goLeft(goRight(least))
  }

  private searchLeaf(x: number, y: number, from: number, to: number, least: number): number {
    const { segments } = this
    let best = least
    for (let o = 4 * from; o < 4 * to; o += 4) {
      best = Math.min(best, squaredToSegment(x, y, segments[o], segments[o + 1], segments[o + 2], segments[o + 3]))
    }
    return best
  }

  private toBox(x: number, y: number, node: number): number {
    const { boxes } = this
    const dx = Math.max(boxes[4 * node] - x, 0, x - boxes[4 * node + 2])
    const dy = Math.max(boxes[4 * node + 1] - y, 0, y - boxes[4 * node + 3])
    return dx * dx + dy * dy
  }
}

/** Squared distance from (x, y) to the segment from (ax, ay) to (bx, by), which may be a point. */
export function squaredToSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [ux, uy, vx, vy] = [bx - ax, by - ay, x - ax, y - ay]
  const squared = ux * ux + uy * uy
  const share = squared > 0 ? Math.min(1, Math.max(0, (ux * vx + uy * vy) / squared)) : 0
  const [dx, dy] = [vx - share * ux, vy - share * uy]
  return dx * dx + dy * dy
}
