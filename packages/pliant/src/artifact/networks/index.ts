/** The kinds of networks: a new one is a file in this folder and a line in each of these two lists. */
import type { BonesNetwork } from './bones.js'
import type { GapsNetwork } from './gaps.js'
import type { NetworkKind, NetworkManifest } from './network-kind.js'
import type { PartsNetwork } from './parts.js'
import type { PosedGapsNetwork } from './posed-gaps.js'
import { type WholeNetwork, whole } from './whole.js'

export interface NetworkKinds {
  whole: WholeNetwork
  parts: PartsNetwork
  bones: BonesNetwork
  gaps: GapsNetwork
  'posed-gaps': PosedGapsNetwork
}

/** All but that of the ordinary object are loaded when a file first needs them. */
const KINDS: { [Name in keyof NetworkKinds]: () => Promise<NetworkKind<NetworkKinds[Name]>> } = {
  whole: async () => whole,
  parts: async () => (await import('./parts.js')).parts,
  bones: async () => (await import('./bones.js')).bones,
  gaps: async () => (await import('./gaps.js')).gaps,
  'posed-gaps': async () => (await import('./posed-gaps.js')).posedGaps,
}

/** What knows the networks of a kind that is registered. */
export function networkKind(name: keyof NetworkKinds): Promise<NetworkKind<NetworkManifest>> {
  return KINDS[name]() as Promise<NetworkKind<NetworkManifest>>
}
