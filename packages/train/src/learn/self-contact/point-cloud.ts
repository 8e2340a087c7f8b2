/** The nearest of many points in a space of a few dimensions, exactly: a tree that halves the points along their widest side. */

/** Points of a leaf: fewer cost more in going down than they save. */
const LEAF = 12

/** Some of many points, with the tree of them. */
export interface Cloud {
  /** Numbers of its points among all. */
  rows: Uint32Array
  points: Float32Array
  tree: PointCloud
}

/**
 * Points dealt out to as many clouds, in turn. The nearest point of each makes a start for whoever looks for the nearest
 * place of a surface that has valleys: one start often ends in another valley than the nearest place lies in.
 */
export function cloudsOf(points: Float32Array, size: number, count: number): Cloud[] {
  const total = points.length / size
  return Array.from({ length: count }, (_, cloud) => {
    const rows = Uint32Array.from({ length: Math.ceil((total - cloud) / count) }, (_, i) => cloud + i * count)
    const own = new Float32Array(rows.length * size)
    rows.forEach((row, i) => {
      own.set(points.subarray(row * size, (row + 1) * size), i * size)
    })
    return { rows, points: own, tree: new PointCloud(own, size) }
  })
}

export class PointCloud {
  /** Points in the order of the tree, and their numbers as they came. */
  private readonly points: Float32Array
  private readonly order: Uint32Array
  /** Side that each inner node splits, and where; -1 for a leaf. Children of node i are 2 i + 1 and 2 i + 2. */
  private readonly side: Int16Array
  private readonly place: Float32Array
  private readonly count: number
  /** Of the search that is under way: place in the order, and squared distance. */
  private best = -1
  private least = Infinity

  /** @param points  one after the other, `size` numbers each */
  constructor(
    points: Float32Array,
    private readonly size: number,
  ) {
    this.count = points.length / size
    const depth = Math.max(0, Math.ceil(Math.log2(this.count / LEAF)))
    const order = Uint32Array.from({ length: this.count }, (_, i) => i)
    this.order = order
    this.side = new Int16Array(2 ** (depth + 1)).fill(-1)
    this.place = new Float32Array(2 ** (depth + 1))
    this.split(points, order, 0, this.count, 0, depth)
    this.points = new Float32Array(points.length)
    order.forEach((point, i) => {
      this.points.set(points.subarray(point * size, (point + 1) * size), i * size)
    })
  }

  /** @returns the number of the point that is nearest to a code; -1 if there are none */
  nearest(codes: Float32Array, o = 0): number {
    this.best = -1
    this.least = Infinity
    if (this.count > 0) this.search(codes, o, 0, 0, this.count)
    return this.best < 0 ? -1 : this.order[this.best]
  }

  /** Distance from a code to the nearest point; infinite if there is none. */
  distance(codes: Float32Array, o = 0): number {
    this.nearest(codes, o)
    return Math.sqrt(this.least)
  }

  private split(points: Float32Array, order: Uint32Array, from: number, to: number, node: number, depth: number): void {
    if (depth === 0 || to - from <= LEAF) return
    const side = this.widest(points, order, from, to)
    const middle = (from + to) >> 1
    const part = order.subarray(from, to)
    part.sort((a, b) => points[a * this.size + side] - points[b * this.size + side] || a - b)
    this.side[node] = side
    this.place[node] = points[order[middle] * this.size + side]
    this.split(points, order, from, middle, 2 * node + 1, depth - 1)
    this.split(points, order, middle, to, 2 * node + 2, depth - 1)
  }

  private widest(points: Float32Array, order: Uint32Array, from: number, to: number): number {
    let [widest, most] = [0, -1]
    for (let side = 0; side < this.size; side++) {
      let [low, high] = [Infinity, -Infinity]
      for (let i = from; i < to; i++) {
        const value = points[order[i] * this.size + side]
        low = Math.min(low, value)
        high = Math.max(high, value)
      }
      if (high - low > most) {
        most = high - low
        widest = side
      }
    }
    return widest
  }

  private search(codes: Float32Array, o: number, node: number, from: number, to: number): void {
    const side = this.side[node]
    if (side < 0) {
      this.searchLeaf(codes, o, from, to)
      return
    }
    const middle = (from + to) >> 1
    const beyond = codes[o + side] - this.place[node]
    if (beyond >= 0) {
      this.search(codes, o, 2 * node + 2, middle, to)
      if (beyond * beyond < this.least) this.search(codes, o, 2 * node + 1, from, middle)
    } else {
      this.search(codes, o, 2 * node + 1, from, middle)
      if (beyond * beyond < this.least) this.search(codes, o, 2 * node + 2, middle, to)
    }
  }

  private searchLeaf(codes: Float32Array, o: number, from: number, to: number): void {
    const { points, size } = this
    for (let i = from; i < to; i++) {
      let squared = 0
      for (let k = 0; k < size && squared < this.least; k++) squared += (points[i * size + k] - codes[o + k]) ** 2
      if (!(squared < this.least)) continue
      this.least = squared
      this.best = i
    }
  }
}
