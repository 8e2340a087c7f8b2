/**
 * A trained character as one file: manifest, skeleton, code, network, and the skinned surface that it was learned from,
 * so that its quality can be measured again with nothing else at hand.
 */
import type { CharacterField } from '../learned/character-field.js'
import { JointCode } from '../model/joint-code.js'
import { Skeleton, type SkeletonPose } from '../model/skeleton.js'
import { SkinnedCharacter } from '../model/skinned-character.js'
import { applyMorphTargets, type SkinnedSurface } from '../model/skinned-surface.js'
import type { SkinningMethod } from '../model/skinning.js'
import type { NetworkOptions } from '../net/create-network.js'
import type { Tensors as NetworkTensors } from '../net/network.js'
import { type CharacterManifest, readCharacterManifest } from './character-manifest.js'
import { createCharacterField } from './character-network.js'
import { narrowest, packShares, unpackShares } from './compact.js'
import { measuredErrors, warnOfFault } from './manifest.js'
import { decodeSafetensors, encodeSafetensors, type TensorData } from './safetensors.js'
import { storeNetwork, takeNetwork } from './stored-network.js'
import { storePose, storePoses, takePose, takePoses } from './stored-poses.js'
import { requireNoneLeft, rising, type Tensors, take, takeIndices } from './take.js'

/** A trained character, decoded from its file. */
export interface CharacterArtifact {
  /** What the file says of itself. */
  manifest: CharacterManifest
  /** Skeleton, code and the skinned surface that was learned. */
  character: SkinnedCharacter
  /** The network's weights by name. */
  network: NetworkTensors
  /** Poses that were never trained on, to judge by. */
  heldOut: SkeletonPose[]
}

export function encodeCharacter({ manifest, character, network, heldOut }: CharacterArtifact): Uint8Array<ArrayBuffer> {
  const { skeleton, surface, code } = character
  const joints = skeleton.jointCount
  const bones = surface.bones.joints.length
  const tensors = storeNetwork(manifest.network, network)
  const add = (name: string, shape: number[], data: TensorData): void => {
    tensors.set(name, { shape, data })
  }
  const addIndices = (name: string, shape: number[], values: ArrayLike<number>, limit: number): void =>
    add(name, shape, narrowest(values, limit))
  add('skeleton.parents', [joints], skeleton.parents)
  storePose(tensors, 'skeleton.rest', skeleton.rest)
  addIndices('code.joint', [code.size], code.joints, joints)
  addIndices('code.axis', [code.size], code.axes, CODE_AXES)
  add('code.unit', [code.size], code.units)
  storePose(tensors, 'code.fixed', code.fixed)
  // Morph targets are no part of the code: the surface is stored with their rest weights applied.
  const bound = new Float64Array(surface.bound.length)
  applyMorphTargets(surface, surface.morphWeights, bound)
  const { influenceStarts, influenceBones, influenceWeights } = surface
  const influences = influenceBones.length
  add('surface.bound', [character.vertexCount, 3], Float32Array.from(bound))
  addIndices('surface.triangles', [surface.triangles.length / 3, 3], surface.triangles, character.vertexCount)
  addIndices('surface.boneJoints', [bones], surface.bones.joints, joints)
  add('surface.inverseBind', [bones, 16], surface.bones.inverseBind)
  addIndices('surface.influenceStarts', [character.vertexCount + 1], influenceStarts, influences + 1)
  addIndices('surface.influenceBones', [influences], influenceBones, bones)
  add('surface.influenceWeights', [influences], packShares(influenceWeights, influenceStarts))
  storePoses(tensors, 'heldOut', heldOut, skeleton)
  return encodeSafetensors({ metadata: { format: 'pliant', manifest: JSON.stringify(manifest) }, tensors })
}

/**
 * Reads a trained character without loading its network: its manifest, its skeleton and its skinned surface.
 * @throws Error in one line if the bytes are not a whole artifact of a character that we read
 */
export function decodeCharacter(bytes: Uint8Array): CharacterArtifact {
  const { metadata, tensors } = decodeSafetensors(bytes)
  if (metadata['format'] !== 'pliant' || metadata['manifest'] === undefined) {
    throw new Error('character: this safetensors file is not a Pliant artifact; make one with `pliant train`.')
  }
  const manifest = readCharacterManifest(metadata['manifest'])
  const skeleton = takeSkeleton(manifest, tensors)
  const character = new SkinnedCharacter({
    skeleton,
    code: takeCode(manifest, skeleton, tensors),
    surface: takeSurface(manifest, tensors),
    height: manifest.height,
    skinning: manifest.surface.skinning as SkinningMethod,
  })
  const network = takeNetwork(manifest.network, tensors)
  const heldOut = takePoses(tensors, 'heldOut', manifest.heldOut.poses, skeleton)
  requireNoneLeft(tensors)
  return { manifest, character, network, heldOut }
}

/** From bytes, or from what was decoded, to a field that answers in the character's root frame. */
export async function loadCharacter(
  source: Uint8Array | CharacterArtifact,
  options: NetworkOptions = {},
): Promise<CharacterField> {
  const { manifest, character, network } = source instanceof Uint8Array ? decodeCharacter(source) : source
  warnOfFault(manifest)
  return createCharacterField(manifest, character, network, options, measuredErrors(manifest.quality))
}

/** Three rotations and three slides (joint-code.ts). */
const CODE_AXES = 6

function takeSkeleton({ skeleton: { names, root, frames } }: CharacterManifest, tensors: Tensors): Skeleton {
  const parents = take(tensors, 'skeleton.parents', [names.length], Int32Array)
  const skeleton = new Skeleton({ names, parents, root, rest: takePose(tensors, 'skeleton.rest', names.length) })
  if (skeleton.frames && frames !== 'rigid') {
    throw new Error('character: an old version trained it with scaled joints and mixed their units up; train it again.')
  }
  return skeleton
}

function takeCode({ code }: CharacterManifest, skeleton: Skeleton, tensors: Tensors): JointCode {
  const joints = skeleton.jointCount
  return new JointCode(skeleton, {
    joints: Uint16Array.from(takeIndices(tensors, 'code.joint', [code.size], joints)),
    axes: Uint8Array.from(takeIndices(tensors, 'code.axis', [code.size], CODE_AXES)),
    units: take(tensors, 'code.unit', [code.size], Float64Array),
    fixed: takePose(tensors, 'code.fixed', joints),
    bounds: { lower: Float64Array.from(code.lower), upper: Float64Array.from(code.upper) },
    dropped: [],
    largestAngle: code.largestAngle,
  })
}

function takeSurface({ surface, skeleton }: CharacterManifest, tensors: Tensors): SkinnedSurface {
  const { vertices, triangles, influences, bones } = surface
  const starts = takeIndices(tensors, 'surface.influenceStarts', [vertices + 1], influences + 1)
  // The first files held weights as floats.
  const weights = take<Uint16Array | Float32Array>(
    tensors,
    'surface.influenceWeights',
    [influences],
    Uint16Array,
    Float32Array,
  )
  return {
    bound: Float64Array.from(take(tensors, 'surface.bound', [vertices, 3], Float32Array)),
    triangles: takeIndices(tensors, 'surface.triangles', [triangles, 3], vertices),
    bones: {
      joints: Uint16Array.from(takeIndices(tensors, 'surface.boneJoints', [bones], skeleton.names.length)),
      inverseBind: take(tensors, 'surface.inverseBind', [bones, 16], Float64Array),
    },
    influenceStarts: rising(starts, influences, 'surface.influenceStarts'),
    influenceBones: Uint16Array.from(takeIndices(tensors, 'surface.influenceBones', [influences], bones)),
    influenceWeights: weights instanceof Uint16Array ? unpackShares(weights) : weights,
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [],
  }
}
