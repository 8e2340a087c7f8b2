/** What a trained character's file says of itself, checked field by field before use. */
import { FINGERPRINT_LENGTH } from '../model/clip-fingerprint.js'
import { readBoneNetwork } from './bone-manifest.js'
import type { CharacterNetworkShape } from './character-network.js'
import { finite, numbers, object, parseManifest, positive, readBox, size32, text, wholeUpTo, wrong } from './checks.js'
import { FORMAT_VERSION, type Quality, readCode, readNetwork, readQuality } from './manifest.js'

/** Of a field against the mesh that people see, where that is not the surface it was trained on [m]. */
export interface SeenError {
  mean: number
  p95: number
  max: number
}

/** What the file of a trained character says of itself. */
export interface CharacterManifest {
  /** Version of the file format. */
  format: number
  /** Which kind of artifact this is. */
  kind: 'character'
  /** Name of the character. */
  name: string
  /** Vertical extent in the rest pose [m]. */
  height: number
  /** The joint angles that stand for a pose: how many, their names and the range of the clips. */
  code: {
    size: number
    /** One name per entry, such as `LeftArm x`. */
    names: string[]
    /** Range of the clips that were trained on, widened. */
    lower: number[]
    upper: number[]
    how: string
    /** Largest rotation from rest of a joint of the code in those clips [rad]; near pi the code jumps. */
    largestAngle: number
  }
  /** Names of the joints, and which of them carries the body. */
  skeleton: {
    names: string[]
    root: number
    /** 'rigid': bones and bind matrices are of joint frames (model/skeleton.ts). The first files had joint spaces there. */
    frames?: 'rigid'
  }
  /** The surface that was learned, and how it was made of the character's meshes. */
  surface: {
    vertices: number
    triangles: number
    influences: number
    bones: number
    skinning: string
    /** Whether the character's mesh was taken as it is or a closed surface was made of it, */
    made: 'as given' | 'remeshed'
    /** and how far that lies from what can be seen of the original, at rest [m]. */
    meanDeviation: number
    maxDeviation: number
    /** |learned - distance from what is seen|, outside within the band, over the poses it was judged by [m]. */
    seenError?: SeenError
  }
  /** Distances are learned up to this magnitude [m]. */
  truncation: number
  /** Shape of the network; its weights are in the artifact. */
  network: CharacterNetworkShape
  /** How it was trained. */
  training: {
    method: string
    seed: number
    steps: number
    poses: number
    labels: number
    /** Names of the clips. */
    clips: string[]
    /** What each of them does (model/clip-fingerprint.ts); the first files have none. */
    fingerprints?: number[][]
  }
  /** Poses in the file that were never trained on, and the clips they are of; no clips: clips that were trained on, with noise. */
  heldOut: { poses: number; clips: string[] }
  /** On those poses; lengths refer to the height, which stands as `diagonal`. */
  quality: Quality | null
  /** Why the field must not be trusted, in one line; not there if training found nothing wrong. */
  fault?: string
}

/** @throws Error naming the first field that is missing or wrong */
export function readCharacterManifest(json: string): CharacterManifest {
  const value = parseManifest(json)
  const root = object(value, 'manifest')
  if (root['kind'] !== 'character') throw wrong('kind', root['kind'], "'character'")
  wholeUpTo(root['format'], FORMAT_VERSION, 'format', 1)
  text(root['name'], 'name')
  const codeSize = readCode(root['code'])
  finite(object(root['code'], 'code')['largestAngle'], 'code.largestAngle')
  const joints = readSkeleton(root['skeleton'])
  const surface = object(root['surface'], 'surface')
  for (const key of ['vertices', 'triangles', 'influences', 'bones']) size32(surface[key], `surface.${key}`)
  if (surface['skinning'] !== 'linear' && surface['skinning'] !== 'dual-quaternion') {
    throw wrong('surface.skinning', surface['skinning'], "'linear' or 'dual-quaternion'")
  }
  text(surface['made'], 'surface.made')
  for (const key of ['meanDeviation', 'maxDeviation']) finite(surface[key], `surface.${key}`)
  if (surface['seenError'] !== undefined) {
    const seen = object(surface['seenError'], 'surface.seenError')
    for (const key of ['mean', 'p95', 'max']) finite(seen[key], `surface.seenError.${key}`)
  }
  positive(root['truncation'], 'truncation')
  const network = object(root['network'], 'network')
  if ('dense' in network) readWholeBody(network, codeSize)
  else readBoneNetwork(network, joints)
  // The first files had no height of their own: it was the unit of the network in bone frames, the only one there was.
  root['height'] ??= network['scale']
  positive(root['height'], 'height')
  const training = object(root['training'], 'training')
  text(training['method'], 'training.method')
  for (const key of ['seed', 'steps', 'poses', 'labels']) finite(training[key], `training.${key}`)
  readFingerprints(training['fingerprints'], names(training['clips'], 'training.clips', 10_000))
  const heldOut = object(root['heldOut'], 'heldOut')
  wholeUpTo(heldOut['poses'], 100_000, 'heldOut.poses')
  names(heldOut['clips'], 'heldOut.clips', 10_000)
  if (root['quality'] !== null) readQuality(root['quality'])
  if (root['fault'] !== undefined) text(root['fault'], 'fault')
  return value as CharacterManifest
}

/** @returns the number of joints */
function readSkeleton(value: unknown): number {
  const skeleton = object(value, 'skeleton')
  const joints = names(skeleton['names'], 'skeleton.names', 10_000)
  wholeUpTo(skeleton['root'], joints - 1, 'skeleton.root')
  const { frames } = skeleton
  if (frames !== undefined && frames !== 'rigid') throw wrong('skeleton.frames', frames, "'rigid'")
  return joints
}

function readFingerprints(value: unknown, clips: number): void {
  if (value === undefined) return
  if (!Array.isArray(value) || value.length !== clips) {
    throw wrong('training.fingerprints', value, `one for each of ${clips} clips`)
  }
  value.forEach((entry, i) => {
    numbers(entry, FINGERPRINT_LENGTH, `training.fingerprints[${i}]`)
  })
}

function readWholeBody(network: Record<string, unknown>, codeSize: number): void {
  readNetwork(network['dense'], codeSize, 'network.dense')
  numbers(network['centre'], 3, 'network.centre')
  positive(network['scale'], 'network.scale')
  readBox(network['domain'], 'network.domain')
}

/** @returns how many */
function names(value: unknown, path: string, limit: number): number {
  if (!Array.isArray(value) || value.length > limit) throw wrong(path, value, `a list of up to ${limit} names`)
  value.forEach((name, i) => {
    text(name, `${path}[${i}]`)
  })
  return value.length
}
