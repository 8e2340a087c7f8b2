/** Poses of a character as a motion to repair: their codes, an exact test of each, what its changes weigh, what is kept. */
import type { CharacterContactField } from '../../learned/character-contact.js'
import type { Floats } from '../../math/floats.js'
import { JointSpaces } from '../../model/joint-spaces.js'
import type { SkeletonPose } from '../../model/skeleton.js'
import type { SkinnedCharacter } from '../../model/skinned-character.js'
import { SkinnedPoints } from '../../model/skinned-points.js'
import type { KeptPlaces, RecordedMotion } from './recorded-motion.js'

/** Says which bones are in each other; `SurfaceContact` of pliant/exact is one. */
export interface BonesInContact {
  /**
   * The bones that are in each other, two numbers for each pair.
   * @param positions  of all vertices [m]
   */
  partsInContact(positions: Floats): readonly number[]
  /** How deep those that it told last are in each other, a number for each pair [m]; left out, nobody knows. */
  depthsOfParts?(): ArrayLike<number>
}

/** What a motion of a character is repaired with. */
export interface CharacterMotionOptions {
  /** Frames a second of the poses. */
  rate: number
  /** Names of joints that stay where the recording has them, such as feet on the ground. */
  keep?: readonly string[]
}

/** A motion of a character, for `repairMotion`. */
export interface CharacterMotion extends RecordedMotion {
  /** A frame's pose with another code: what the code does not hold stays as it was recorded. */
  poseOf(frame: number, code: ArrayLike<number>): SkeletonPose
}

/** Vertices by which entries of a code are weighed. */
const WEIGHED_BY = 200

/**
 * Makes a motion to repair of poses.
 * @param contact  made of the character's own shape: `new SurfaceContact(characterShape(field.character, neighbours))`
 * @param poses    one for each frame
 * @throws RangeError if the field does not tell parts apart, a joint to keep is not there, or a pose is not finite
 */
export function characterMotion(
  field: CharacterContactField,
  contact: BonesInContact,
  poses: readonly SkeletonPose[],
  { rate, keep = [] }: CharacterMotionOptions,
): CharacterMotion {
  const { character, codeSize } = field
  if (field.pairs.length === 0) {
    throw new RangeError('repair motion: the network tells no clearances of parts; train it by our own method.')
  }
  const codes = new Float64Array(poses.length * codeSize)
  for (const [frame, pose] of poses.entries()) {
    character.skeleton.requirePose(`repair motion: frame ${frame}`, pose)
    character.encodePose(pose, codes.subarray(frame * codeSize, (frame + 1) * codeSize))
  }
  const pairOf = new Map(
    field.pairs.map((_, pair) => [keyOf(field.pairsOfParts[2 * pair], field.pairsOfParts[2 * pair + 1]), pair]),
  )
  const positions = new Float64Array(3 * character.vertexCount)
  const poseOf = (frame: number, code: ArrayLike<number>): SkeletonPose => {
    const { translations, rotations, scales } = poses[frame]
    const pose = { translations: translations.slice(), rotations: rotations.slice(), scales: scales.slice() }
    character.code.decodeOnto(code, pose)
    return pose
  }
  return {
    rate,
    codes,
    weights: weightsOfCode(character),
    kept: keep.length > 0 ? new KeptJoints(character, keep) : undefined,
    poseOf,
    contacts(frame, code) {
      character.positionsOfPose(poseOf(frame, code), positions)
      const bones = contact.partsInContact(positions)
      return Array.from({ length: bones.length / 2 }, (_, i) => pairOf.get(keyOf(bones[2 * i], bones[2 * i + 1])) ?? -1)
    },
    depths: contact.depthsOfParts && (() => contact.depthsOfParts!()),
  }
}

function keyOf(a: number, b: number): string {
  return `${Math.min(a, b)} ${Math.max(a, b)}`
}

/** How much of the surface each entry moves, over their mean: a turn of the hand is less of a change than one of the trunk. */
export function weightsOfCode(character: SkinnedCharacter): Float64Array {
  const { codeSize, vertexCount } = character
  const every = Math.max(1, Math.floor(vertexCount / WEIGHED_BY))
  const vertices = Array.from({ length: Math.ceil(vertexCount / every) }, (_, i) => i * every)
  const points = new SkinnedPoints(character, vertices)
  const rest = new Float64Array(codeSize)
  const row = new Float64Array(codeSize)
  const cotangents = new Float64Array(3 * vertices.length)
  const squares = new Float64Array(codeSize)
  for (let i = 0; i < cotangents.length; i++) {
    cotangents[i] = 1
    points.pullBack(rest, cotangents, row)
    cotangents[i] = 0
    for (let k = 0; k < codeSize; k++) squares[k] += row[k] * row[k]
  }
  const mean = squares.reduce((sum, square) => sum + square, 0) / codeSize
  // None is free, or what moves little would be moved without end.
  return squares.map((square) => LEAST_WEIGHT + (1 - LEAST_WEIGHT) * (square / (mean || 1)))
}
const LEAST_WEIGHT = 0.2

/** Places of joints in the root frame. */
class KeptJoints implements KeptPlaces {
  readonly pointCount: number
  readonly #joints: number[]
  readonly #spaces: JointSpaces
  readonly #bySpaces: Float64Array

  constructor({ skeleton, code }: SkinnedCharacter, names: readonly string[]) {
    this.#joints = names.map((name) => {
      const joint = skeleton.jointNamed(name)
      if (joint >= 0) return joint
      throw new RangeError(
        `repair motion: there is no joint '${name}' to keep; choose from ${skeleton.names.join(', ')}.`,
      )
    })
    this.pointCount = this.#joints.length
    this.#spaces = new JointSpaces(code)
    this.#bySpaces = new Float64Array(16 * skeleton.jointCount)
  }

  positions(code: ArrayLike<number>, out: Floats): void {
    this.#spaces.moveTo(code)
    this.#joints.forEach((joint, i) => {
      for (let axis = 0; axis < 3; axis++) out[3 * i + axis] = this.#spaces.spaces[16 * joint + 12 + axis]
    })
  }

  pullBack(code: ArrayLike<number>, cotangents: ArrayLike<number>, out: Floats): void {
    this.#spaces.moveTo(code)
    this.#bySpaces.fill(0)
    this.#joints.forEach((joint, i) => {
      for (let axis = 0; axis < 3; axis++) this.#bySpaces[16 * joint + 12 + axis] += cotangents[3 * i + axis]
    })
    this.#spaces.pullBack(this.#bySpaces, out)
  }
}
