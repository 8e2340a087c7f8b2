/**
 * Keeps a live three.js avatar out of itself: whatever drives its bones (motion capture, hand tracking, inverse kinematics,
 * a mixer), `update` moves those that would run into the body to the nearest pose that does not.
 */
import type { Object3D } from 'three'
import { decode } from '../artifact/artifact.js'
import type { CharacterContactManifest } from '../artifact/kinds/character-contact.js'
import { load } from '../artifact/load.js'
import { type FileSource, readSource } from '../artifact/source.js'
import type { CharacterContactField } from '../learned/character-contact.js'
import type { SkeletonPose } from '../model/skeleton.js'
import { weightsOfCode } from '../respond/repair/character-motion.js'
import { CodeGuard, type GuardOptions } from '../respond/repair/code-guard.js'
import { liveJoints } from './live-joints.js'

/** How to load one: the margin, and what stops a download. */
export interface LoadPoseGuardOptions extends GuardOptions {
  /** Stops a download. */
  signal?: AbortSignal
}

/**
 * Loads what keeps a character's poses free.
 * @param source  a file of kind 'character-contact' (`pliant train character.glb --learn self-contact`): its address or its
 *                bytes
 * @param object  the character: a skinned mesh of it, or anything that holds all of it and no other of its kind
 * @throws Error in one line if the download fails, the bytes are damaged or of another kind, or a joint is not there
 */
export async function loadPoseGuard(
  source: FileSource,
  object: Object3D,
  { signal, ...options }: LoadPoseGuardOptions = {},
): Promise<PoseGuard> {
  const artifact = await decode(await readSource(source, signal), 'character-contact')
  return new PoseGuard(artifact, await load(artifact), object, options)
}

/** Keeps a live avatar out of itself. */
export class PoseGuard {
  /** What the file says of itself: name, quality, what counts as contact. */
  readonly manifest: CharacterContactManifest
  /** The learned field over joint angles. */
  readonly field: CharacterContactField
  /** Least clearance of the last pose, as it is now [m]; undefined before the first. */
  clearance: number | undefined
  readonly #guard: CodeGuard
  readonly #objects: readonly (Object3D | undefined)[]
  readonly #pose: SkeletonPose
  readonly #code: Float64Array
  readonly #moved: { turned: number[]; slid: number[] }

  /**
   * Made by `loadPoseGuard`, or of what `decode` and `load` give.
   * @throws Error if the file is of the paper's network, which does not tell parts apart, or a joint is not there
   */
  constructor(
    { manifest }: { manifest: CharacterContactManifest },
    field: CharacterContactField,
    object: Object3D,
    options: GuardOptions = {},
  ) {
    const { skeleton } = field.character
    if (field.pairs.length === 0) {
      throw new Error(
        `pose guard: the network of '${manifest.name}' tells no clearances of parts; train it by our own method.`,
      )
    }
    this.manifest = manifest
    this.field = field
    this.#guard = new CodeGuard(field, { weights: weightsOfCode(field.character), ...options })
    this.#objects = liveJoints('pose guard', skeleton, object)
    this.#pose = skeleton.createPose()
    this.#code = new Float64Array(field.codeSize)
    this.#moved = field.character.code.movedJoints()
  }

  /**
   * Moves bones that would run into the body; call it once per frame, after whatever drives them and before rendering.
   * @returns whether anything was moved
   * @throws RangeError if a bone's transform is not finite
   */
  update(): boolean {
    const { character } = this.field
    this.#read()
    character.encodePose(this.#pose, this.#code)
    const before = this.#code.slice()
    this.clearance = this.#guard.keep(before, this.#code)
    if (this.#code.every((value, k) => value === before[k])) return false
    character.code.decodeOnto(this.#code, this.#pose)
    this.#write()
    return true
  }

  /** Forgets the last frame, as after a cut. */
  reset(): void {
    this.#guard.reset()
  }

  /** Ends helper threads, if any. */
  dispose(): void {
    this.field.dispose()
  }

  #read(): void {
    const { translations, rotations, scales } = this.#pose
    this.#objects.forEach((object, joint) => {
      if (!object) return
      object.position.toArray(translations, 3 * joint)
      object.quaternion.toArray(rotations, 4 * joint)
      object.scale.toArray(scales, 3 * joint)
    })
  }

  /** Only what the code moves: the rest stays as somebody set it, to the last bit. */
  #write(): void {
    const { rotations, translations } = this.#pose
    for (const joint of this.#moved.turned) this.#objects[joint]?.quaternion.fromArray(rotations, 4 * joint)
    for (const joint of this.#moved.slid) this.#objects[joint]?.position.fromArray(translations, 3 * joint)
  }
}
