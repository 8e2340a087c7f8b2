/**
 * The rigid frame of a body that bends: the motion of its rest shape that comes nearest to given positions, masses
 * counted. Eq. 1 of Zesch et al. 2022 needs it first, since codes must not see rigid motion; how to align, it leaves open.
 *
 * The rotation is the polar part of sum m x X^T (`math/nearest-rotation.ts`): a rotation whatever the positions are, never
 * a reflection, for a body turned inside out either. Where several are equally near (all nodes on a line, or in a point),
 * it is the one of them nearest to no rotation.
 */
import type { Floats } from '../math/floats.js'
import { composeMat4 } from '../math/mat4.js'
import { nearestRotation } from '../math/nearest-rotation.js'
import { requireItems } from '../math/require.js'

const UNIT_SCALE = Float64Array.of(1, 1, 1)

export class RigidAlignment {
  readonly nodeCount: number
  /** Centre of mass [m] at rest. */
  readonly restCentre: Float64Array
  /** Share of each node in the mass of the body; and that times its place from the centre, xyz triples. */
  readonly #shares: Float64Array
  readonly #arms: Float64Array
  readonly #centre = new Float64Array(3)
  readonly #correlation = new Float64Array(9)
  readonly #rotation = new Float64Array(4)

  /**
   * @param rest    rest positions [m], xyz triples
   * @param masses  lumped masses [kg], one per node
   * @throws RangeError if lengths disagree, or masses are not positive in sum
   */
  constructor(rest: Floats, masses: Floats) {
    const nodeCount = masses.length
    if (rest.length !== 3 * nodeCount) {
      throw new RangeError(`rigid alignment: ${rest.length} rest values, ${nodeCount} masses; give one mass per node.`)
    }
    let total = 0
    for (const mass of masses) total += mass
    if (!(total > 0 && total < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`rigid alignment: masses sum to ${total}; give positive ones.`)
    }
    this.nodeCount = nodeCount
    this.#shares = Float64Array.from(masses, (mass) => mass / total)
    this.restCentre = new Float64Array(3)
    for (let i = 0; i < rest.length; i++) this.restCentre[i % 3] += this.#shares[Math.floor(i / 3)] * rest[i]
    this.#arms = new Float64Array(rest.length)
    for (let i = 0; i < rest.length; i++) {
      this.#arms[i] = this.#shares[Math.floor(i / 3)] * (rest[i] - this.restCentre[i % 3])
    }
  }

  /**
   * @param positions  current positions [m], xyz triples
   * @param out        receives a column-major 4x4 that carries the rest shape to where the body is
   * @throws RangeError if there is another number of nodes, or naming one that is not finite
   */
  align(positions: Floats, out: Floats): void {
    requireItems('rigid alignment', positions, 'node', this.nodeCount, 3)
    this.#correlate(positions)
    nearestRotation(this.#correlation, this.#rotation)
    const [c, r] = [this.#centre, this.restCentre]
    composeMat4(c, this.#rotation, UNIT_SCALE, 0, out, 0)
    for (let row = 0; row < 3; row++) {
      out[12 + row] = c[row] - out[row] * r[0] - out[4 + row] * r[1] - out[8 + row] * r[2]
    }
  }

  /** Centre of mass, and sum m X x^T: rest places are counted from their centre, so positions need not be. */
  #correlate(positions: Floats): void {
    const [shares, arms] = [this.#shares, this.#arms]
    // A node near by, so that a body far from the origin loses no digits.
    const [ox, oy, oz] = [positions[0], positions[1], positions[2]]
    let cx = 0
    let cy = 0
    let cz = 0
    let xx = 0
    let xy = 0
    let xz = 0
    let yx = 0
    let yy = 0
    let yz = 0
    let zx = 0
    let zy = 0
    let zz = 0
    for (let node = 0, at = 0; node < this.nodeCount; node++, at += 3) {
      const x = positions[at] - ox
      const y = positions[at + 1] - oy
      const z = positions[at + 2] - oz
      const share = shares[node]
      cx += share * x
      cy += share * y
      cz += share * z
      const ax = arms[at]
      const ay = arms[at + 1]
      const az = arms[at + 2]
      xx += ax * x
      xy += ax * y
      xz += ax * z
      yx += ay * x
      yy += ay * y
      yz += ay * z
      zx += az * x
      zy += az * y
      zz += az * z
    }
    this.#centre[0] = ox + cx
    this.#centre[1] = oy + cy
    this.#centre[2] = oz + cz
    const s = this.#correlation
    s[0] = xx
    s[1] = xy
    s[2] = xz
    s[3] = yx
    s[4] = yy
    s[5] = yz
    s[6] = zx
    s[7] = zy
    s[8] = zz
  }
}
