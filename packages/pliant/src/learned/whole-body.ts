/**
 * The paper's field of a character (Zesch et al. section 3.2): one dense network of the point in the root frame and all
 * joint angles. What the code leaves out (hands, feet, head) does not reach it. Networks in bone frames (skinned.ts)
 * are our default; this is what they are measured against.
 */
import type { CodeState } from '../field/signed-field.js'
import type { Box, Vec3 } from '../math/box.js'
import { requireState } from '../math/require.js'
import type { JointCode } from '../model/joint-code.js'
import type { SkeletonPose } from '../model/skeleton.js'
import type { SkinnedCharacter } from '../model/skinned-character.js'
import type { Network } from '../net/network.js'
import type { NetworkShape } from '../net/network-shape.js'
import type { CharacterField, JointState } from './character-field.js'
import { NeuralField, type NeuralFrame } from './neural.js'
import type { Judged } from './own-error.js'
import { skinnedOwnError } from './skinned-own-error.js'

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
  readonly #encoded: Float64Array
  /** What posed the field last: a skeleton in this pose, joints that the network does not see included, or a code. */
  readonly #pose: SkeletonPose
  #bySkeleton = false

  /**
   * A field at the code in the middle of its range; `update` sets another.
   * @param judged  without it, the field cannot tell its own error
   */
  constructor(
    name: string,
    code: JointCode,
    shape: WholeBodyShape,
    truncation: number,
    network: Network,
    judged?: Judged<SkinnedCharacter>,
  ) {
    super(wholeBodyFrame(name, code, shape, truncation), network)
    this.#code = code
    this.#encoded = new Float64Array(code.size)
    this.#pose = code.skeleton.createPose()
    const matrices = new Float64Array(16 * code.skeleton.jointCount)
    this.ownError =
      judged &&
      skinnedOwnError(judged, () => {
        if (!this.#bySkeleton) code.decode(this.current.values, this.#pose)
        code.skeleton.matrices(this.#pose, matrices)
        return matrices
      })
  }

  get skeleton() {
    return this.#code.skeleton
  }

  override update(state: JointState | CodeState): void {
    requireState('update', state, 'joints', 'code')
    if ('joints' in state) this.#follow(state.joints)
    else this.takeCode(state.code)
    this.#bySkeleton = 'joints' in state
  }

  #follow(pose: SkeletonPose): void {
    this.skeleton.requirePose('update', pose)
    this.#code.encode(pose, this.#encoded)
    this.takeCode(this.#encoded)
    this.#pose.translations.set(pose.translations)
    this.#pose.rotations.set(pose.rotations)
    this.#pose.scales.set(pose.scales)
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
