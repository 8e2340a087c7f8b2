/**
 * An elastic body at run time: from the positions of all its nodes to its rigid frame and its code (Zesch et al. 2022,
 * section 3.1 and Eq. 1). The simulation moves in all its freedom; modes only describe its shape to the network.
 *
 * By default the code counts masses, z = U^T M (x - X). As U^T M U = I, this is the code whose shape X + U z is nearest
 * in the norm of masses, and it gives the z of such a shape back. Eq. 1 as printed, z = U^T (x - X), is `plain`: it
 * weighs a region by how finely it is meshed, and mixes modes by U^T U.
 */
import type { Floats } from '../math/floats.js'
import { requireNumbers } from '../math/require.js'
import type { TetSurface } from '../mesh/tet-mesh.js'
import type { LinearModes } from './linear-modes.js'
import { RigidAlignment } from './rigid-alignment.js'
import { surfaceModes } from './surface-modes.js'

export interface ModalBodyData {
  /** Rest positions [m] of all nodes, xyz triples. */
  rest: Float64Array
  /** Lumped masses [kg], one per node. */
  masses: Float64Array
  /** Displacement fields [m per unit of code], one after the other, each as long as `rest`, with U^T M U = I. */
  modes: Float64Array
  /** How nodes count in the code. */
  weighting?: CodeWeighting
}

/** How nodes count in a code: by their masses, or each alike. */
export type CodeWeighting = 'mass' | 'plain'
export const MODAL_BODY_DEFAULTS = { weighting: 'mass' } as const

/** Modes whose code entries are summed in one turn. */
const LANES = 4

/**
 * From the nodes of an elastic body to its rigid frame and its code, and back. A simulation moves in all its freedom;
 * modes describe its shape in a few numbers.
 */
export class ModalBody {
  /** How many modes, and numbers in a code. */
  readonly codeSize: number
  /** How many nodes. */
  readonly nodeCount: number
  /** Rest positions [m] of all nodes, xyz triples. */
  readonly rest: Float64Array
  /** Lumped masses [kg], one per node. */
  readonly masses: Float64Array
  /** Displacement fields [m per unit of code], one after the other, each as long as `rest`. */
  readonly modes: Float64Array
  /** How nodes count in the code: 'mass', or 'plain', as the paper prints it. */
  readonly weighting: CodeWeighting
  readonly #alignment: RigidAlignment
  /** Rows of U^T or U^T M, four by four interleaved, padded with zeros. */
  readonly #rows: Float64Array
  readonly #displacements: Float64Array

  /**
   * Made by whoever decodes a file or trains one.
   * @throws RangeError if lengths disagree or the masses are not positive
   * @internal
   */
  constructor(data: ModalBodyData) {
    const { rest, masses, modes, weighting } = { ...MODAL_BODY_DEFAULTS, ...data }
    if (rest.length === 0 || modes.length % rest.length !== 0) {
      throw new RangeError(
        `modal body: ${modes.length} mode values for ${rest.length / 3} nodes; give whole modes of ${rest.length} values.`,
      )
    }
    this.#alignment = new RigidAlignment(rest, masses)
    this.rest = rest
    this.masses = masses
    this.modes = modes
    this.weighting = weighting
    this.nodeCount = masses.length
    this.codeSize = modes.length / rest.length
    this.#displacements = new Float64Array(rest.length)
    this.#rows = new Float64Array(LANES * Math.ceil(this.codeSize / LANES) * rest.length)
    for (let mode = 0; mode < this.codeSize; mode++) {
      const group = LANES * rest.length * Math.floor(mode / LANES) + (mode % LANES)
      for (let i = 0; i < rest.length; i++) {
        const weight = weighting === 'mass' ? masses[Math.floor(i / 3)] : 1
        this.#rows[group + LANES * i] = weight * modes[mode * rest.length + i]
      }
    }
  }

  /**
   * Finds where the body is and which shape it has.
   * @param positions  current positions [m] of all nodes, xyz triples
   * @param code       receives the code
   * @param frame      receives a column-major 4x4 that carries the rest shape to where the body is
   * @throws RangeError if there is another number of nodes, or naming one that is not finite
   */
  encode(positions: Floats, code: Floats, frame: Floats): void {
    if (code.length !== this.codeSize) {
      throw new RangeError(`modal body: room for a code of ${code.length}; give room for ${this.codeSize}.`)
    }
    this.#alignment.align(positions, frame)
    this.#displace(positions, frame)
    const [rows, displacements] = [this.#rows, this.#displacements]
    const { length } = displacements
    for (let mode = 0, at = 0; mode < this.codeSize; mode += LANES) {
      let s0 = 0
      let s1 = 0
      let s2 = 0
      let s3 = 0
      for (let i = 0; i < length; i++, at += LANES) {
        const d = displacements[i]
        s0 += rows[at] * d
        s1 += rows[at + 1] * d
        s2 += rows[at + 2] * d
        s3 += rows[at + 3] * d
      }
      // Beyond the end of the code a typed array takes no notice.
      code[mode] = s0
      code[mode + 1] = s1
      code[mode + 2] = s2
      code[mode + 3] = s3
    }
  }

  /** Positions [m] of all nodes at a code, X + U z, in the rest frame. With the code of `plain` this is no inverse. */
  positions(code: ArrayLike<number>, out: Floats): void {
    requireNumbers('modal body', code, 'code value', this.codeSize)
    const { rest, modes } = this
    out.set(rest)
    for (let mode = 0; mode < this.codeSize; mode++) {
      const weight = code[mode]
      const start = mode * rest.length
      for (let i = 0; i < rest.length; i++) out[i] += weight * modes[start + i]
    }
  }

  /**
   * The surface (of `surfaceOfTets`) alone, in the rest frame, as the reduced model that is trained and stored.
   * @internal
   */
  surfaceModel(
    surface: Pick<TetSurface, 'nodeOfVertex' | 'triangles'>,
    bounds: { lower: Float64Array; upper: Float64Array },
  ): LinearModes {
    return surfaceModes(this, surface, bounds)
  }

  /** Displacements from rest in the rest frame: R^T (x - t) - X. */
  #displace(positions: Floats, frame: Floats): void {
    const [rest, out] = [this.rest, this.#displacements]
    const [xx, xy, xz, yx, yy, yz] = [frame[0], frame[1], frame[2], frame[4], frame[5], frame[6]]
    const [zx, zy, zz, tx, ty, tz] = [frame[8], frame[9], frame[10], frame[12], frame[13], frame[14]]
    for (let at = 0; at < rest.length; at += 3) {
      const x = positions[at] - tx
      const y = positions[at + 1] - ty
      const z = positions[at + 2] - tz
      out[at] = xx * x + xy * y + xz * z - rest[at]
      out[at + 1] = yx * x + yy * y + yz * z - rest[at + 1]
      out[at + 2] = zx * x + zy * y + zz * z - rest[at + 2]
    }
  }
}
