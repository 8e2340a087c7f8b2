/**
 * A character as a field: the network in bone frames, following the live skeleton or a code. Points, distances and
 * gradients are in the root frame (model/skeleton.ts) [m].
 *
 * A crowd of one character needs one field, posed and asked for each of them in turn: a field of its own for each would
 * keep a copy of the network (5 MB) for each, and push the others' out of the caches.
 */
import type { CodeState } from '../field/signed-field.js'
import type { Box, EdgeBox } from '../math/box.js'
import type { Floats } from '../math/floats.js'
import { requireNumbers, requireState } from '../math/require.js'
import type { JointCode } from '../model/joint-code.js'
import type { Skeleton, SkeletonPose } from '../model/skeleton.js'
import type { SkinnedCharacter } from '../model/skinned-character.js'
import { BoneDrivers } from '../net/bones/bone-drivers.js'
import type { BoneNetwork } from '../net/bones/bone-network.js'
import { MAX_DRIVERS } from '../net/bones/bone-shape.js'
import type { CharacterField, JointState } from './character-field.js'
import { CheckedCode } from './checked-code.js'
import type { Judged, OwnError } from './own-error.js'
import { skinnedOwnError } from './skinned-own-error.js'

export class SkinnedField implements CharacterField {
  readonly codeSize: number
  readonly skeleton: Skeleton
  readonly network: BoneNetwork
  readonly #code: JointCode
  readonly #checked: CheckedCode
  readonly #pose: SkeletonPose
  readonly #matrices: Float64Array
  readonly #boneDrivers: BoneDrivers
  readonly #drivers: Float32Array
  readonly #ownError: OwnError | undefined

  /**
   * A field at the rest pose; `update` sets another.
   * @param judged  without it, the field cannot tell its own error
   */
  constructor(skeleton: Skeleton, code: JointCode, network: BoneNetwork, judged?: Judged<SkinnedCharacter>) {
    this.skeleton = skeleton
    this.network = network
    this.codeSize = code.size
    this.#code = code
    this.#checked = new CheckedCode('this character', code.size)
    this.#pose = skeleton.createPose()
    this.#matrices = new Float64Array(16 * skeleton.jointCount)
    this.#boneDrivers = new BoneDrivers(skeleton, network.shape.bones)
    this.#drivers = new Float32Array(network.shape.bones.length * 3 * MAX_DRIVERS)
    this.#ownError = judged && skinnedOwnError(judged, () => this.#matrices)
    this.update(skeleton.stateOf(skeleton.rest))
  }

  /**
   * @throws RangeError if the code has another length or is not finite, or naming a joint that is missing or not finite;
   *   the field then stays as it was
   */
  update(state: JointState | CodeState): void {
    requireState('update', state, 'joints', 'code')
    if ('joints' in state) this.#follow(state.joints, state.matrices)
    else {
      this.#checked.set(state.code)
      this.#code.decode(this.#checked.values, this.#pose)
      this.skeleton.matrices(this.#pose, this.#matrices)
      this.#follow(this.#pose, this.#matrices)
    }
  }

  #follow(joints: SkeletonPose, matrices: Float64Array): void {
    this.skeleton.requirePose('update', joints)
    requireNumbers('update', matrices, 'joint matrix value', 16 * this.skeleton.jointCount)
    this.#boneDrivers.write(joints, this.#drivers)
    this.network.pose(matrices, this.#drivers)
    // For `expectedError`; the caller's own may have moved on by then.
    this.#matrices.set(matrices)
    this.#ownError?.forget()
  }

  get probeError(): number {
    return this.#ownError?.atProbes(this) ?? Number.NaN
  }

  get expectedError(): number {
    return this.#ownError?.expected(this) ?? Number.NaN
  }

  get trusted(): boolean {
    return this.#ownError?.isTrusted(this) ?? false
  }

  query(points: Floats, count: number, distances: Floats, gradients?: Floats): void {
    this.network.query(points, count, distances, gradients)
  }

  /** None unless the field was loaded with bounds. */
  bounds(box: Box): readonly [number, number] | undefined {
    return this.boundsOver(box)
  }

  boundsOver(box: Box | EdgeBox): readonly [number, number] | undefined {
    return this.network.bounds?.(box)
  }

  dispose(): void {
    this.network.dispose()
  }
}
