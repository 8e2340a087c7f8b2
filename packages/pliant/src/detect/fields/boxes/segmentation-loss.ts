/**
 * What the joint segmentation makes least (Yang and Chen 2021, "Unsupervised learning for cuboid shape abstraction via joint
 * segmentation from point clouds"; algorithms.md 4.2), and its gradient, derived by hand.
 *
 * With W the share of point i that belongs to cuboid m, a softmax over a row of free numbers:
 * - reconstruction, the mean over points of sum_m W |o - u|^2. In the cuboid's frame o is the point, q the point moved
 *   along its normal by a length drawn at random, u the place that q has on the face whose normal is nearest to the point's:
 *   u_k = +-h_k on that face's axis k, q clamped to [-h, h] on the others;
 * - compactness, 0.1 (mean_m sqrt(sum_i W / N + 0.01))^2, which favours few cuboids.
 * Theirs has more: the existence of a cuboid is what it has of W, so that without a network there is nothing to learn, and
 * the Kullback-Leibler term is of a code that a single shape does not have.
 */

/**
 * Numbers of a cuboid, and where they begin: half sides before their sigmoid, a quaternion xyzw of any length, the middle
 * before its tanh.
 */
export const CUBOID = { entries: 10, turn: 3, middle: 7 } as const
const COMPACTNESS = 0.1
/** What sqrt(W) is kept off zero by. */
const LEAST_SHARE = 0.01

/** Gradients of a cuboid before they are pulled back: by half sides, middle, and axes. */
const PULLS = 15
const TURN_PULLS = 6

/** The loss of one surface cut into a number of cuboids; its room is kept from call to call. */
export class SegmentationLoss {
  /** Shares of the points, of cuboid m of point i at i M + m; those of the last call. */
  readonly shares: Float64Array
  /** Of the cuboids of the last call: three axes, one after the other; half sides; middles. */
  readonly axes: Float64Array
  readonly halves: Float64Array
  readonly middles: Float64Array
  /** Numbers that are looked for: of each cuboid, then M of each point. */
  readonly size: number
  readonly #count: number
  readonly #cuboids: number
  /** Of each cuboid, gradients by its half sides, its middle, and the nine entries of its axes. */
  readonly #pulls: Float64Array

  /**
   * @param points   xyz triples, of a body about one across
   * @param normals  of unit length, the same layout
   */
  constructor(
    readonly points: Float64Array,
    readonly normals: Float64Array,
    cuboids: number,
  ) {
    this.#count = points.length / 3
    this.#cuboids = cuboids
    this.size = CUBOID.entries * cuboids + this.#count * cuboids
    this.shares = new Float64Array(this.#count * cuboids)
    this.axes = new Float64Array(9 * cuboids)
    this.halves = new Float64Array(3 * cuboids)
    this.middles = new Float64Array(3 * cuboids)
    this.#pulls = new Float64Array(PULLS * cuboids)
  }

  /**
   * @param numbers   what is looked for
   * @param lengths   how far each point is moved along its normal
   * @param gradient  receives that by all numbers
   */
  at(numbers: Float64Array, lengths: Float64Array, gradient: Float64Array): number {
    for (let m = 0; m < this.#cuboids; m++) this.#readCuboid(numbers, m)
    this.#readShares(numbers)
    this.#pulls.fill(0)
    // By shares first, in the place of the free numbers.
    const loss = this.#reconstruction(lengths, gradient) + this.#compactness(gradient)
    this.#pullBackShares(gradient)
    for (let m = 0; m < this.#cuboids; m++) this.#pullBackCuboid(numbers, m, gradient)
    return loss
  }

  #readCuboid(numbers: Float64Array, m: number): void {
    const at = CUBOID.entries * m
    for (let k = 0; k < 3; k++) {
      this.halves[3 * m + k] = 1 / (1 + Math.exp(-numbers[at + k]))
      this.middles[3 * m + k] = Math.tanh(numbers[at + CUBOID.middle + k])
    }
    const length = turnLength(numbers, at + CUBOID.turn)
    const [x, y, z, w] = [0, 1, 2, 3].map((k) => numbers[at + CUBOID.turn + k] / length)
    const axes = this.axes
    const to = 9 * m
    axes[to] = 1 - 2 * (y * y + z * z)
    axes[to + 1] = 2 * (x * y + z * w)
    axes[to + 2] = 2 * (x * z - y * w)
    axes[to + 3] = 2 * (x * y - z * w)
    axes[to + 4] = 1 - 2 * (x * x + z * z)
    axes[to + 5] = 2 * (y * z + x * w)
    axes[to + 6] = 2 * (x * z + y * w)
    axes[to + 7] = 2 * (y * z - x * w)
    axes[to + 8] = 1 - 2 * (x * x + y * y)
  }

  #readShares(numbers: Float64Array): void {
    const [cuboids, shares] = [this.#cuboids, this.shares]
    const from = CUBOID.entries * cuboids
    for (let row = 0; row < shares.length; row += cuboids) {
      let most = -Infinity
      for (let at = row; at < row + cuboids; at++) most = Math.max(most, numbers[from + at])
      let sum = 0
      for (let at = row; at < row + cuboids; at++) sum += shares[at] = Math.exp(numbers[from + at] - most)
      for (let at = row; at < row + cuboids; at++) shares[at] /= sum
    }
  }

  /** Writes gradients by the shares, and adds those by the cuboids to `#pulls`. */
  #reconstruction(lengths: Float64Array, gradient: Float64Array): number {
    const { points, normals, axes, halves, middles, shares } = this
    const [cuboids, count, pulls] = [this.#cuboids, this.#count, this.#pulls]
    const from = CUBOID.entries * cuboids
    let loss = 0
    for (let i = 0; i < count; i++) {
      const [px, py, pz] = [points[3 * i], points[3 * i + 1], points[3 * i + 2]]
      const [nx, ny, nz] = [normals[3 * i], normals[3 * i + 1], normals[3 * i + 2]]
      const length = lengths[i]
      for (let m = 0; m < cuboids; m++) {
        const [a, to] = [9 * m, PULLS * m]
        const [dx, dy, dz] = [px - middles[3 * m], py - middles[3 * m + 1], pz - middles[3 * m + 2]]
        const n0 = nx * axes[a] + ny * axes[a + 1] + nz * axes[a + 2]
        const n1 = nx * axes[a + 3] + ny * axes[a + 4] + nz * axes[a + 5]
        const n2 = nx * axes[a + 6] + ny * axes[a + 7] + nz * axes[a + 8]
        const [s0, s1, s2] = [Math.abs(n0), Math.abs(n1), Math.abs(n2)]
        const face = s0 >= s1 && s0 >= s2 ? 0 : s1 >= s2 ? 1 : 2
        const share = shares[i * cuboids + m]
        const weight = (2 * share) / count
        let squared = 0
        for (let k = 0; k < 3; k++) {
          const [ax, ay, az] = [axes[a + 3 * k], axes[a + 3 * k + 1], axes[a + 3 * k + 2]]
          const half = halves[3 * m + k]
          const own = dx * ax + dy * ay + dz * az
          const normal = k === 0 ? n0 : k === 1 ? n1 : n2
          const moved = own + length * normal
          // The side of the face, or of the end that the moved point is clamped to; zero where it is not.
          const side = k === face ? (normal < 0 ? -1 : 1) : moved > half ? 1 : moved < -half ? -1 : 0
          // Along an axis of the face, between its ends, both differ by what the point was moved.
          const off = side === 0 ? length * normal : side * half - own
          squared += off * off
          const pull = weight * off
          const turn = to + TURN_PULLS + 3 * k
          if (side === 0) {
            pulls[turn] += pull * length * nx
            pulls[turn + 1] += pull * length * ny
            pulls[turn + 2] += pull * length * nz
          } else {
            pulls[to + k] += side * pull
            pulls[to + 3] += pull * ax
            pulls[to + 4] += pull * ay
            pulls[to + 5] += pull * az
            pulls[turn] -= pull * dx
            pulls[turn + 1] -= pull * dy
            pulls[turn + 2] -= pull * dz
          }
        }
        loss += (share * squared) / count
        gradient[from + i * cuboids + m] = squared / count
      }
    }
    return loss
  }

  #compactness(gradient: Float64Array): number {
    const { shares } = this
    const [cuboids, count] = [this.#cuboids, this.#count]
    const from = CUBOID.entries * cuboids
    const roots = new Float64Array(cuboids)
    for (let at = 0; at < shares.length; at++) roots[at % cuboids] += shares[at] / count
    let mean = 0
    for (let m = 0; m < cuboids; m++) {
      roots[m] = Math.sqrt(roots[m] + LEAST_SHARE)
      mean += roots[m] / cuboids
    }
    for (let at = 0; at < shares.length; at++) {
      gradient[from + at] += (COMPACTNESS * mean) / (cuboids * count * roots[at % cuboids])
    }
    return COMPACTNESS * mean * mean
  }

  /** Through the softmax. */
  #pullBackShares(gradient: Float64Array): void {
    const { shares } = this
    const cuboids = this.#cuboids
    const from = CUBOID.entries * cuboids
    for (let row = 0; row < shares.length; row += cuboids) {
      let mean = 0
      for (let at = row; at < row + cuboids; at++) mean += shares[at] * gradient[from + at]
      for (let at = row; at < row + cuboids; at++) gradient[from + at] = shares[at] * (gradient[from + at] - mean)
    }
  }

  /** Through sigmoid, tanh, and the axes of a quaternion of unit length to one of any. */
  #pullBackCuboid(numbers: Float64Array, m: number, gradient: Float64Array): void {
    const [at, from] = [CUBOID.entries * m, PULLS * m]
    const pulls = this.#pulls
    for (let k = 0; k < 3; k++) {
      const [half, middle] = [this.halves[3 * m + k], this.middles[3 * m + k]]
      gradient[at + k] = pulls[from + k] * half * (1 - half)
      gradient[at + CUBOID.middle + k] = pulls[from + 3 + k] * (1 - middle * middle)
    }
    const length = turnLength(numbers, at + CUBOID.turn)
    const [x, y, z, w] = [0, 1, 2, 3].map((k) => numbers[at + CUBOID.turn + k] / length)
    const [g0, g1, g2, g3, g4, g5, g6, g7, g8] = pulls.subarray(from + TURN_PULLS, from + PULLS)
    const byTurn = [
      2 * (y * (g1 + g3) + z * (g2 + g6) + w * (g5 - g7) - 2 * x * (g4 + g8)),
      2 * (x * (g1 + g3) + z * (g5 + g7) + w * (g6 - g2) - 2 * y * (g0 + g8)),
      2 * (x * (g2 + g6) + y * (g5 + g7) + w * (g1 - g3) - 2 * z * (g0 + g4)),
      2 * (z * (g1 - g3) + y * (g6 - g2) + x * (g5 - g7)),
    ]
    const along = byTurn[0] * x + byTurn[1] * y + byTurn[2] * z + byTurn[3] * w
    const unit = [x, y, z, w]
    for (let k = 0; k < 4; k++) gradient[at + CUBOID.turn + k] = (byTurn[k] - along * unit[k]) / length
  }
}

function turnLength(numbers: Float64Array, at: number): number {
  return Math.hypot(numbers[at], numbers[at + 1], numbers[at + 2], numbers[at + 3])
}
