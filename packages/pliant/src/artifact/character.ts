/**
 * A trained character as one file: manifest, skeleton, code, network, and the skinned surface that it was learned from,
 * so that its quality can be measured again with nothing else at hand.
 */
import type { CharacterField } from '../field/character-field.js'
import { JointCode } from '../model/joint-code.js'
import { Skeleton, type SkeletonPose } from '../model/skeleton.js'
import { SkinnedCharacter } from '../model/skinned-character.js'
import { applyMorphTargets } from '../model/skinned-surface.js'
import type { SkinningMethod } from '../model/skinning.js'
import type { NetworkOptions } from '../net/create-network.js'
import type { Tensors } from '../net/network.js'
import { type CharacterManifest, readCharacterManifest } from './character-manifest.js'
import { characterTensors, createCharacterField } from './character-network.js'
import { decodeSafetensors, encodeSafetensors, type StoredTensor, type TensorData } from './safetensors.js'
import { below, rising, take } from './take.js'

export interface CharacterArtifact {
  manifest: CharacterManifest
  character: SkinnedCharacter
  network: Tensors
  /** Poses that were never trained on, to judge by. */
  heldOut: SkeletonPose[]
}

/** Tensors beside the network's: 4 of the skeleton, 6 of the code, 7 of the surface, 3 of the poses to judge by. */
const OTHER_TENSORS = 20

export function encodeCharacter({ manifest, character, network, heldOut }: CharacterArtifact): Uint8Array<ArrayBuffer> {
  const { skeleton, surface, code } = character
  const tensors = new Map<string, StoredTensor>()
  const add = (name: string, shape: number[], data: TensorData): void => {
    tensors.set(name, { shape, data })
  }
  const joints = skeleton.jointCount
  add('skeleton.parents', [joints], skeleton.parents)
  addPose(add, 'skeleton.rest', skeleton.rest, joints)
  add('code.joint', [code.size], Uint32Array.from(code.joints))
  add('code.axis', [code.size], Uint32Array.from(code.axes))
  add('code.unit', [code.size], code.units)
  addPose(add, 'code.fixed', code.fixed, joints)
  // Morph targets are no part of the code: the surface is stored with their rest weights applied.
  const bound = new Float64Array(surface.bound.length)
  applyMorphTargets(surface, surface.morphWeights, bound)
  add('surface.bound', [character.vertexCount, 3], Float32Array.from(bound))
  add('surface.triangles', [surface.triangles.length / 3, 3], surface.triangles)
  add('surface.boneJoints', [surface.bones.joints.length], Uint32Array.from(surface.bones.joints))
  add('surface.inverseBind', [surface.bones.joints.length, 16], surface.bones.inverseBind)
  add('surface.influenceStarts', [character.vertexCount + 1], surface.influenceStarts)
  add('surface.influenceBones', [surface.influenceBones.length], Uint32Array.from(surface.influenceBones))
  add('surface.influenceWeights', [surface.influenceWeights.length], surface.influenceWeights)
  addPoses(add, 'heldOut', heldOut, joints)
  for (const [name, shape] of characterTensors(manifest.network)) {
    const data = network.get(name)
    if (!data) throw new Error(`character: tensor ${name} is missing; the network's shape asks for [${shape}].`)
    add(`net.${name}`, shape, data)
  }
  return encodeSafetensors({ metadata: { format: 'pliant', manifest: JSON.stringify(manifest) }, tensors })
}

/** @throws Error in one line if the bytes are not a whole artifact of a character that we read */
export function decodeCharacter(bytes: Uint8Array): CharacterArtifact {
  const { metadata, tensors } = decodeSafetensors(bytes)
  if (metadata['format'] !== 'pliant' || metadata['manifest'] === undefined) {
    throw new Error('character: this safetensors file is not a Pliant artifact; make one with `pliant train`.')
  }
  const manifest = readCharacterManifest(metadata['manifest'])
  const expected = characterTensors(manifest.network)
  const total = expected.size + OTHER_TENSORS
  if (tensors.size !== total) throw new Error(`character: ${tensors.size} tensors, should be ${total}; train it again.`)

  const { vertices, triangles, influences, bones } = manifest.surface
  const joints = manifest.skeleton.names.length
  const size = manifest.code.size
  const f32 = (name: string, shape: number[]) => take(tensors, name, shape, Float32Array)
  const u32 = (name: string, shape: number[]) => take(tensors, name, shape, Uint32Array)
  const skeleton = new Skeleton({
    names: manifest.skeleton.names,
    parents: take(tensors, 'skeleton.parents', [joints], Int32Array),
    root: manifest.skeleton.root,
    rest: takePose(tensors, 'skeleton.rest', joints),
  })
  const code = new JointCode(skeleton, {
    joints: Uint16Array.from(below(u32('code.joint', [size]), joints, 'code.joint')),
    axes: Uint8Array.from(below(u32('code.axis', [size]), 6, 'code.axis')),
    units: take(tensors, 'code.unit', [size], Float64Array),
    fixed: takePose(tensors, 'code.fixed', joints),
    bounds: { lower: Float64Array.from(manifest.code.lower), upper: Float64Array.from(manifest.code.upper) },
    dropped: [],
    largestAngle: manifest.code.largestAngle,
  })
  const boneJoints = below(u32('surface.boneJoints', [bones]), joints, 'surface.boneJoints')
  const character = new SkinnedCharacter({
    skeleton,
    code,
    surface: {
      bound: Float64Array.from(f32('surface.bound', [vertices, 3])),
      triangles: below(u32('surface.triangles', [triangles, 3]), vertices, 'surface.triangles'),
      bones: {
        joints: Uint16Array.from(boneJoints),
        inverseBind: take(tensors, 'surface.inverseBind', [bones, 16], Float64Array),
      },
      influenceStarts: rising(u32('surface.influenceStarts', [vertices + 1]), influences, 'surface.influenceStarts'),
      influenceBones: Uint16Array.from(
        below(u32('surface.influenceBones', [influences]), bones, 'surface.influenceBones'),
      ),
      influenceWeights: f32('surface.influenceWeights', [influences]),
      morphTargets: [],
      morphWeights: new Float64Array(0),
      meshes: [],
    },
    height: manifest.height,
    skinning: manifest.surface.skinning as SkinningMethod,
  })
  const network = new Map([...expected].map(([name, shape]) => [name, f32(`net.${name}`, shape)]))
  const heldOut = takePoses(tensors, 'heldOut', manifest.heldOut.poses, joints)
  return { manifest, character, network, heldOut }
}

/** From bytes, or from what was decoded, to a field that answers in the character's root frame. */
export async function loadCharacter(
  source: Uint8Array | CharacterArtifact,
  options: NetworkOptions = {},
): Promise<CharacterField> {
  const { manifest, character, network } = source instanceof Uint8Array ? decodeCharacter(source) : source
  return createCharacterField(manifest, character, network, options)
}

function addPose(
  add: (name: string, shape: number[], data: TensorData) => void,
  name: string,
  pose: SkeletonPose,
  joints: number,
): void {
  add(`${name}.translations`, [joints, 3], pose.translations)
  add(`${name}.rotations`, [joints, 4], pose.rotations)
  add(`${name}.scales`, [joints, 3], pose.scales)
}

function takePose(tensors: Map<string, StoredTensor>, name: string, joints: number): SkeletonPose {
  return {
    translations: take(tensors, `${name}.translations`, [joints, 3], Float64Array),
    rotations: take(tensors, `${name}.rotations`, [joints, 4], Float64Array),
    scales: take(tensors, `${name}.scales`, [joints, 3], Float64Array),
  }
}

/** Poses of a list one after the other, in single precision: they are to judge by, not to render. */
function addPoses(
  add: (name: string, shape: number[], data: TensorData) => void,
  name: string,
  poses: readonly SkeletonPose[],
  joints: number,
): void {
  for (const [part, size] of PARTS) {
    const all = new Float32Array(poses.length * joints * size)
    poses.forEach((pose, p) => {
      all.set(pose[part], p * joints * size)
    })
    add(`${name}.${part}`, [poses.length, joints, size], all)
  }
}

function takePoses(tensors: Map<string, StoredTensor>, name: string, count: number, joints: number): SkeletonPose[] {
  const parts = PARTS.map(([part, size]) => take(tensors, `${name}.${part}`, [count, joints, size], Float32Array))
  return Array.from({ length: count }, (_, p) => {
    const [translations, rotations, scales] = parts.map((all, i) => {
      const length = joints * PARTS[i][1]
      return Float64Array.from(all.subarray(p * length, (p + 1) * length))
    })
    return { translations, rotations, scales }
  })
}

const PARTS = [
  ['translations', 3],
  ['rotations', 4],
  ['scales', 3],
] as const
