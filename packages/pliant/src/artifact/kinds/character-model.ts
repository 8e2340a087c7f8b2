/** What a trained character's file says of it, checked field by field before use. */
import { FINGERPRINT_LENGTH } from '../../model/clip-fingerprint.js'
import { finite, numbers, object, positive, size32, text, wholeUpTo, wrong } from '../checks.js'
import type { Manifest } from '../manifest.js'
import type { BonesNetwork } from '../networks/bones.js'
import type { WholeNetwork } from '../networks/whole.js'
import type { StoredCharacter } from './stored-character.js'

/** Of a field against the mesh that people see, where that is not the surface it was trained on [m]. */
export interface SeenError {
  /** Mean over all points [m]. */
  mean: number
  /** 95% of points are off by less [m]. */
  p95: number
  /** The largest [m]. */
  max: number
}

/** Ours in bone frames, or the paper's of the whole body. */
export type CharacterNetwork = BonesNetwork | WholeNetwork

/** What the file of a trained character says of itself. */
export type CharacterManifest = Manifest<CharacterModel, CharacterNetwork>

/** Of a character: its size, its skeleton, its surface, and the clips that it knows. */
export interface CharacterModel extends StoredCharacter, KnownClips {
  /** Name of the kind. */
  kind: 'character'
  /** The surface that was learned, and how it was made of the character's meshes. */
  surface: StoredCharacter['surface'] & {
    /** Whether the character's mesh was taken as it is or a closed surface was made of it, */
    made: 'as given' | 'remeshed'
    /** and how far that lies from what can be seen of the original, at rest [m]. */
    meanDeviation: number
    maxDeviation: number
    /** |learned - distance from what is seen|, outside within the band, over the poses it was judged by [m]. */
    seenError?: SeenError
  }
}

/** Motions that a character was trained on, and those that it is judged by. */
export interface KnownClips {
  /** Clips that it was trained on, and what each of them does (model/clip-fingerprint.ts). */
  clips: { name: string; fingerprint: number[] }[]
  /** Poses in the file that were never trained on, and the clips they are of; no clips: clips that were trained on, with noise. */
  heldOut: { poses: number; clips: string[] }
}

const MOST_NAMES = 10_000
const MOST_POSES = 100_000

/** @throws Error naming the first field that is missing or wrong */
export function checkCharacterModel(model: Record<string, unknown>): void {
  checkStoredCharacter(model)
  checkKnownClips(model)
  const surface = object(model['surface'], 'model.surface')
  text(surface['made'], 'model.surface.made')
  for (const key of ['meanDeviation', 'maxDeviation']) finite(surface[key], `model.surface.${key}`)
  if (surface['seenError'] === undefined) return
  const seen = object(surface['seenError'], 'model.surface.seenError')
  for (const key of ['mean', 'p95', 'max']) finite(seen[key], `model.surface.seenError.${key}`)
}

/** @throws Error naming the first field of `StoredCharacter` that is missing or wrong */
export function checkStoredCharacter(model: Record<string, unknown>): void {
  positive(model['height'], 'model.height')
  const skeleton = object(model['skeleton'], 'model.skeleton')
  const joints = names(skeleton['names'], 'model.skeleton.names')
  wholeUpTo(skeleton['root'], joints - 1, 'model.skeleton.root')
  const surface = object(model['surface'], 'model.surface')
  for (const key of ['vertices', 'triangles', 'influences', 'bones']) size32(surface[key], `model.surface.${key}`)
  if (surface['skinning'] !== 'linear' && surface['skinning'] !== 'dual-quaternion') {
    throw wrong('model.surface.skinning', surface['skinning'], "'linear' or 'dual-quaternion'")
  }
  finite(model['largestAngle'], 'model.largestAngle')
}

/** @throws Error naming the first field of `KnownClips` that is missing or wrong */
export function checkKnownClips(model: Record<string, unknown>): void {
  listUpTo(model['clips'], MOST_NAMES, 'model.clips').forEach((entry, i) => {
    const clip = object(entry, `model.clips[${i}]`)
    text(clip['name'], `model.clips[${i}].name`)
    numbers(clip['fingerprint'], FINGERPRINT_LENGTH, `model.clips[${i}].fingerprint`)
  })
  const heldOut = object(model['heldOut'], 'model.heldOut')
  wholeUpTo(heldOut['poses'], MOST_POSES, 'model.heldOut.poses')
  names(heldOut['clips'], 'model.heldOut.clips')
}

/** @returns how many */
function names(value: unknown, path: string): number {
  const list = listUpTo(value, MOST_NAMES, path)
  list.forEach((name, i) => {
    text(name, `${path}[${i}]`)
  })
  return list.length
}

function listUpTo(value: unknown, limit: number, path: string): unknown[] {
  if (!Array.isArray(value) || value.length > limit) throw wrong(path, value, `a list of up to ${limit}`)
  return value
}
