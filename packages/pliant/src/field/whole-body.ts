/**
 * The paper's field of a character (Zesch et al. section 3.2): one dense network of the point in the root frame and all
 * joint angles. What the code leaves out (hands, feet, head) does not reach it. Networks in bone frames (skinned.ts)
 * are our default; this is what they are measured against.
 */
import type { Box, Vec3 } from '../math/box.js'
import type { JointCode } from '../model/joint-code.js'
import type { SkeletonPose } from '../model/skeleton.js'
import type { Network } from '../net/network.js'
import type { NetworkShape } from '../net/network-shape.js'
import type { CharacterField } from './character-field.js'
import { NeuralField, type NeuralFrame } from './neural.js'

/** The network and the cube that it was trained in, as plain data. */
export interface WholeBodyShape {
  /** Normalised point and joint angles over pi -> normalised distance. */
  dense: NetworkShape
  /** normalised point = (point - centre) / scale; metres = normalised distance * scale. */
  centre: Vec3
  scale: number
  /** Where the network answers [m]; outside, the field is the truncation plus the distance to this box. */
  domain: Box
}

export class WholeBodyField extends NeuralField implements CharacterField {
  readonly #code: JointCode
  readonly #current: Float64Array

  /** A field at the code in the middle of its range; `pose` or `poseSkeleton` sets another. */
  constructor(name: string, code: JointCode, shape: WholeBodyShape, truncation: number, network: Network) {
    super(wholeBodyFrame(name, code, shape, truncation), network)
    this.#code = code
    this.#current = new Float64Array(code.size)
  }

  get skeleton() {
    return this.#code.skeleton
  }

  poseSkeleton(pose: SkeletonPose): void {
    this.skeleton.requirePose('poseSkeleton', pose)
    this.#code.encode(pose, this.#current)
    this.pose(this.#current)
  }
}

/**
 * The units of such a network. The joint code is within [-1, 1] as it is.
 * @param truncation distances are learned up to this magnitude [m]
 */
export function wholeBodyFrame(
  name: string,
  { size, bounds }: JointCode,
  { centre, scale, domain }: WholeBodyShape,
  truncation: number,
): NeuralFrame {
  const codeOffset = Array<number>(size).fill(0)
  const codeScale = Array<number>(size).fill(1)
  return {
    name,
    code: { size, lower: [...bounds.lower], upper: [...bounds.upper] },
    normalisation: { centre, scale, codeOffset, codeScale },
    domain,
    truncation,
  }
}
