/**
 * How parts of a body move with its nodes: the best affine motion x = F (X - C) + c of each part's nodes, by least squares
 * over weighted masses,
 *   c = sum w x,   F = sum w x (X - C)^T D^-1,   D = sum w (X - C) (X - C)^T,   C = sum w X,
 * with the weights w of a part summing to one. Both are sums over nodes, and so linear in a code of modes, too.
 */
import type { Floats } from '../../math/floats.js'
import type { ModalBody } from '../../model/modal-body.js'

/** Nodes that parts follow, those of one part after those of the other. */
export interface PartMembers {
  /** Where each stands among the positions: three times its number. */
  places: Uint32Array
  /** Where each part's begin, and where the last one's end. */
  starts: Uint32Array
  /** For each of them D^-1 (X - C) w and w: what multiplies its place. */
  shares: Float64Array
}

/** Values of a motion: F, row by row, then c. */
export const AFFINE = 12

/** So little of D's trace is added to its diagonal that only flat parts notice. */
const SOLID = 1e-9

export class PartMotions {
  readonly count: number
  /** Centres at rest [m], [parts, 3]. */
  readonly centres: Float64Array
  readonly members: PartMembers
  readonly #body: Pick<ModalBody, 'rest' | 'modes' | 'codeSize'>
  /** What one unit of each code entry adds to all motions; made for the first code. */
  #ofCode: Float64Array | undefined

  /** @param weights  [parts, nodes] */
  constructor(body: Pick<ModalBody, 'rest' | 'masses' | 'modes' | 'codeSize'>, weights: Float32Array) {
    const { rest, masses } = body
    this.#body = body
    this.count = weights.length / masses.length
    this.centres = new Float64Array(3 * this.count)
    const starts = new Uint32Array(this.count + 1)
    const nodes: number[] = []
    const shares: number[] = []
    for (let part = 0; part < this.count; part++) {
      const weightOf = (node: number): number => weights[part * masses.length + node] * masses[node]
      const own = [...masses.keys()].filter((node) => weightOf(node) > 0)
      const total = own.reduce((sum, node) => sum + weightOf(node), 0)
      const w = own.map((node) => weightOf(node) / total)
      const centre = this.centres.subarray(3 * part, 3 * part + 3)
      own.forEach((node, n) => {
        for (let axis = 0; axis < 3; axis++) centre[axis] += w[n] * rest[3 * node + axis]
      })
      const arms = own.map((node) => [0, 1, 2].map((axis) => rest[3 * node + axis] - centre[axis]))
      const inverse = inverseSpread(arms, w)
      arms.forEach((arm, n) => {
        for (let row = 0; row < 3; row++) {
          const reach = inverse[3 * row] * arm[0] + inverse[3 * row + 1] * arm[1] + inverse[3 * row + 2] * arm[2]
          shares.push(w[n] * reach)
        }
        shares.push(w[n])
      })
      // One by one: as arguments of one call, 100,000 nodes overflow the stack.
      for (const node of own) nodes.push(node)
      starts[part + 1] = nodes.length
    }
    this.members = { places: Uint32Array.from(nodes, (node) => 3 * node), starts, shares: Float64Array.from(shares) }
  }

  /**
   * @param positions  of all nodes [m], xyz triples
   * @param origin     from where places are counted
   * @param out        receives [parts, 12]
   */
  ofNodes(positions: Floats, origin: ArrayLike<number>, out: Float64Array): void {
    const { places, shares, starts } = this.members
    const ox = origin[0]
    const oy = origin[1]
    const oz = origin[2]
    for (let part = 0; part < this.count; part++) {
      let xx = 0
      let xy = 0
      let xz = 0
      let cx = 0
      let yx = 0
      let yy = 0
      let yz = 0
      let cy = 0
      let zx = 0
      let zy = 0
      let zz = 0
      let cz = 0
      const end = starts[part + 1]
      for (let n = starts[part], s = 4 * n; n < end; n++, s += 4) {
        const at = places[n]
        const x = positions[at] - ox
        const y = positions[at + 1] - oy
        const z = positions[at + 2] - oz
        const a = shares[s]
        const b = shares[s + 1]
        const c = shares[s + 2]
        const w = shares[s + 3]
        xx += x * a
        xy += x * b
        xz += x * c
        cx += x * w
        yx += y * a
        yy += y * b
        yz += y * c
        cy += y * w
        zx += z * a
        zy += z * b
        zz += z * c
        cz += z * w
      }
      const to = AFFINE * part
      out[to] = xx
      out[to + 1] = xy
      out[to + 2] = xz
      out[to + 3] = yx
      out[to + 4] = yy
      out[to + 5] = yz
      out[to + 6] = zx
      out[to + 7] = zy
      out[to + 8] = zz
      out[to + 9] = cx
      out[to + 10] = cy
      out[to + 11] = cz
    }
  }

  /** Of the shape that a code describes. */
  ofCode(code: ArrayLike<number>, out: Float64Array): void {
    const [perUnit, { codeSize, rest }] = [this.perCode(), this.#body]
    this.ofNodes(rest, NOWHERE, out)
    for (let i = 0, at = 0; i < out.length; i++) {
      let sum = out[i]
      for (let mode = 0; mode < codeSize; mode++) sum += perUnit[at++] * code[mode]
      out[i] = sum
    }
  }

  /** What one unit of each code entry adds to the motions, [parts, 12, code]. */
  perCode(): Float64Array {
    if (this.#ofCode) return this.#ofCode
    const { modes, rest, codeSize } = this.#body
    const perUnit = new Float64Array(AFFINE * this.count * codeSize)
    const motions = new Float64Array(AFFINE * this.count)
    for (let mode = 0; mode < codeSize; mode++) {
      this.ofNodes(modes.subarray(mode * rest.length, (mode + 1) * rest.length), NOWHERE, motions)
      for (let i = 0; i < motions.length; i++) perUnit[i * codeSize + mode] = motions[i]
    }
    this.#ofCode = perUnit
    return perUnit
  }
}

const NOWHERE = [0, 0, 0]

/** Inverse of a symmetric 3 x 3 matrix, row by row. */
function inverseSpread(arms: number[][], w: number[]): Float64Array {
  const d = new Float64Array(9)
  arms.forEach((arm, n) => {
    for (let i = 0; i < 9; i++) d[i] += w[n] * arm[Math.floor(i / 3)] * arm[i % 3]
  })
  const trace = d[0] + d[4] + d[8]
  for (let i = 0; i < 9; i += 4) d[i] += SOLID * trace + Number.MIN_VALUE
  const cofactors = Float64Array.of(
    d[4] * d[8] - d[5] * d[7],
    d[5] * d[6] - d[3] * d[8],
    d[3] * d[7] - d[4] * d[6],
    d[2] * d[7] - d[1] * d[8],
    d[0] * d[8] - d[2] * d[6],
    d[1] * d[6] - d[0] * d[7],
    d[1] * d[5] - d[2] * d[4],
    d[2] * d[3] - d[0] * d[5],
    d[0] * d[4] - d[1] * d[3],
  )
  const determinant = d[0] * cofactors[0] + d[1] * cofactors[1] + d[2] * cofactors[2]
  return cofactors.map((value) => (determinant > 0 ? value / determinant : 0))
}
