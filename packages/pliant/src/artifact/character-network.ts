/** The networks that a character's file may hold: ours in bone frames, or the paper's of the whole body. */
import type { CharacterField } from '../learned/character-field.js'
import type { MeasuredErrors } from '../learned/own-error.js'
import { SkinnedField } from '../learned/skinned.js'
import { WholeBodyField, type WholeBodyShape } from '../learned/whole-body.js'
import type { SkinnedCharacter } from '../model/skinned-character.js'
import { createBoneNetwork } from '../net/bones/bone-network.js'
import { type BoneNetworkShape, boneMultiplications, boneTensors } from '../net/bones/bone-shape.js'
import { createNetwork, type NetworkOptions } from '../net/create-network.js'
import type { Tensors } from '../net/network.js'
import { multiplicationsPerQuery, networkTensors } from '../net/network-shape.js'

export type CharacterNetworkShape = BoneNetworkShape | WholeBodyShape

export function isWholeBody(shape: CharacterNetworkShape): shape is WholeBodyShape {
  return 'dense' in shape
}

/** Name -> dimensions of every tensor. */
export function characterTensors(shape: CharacterNetworkShape): Map<string, number[]> {
  return isWholeBody(shape) ? networkTensors(shape.dense) : boneTensors(shape)
}

/** Multiplications of one query once posed. */
export function characterMultiplications(shape: CharacterNetworkShape): number {
  return isWholeBody(shape) ? multiplicationsPerQuery(shape.dense) : boneMultiplications(shape)
}

/**
 * @param truncation distances are learned up to this magnitude [m]
 * @param measured   what the field was measured to be off by; undefined if it was not
 */
export async function createCharacterField(
  { name, network: shape, truncation }: { name: string; network: CharacterNetworkShape; truncation: number },
  character: SkinnedCharacter,
  tensors: Tensors,
  options: NetworkOptions,
  measured?: MeasuredErrors,
): Promise<CharacterField> {
  const { skeleton, code } = character
  const judged = { shape: character, measured }
  if (!isWholeBody(shape)) {
    return new SkinnedField(skeleton, code, await createBoneNetwork(shape, tensors, options), judged)
  }
  const network = await createNetwork(shape.dense, tensors, options)
  return new WholeBodyField(name, code, shape, truncation, network, judged)
}
