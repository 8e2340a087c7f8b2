/**
 * Which parts of a shape x0 + U q can never meet, whatever the code in a box: a certificate found once, so that no query
 * looks at them again. Two sets of vertices A and B are apart for every code if along one direction d
 *
 *   d . (a - b) = d . (a0 - b0) + sum_k q_k d . (Ua_k - Ub_k) > 0   for all a in A, b in B, |q_k| <= h_k,
 *
 * and the least of the right side is d . (a0 - b0) - sum_k h_k |d . (Ua_k - Ub_k)|: only how the two move against each
 * other counts, so that neighbours, which move alike, are told apart though both travel far. (Barbic and James 2010 use
 * certificates of energy for the same end.)
 */

/** Positions that depend linearly on a code. */
export interface LinearVertices {
  /** At the middle of the box of codes, xyz triples [m]. */
  middle: Float64Array
  /** How far each mode carries each vertex between the middle and the end of the box [m], mode after mode. */
  reach: Float64Array
  codeSize: number
}

/** Directions that are tried on sets of vertices: the axes, the diagonals of a cube and of its faces. */
const DIRECTIONS: readonly (readonly [number, number, number])[] = [
  ...([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ] as const),
  ...([
    [1, 1, 1],
    [1, 1, -1],
    [1, -1, 1],
    [-1, 1, 1],
  ] as const),
  ...([
    [1, 1, 0],
    [1, -1, 0],
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
  ] as const),
]

/** Steps of the search for a direction that keeps two triangles apart: more find few more. */
const SEARCH_STEPS = 40

export class SeparatedPairs {
  /** Of each set of vertices: its lower and upper end along each direction, of the middle and of each mode. */
  private readonly lower: Float64Array
  private readonly upper: Float64Array
  private readonly setSize: number
  private readonly search: Float64Array

  /**
   * @param sets    how many sets of vertices there will be
   * @param margin  what must be left of a gap [m], above what positions may be rounded by
   */
  constructor(
    private readonly vertices: LinearVertices,
    sets: number,
    private readonly margin: number,
  ) {
    const width = vertices.codeSize + 1
    this.setSize = DIRECTIONS.length * width
    this.lower = new Float64Array(sets * this.setSize).fill(Infinity)
    this.upper = new Float64Array(sets * this.setSize).fill(-Infinity)
    this.search = new Float64Array(9 * 3 * width)
  }

  /** Puts a vertex into a set. */
  addVertex(set: number, vertex: number): void {
    const { lower, upper } = this
    const { middle, reach, codeSize } = this.vertices
    const width = codeSize + 1
    for (let field = 0; field < width; field++) {
      const from = field === 0 ? middle : reach
      const o = (field === 0 ? 0 : (field - 1) * middle.length) + 3 * vertex
      const x = from[o]
      const y = from[o + 1]
      const z = from[o + 2]
      for (let k = 0, at = set * this.setSize + field; k < DIRECTIONS.length; k++, at += width) {
        const d = DIRECTIONS[k]
        const along = d[0] * x + d[1] * y + d[2] * z
        if (along < lower[at]) lower[at] = along
        if (along > upper[at]) upper[at] = along
      }
    }
  }

  /** Puts all of one set into another. */
  addSet(set: number, other: number): void {
    const { lower, upper, setSize } = this
    for (let i = 0, at = set * setSize, from = other * setSize; i < setSize; i++, at++, from++) {
      if (lower[from] < lower[at]) lower[at] = lower[from]
      if (upper[from] > upper[at]) upper[at] = upper[from]
    }
  }

  /** Whether two sets are apart at every code by one of the fixed directions. */
  areSetsApart(a: number, b: number): boolean {
    return this.isAbove(a, b) || this.isAbove(b, a)
  }

  /** Whether two sets lie no further apart, at the middle of the box, than the larger of them is long. */
  areSetsNear(a: number, b: number): boolean {
    const { lower, upper, setSize } = this
    const width = this.vertices.codeSize + 1
    let longest = 0
    let furthest = 0
    for (let axis = 0; axis < 3; axis++) {
      const i = a * setSize + axis * width
      const j = b * setSize + axis * width
      longest = Math.max(longest, upper[i] - lower[i], upper[j] - lower[j])
      furthest = Math.max(furthest, lower[i] - upper[j], lower[j] - upper[i])
    }
    return furthest <= longest
  }

  /**
   * Whether two triangles are apart at every code, by the direction that does it best.
   * @param corners  vertex numbers, those of one triangle from `a`, of the other from `b`
   */
  areTrianglesApart(corners: ArrayLike<number>, a: number, b: number): boolean {
    const { codeSize } = this.vertices
    const width = 3 * (codeSize + 1)
    const differences = this.search
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) this.writeDifference(corners[a + i], corners[b + j], differences, (3 * i + j) * width)
    }
    // The least gap is a concave function of d: from the way between the middles, up its slope, in shorter and shorter steps.
    const d = new Float64Array(3)
    for (let pair = 0; pair < 9; pair++)
      for (let axis = 0; axis < 3; axis++) d[axis] += differences[pair * width + axis]
    for (let step = 0; step < SEARCH_STEPS; step++) {
      const length = Math.hypot(d[0], d[1], d[2])
      if (!(length > 0)) return false
      for (let axis = 0; axis < 3; axis++) d[axis] /= length
      const [least, pair] = leastGap(differences, width, d)
      if (least > this.margin) return true
      ascend(differences, pair * width, width, d, 0.5 / (1 + 0.25 * step))
    }
    return false
  }

  private isAbove(a: number, b: number): boolean {
    const { lower, upper, setSize } = this
    const width = this.vertices.codeSize + 1
    for (let k = 0; k < DIRECTIONS.length; k++) {
      const i = a * setSize + k * width
      const j = b * setSize + k * width
      let gap = lower[i] - upper[j]
      for (let field = 1; gap > this.margin && field < width; field++) {
        gap -= Math.max(upper[i + field] - lower[j + field], upper[j + field] - lower[i + field])
      }
      if (gap > this.margin) return true
    }
    return false
  }

  private writeDifference(a: number, b: number, out: Float64Array, o: number): void {
    const { middle, reach, codeSize } = this.vertices
    for (let axis = 0; axis < 3; axis++) out[o + axis] = middle[3 * a + axis] - middle[3 * b + axis]
    for (let k = 0; k < codeSize; k++) {
      const mode = k * middle.length
      for (let axis = 0; axis < 3; axis++) {
        out[o + 3 * (k + 1) + axis] = reach[mode + 3 * a + axis] - reach[mode + 3 * b + axis]
      }
    }
  }
}

/** @returns the least gap along d over all pairs of corners and all codes, and the pair that has it */
function leastGap(differences: Float64Array, width: number, d: Float64Array): [number, number] {
  let least = Infinity
  let at = 0
  for (let pair = 0; pair < 9; pair++) {
    const o = pair * width
    let gap = d[0] * differences[o] + d[1] * differences[o + 1] + d[2] * differences[o + 2]
    for (let i = o + 3; i < o + width; i += 3) {
      gap -= Math.abs(d[0] * differences[i] + d[1] * differences[i + 1] + d[2] * differences[i + 2])
    }
    if (gap < least) {
      least = gap
      at = pair
    }
  }
  return [least, at]
}

/** One step along the slope of that pair's gap. */
function ascend(differences: Float64Array, o: number, width: number, d: Float64Array, step: number): void {
  const slope = [differences[o], differences[o + 1], differences[o + 2]]
  for (let i = o + 3; i < o + width; i += 3) {
    const along = d[0] * differences[i] + d[1] * differences[i + 1] + d[2] * differences[i + 2]
    const sign = along > 0 ? 1 : -1
    for (let axis = 0; axis < 3; axis++) slope[axis] -= sign * differences[i + axis]
  }
  const length = Math.hypot(slope[0], slope[1], slope[2])
  if (length > 0) for (let axis = 0; axis < 3; axis++) d[axis] += (step * slope[axis]) / length
}
