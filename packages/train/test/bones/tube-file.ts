/** The tube's rig, and what trained files of it are tried with. */
import { decode } from 'pliant'
import { type CharacterField, sampleClip } from 'pliant/character'
import { decodeSafetensors, encodeSafetensors } from 'pliant/unstable'
import { tubeCharacter } from './tube-character.js'

export const { character, train, unseen } = tubeCharacter()
export const rig = { skeleton: character.skeleton, surface: character.surface, clips: train, height: character.height }

/** Why a file is refused; empty if it is not. */
export async function refusal(bytes: Uint8Array): Promise<string> {
  try {
    await decode(bytes, 'character')
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

/** The file with another value in its manifest, and a checksum that is right. @param path  keys with dots between them */
export function withManifestValue(bytes: Uint8Array, path: string, value: unknown): Uint8Array {
  const { metadata, tensors } = decodeSafetensors(bytes)
  const manifest = JSON.parse(metadata['manifest'])
  const keys = path.split('.')
  const owner = keys.slice(0, -1).reduce((part, key) => part[key], manifest)
  owner[keys.at(-1)!] = value
  return encodeSafetensors({ metadata: { ...metadata, manifest: JSON.stringify(manifest) }, tensors })
}

/** Distances of two points in a pose of a training clip; leaves the field in that pose's code. */
export function answersByPoseAndCode(field: CharacterField): { byPose: Float64Array; byCode: Float64Array } {
  const pose = field.skeleton.createPose()
  sampleClip(field.skeleton, train[0], 0.7, pose)
  const code = new Float64Array(field.codeSize)
  character.encodePose(pose, code)
  const points = Float64Array.of(0.35, 1.5, 0, 0, 2.9, 0.2)
  const [byPose, byCode] = [new Float64Array(2), new Float64Array(2)]
  field.update(field.skeleton.stateOf(pose))
  field.query(points, 2, byPose)
  field.update({ code })
  field.query(points, 2, byCode)
  return { byPose, byCode }
}
