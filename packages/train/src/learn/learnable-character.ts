/** A character before its network is learned, whichever network it is. */

import type { CharacterNetwork } from 'pliant/character'
import type { BoneNetworkShape } from 'pliant/unstable'
import type { TrainSpec } from '../spec/train-spec.js'
import type { LearnedNetwork, LearnNetworkOptions } from './learned-network.js'

export interface LearnCharacterSettings extends Pick<TrainSpec, 'seed' | 'poses' | 'pointsPerPose' | 'steps'> {
  /** Of the static grids: see fit-bones.ts. */
  resolution?: number
  network?: Partial<Omit<BoneNetworkShape, 'bones' | 'scale'>>
}

export interface LearnableCharacter {
  /** Identifies character, poses and settings; the same hash and seed give the same tensors. */
  specHash: string
  /** Distances are learned up to this magnitude [m]. */
  truncation: number
  /** Poses to label. */
  poses: number
  learn(options: LearnNetworkOptions): Promise<LearnedNetwork<CharacterNetwork>>
}
