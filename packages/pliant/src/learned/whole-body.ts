/**
 * The paper's field of a character (Zesch et al. section 3.2): one dense network of the point in the root frame and all
 * joint angles. What the code leaves out (hands, feet, head) does not reach it. Networks in bone frames (skinned.ts)
 * are our default; this is what they are measured against.
 */
import type { CodeState } from '../field/signed-field.js'
import { requireState } from '../math/require.js'
import type { JointCode } from '../model/joint-code.js'
import type { SkeletonPose } from '../model/skeleton.js'
import type { SkinnedCharacter } from '../model/skinned-character.js'
import type { Network } from '../net/network.js'
import type { CharacterField, JointState } from './character-field.js'
import { NeuralField, type NeuralFrame } from './neural.js'
import type { Judged } from './own-error.js'
import { skinnedOwnError } from './skinned-own-error.js'

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
  constructor(frame: NeuralFrame, code: JointCode, network: Network, judged?: Judged<SkinnedCharacter>) {
    super(frame, network)
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
