/** The kinds of networks: a new one is a file in this folder and a line in each of these two lists. */
import type { BonesNetwork } from './bones.js'
import type { NetworkKind, NetworkManifest } from './network-kind.js'
import type { PartsNetwork } from './parts.js'
import type { WholeNetwork } from './whole.js'

export interface NetworkKinds {
  whole: WholeNetwork
  parts: PartsNetwork
  bones: BonesNetwork
}

/** Loaded when a file first needs them: pages load no more than what they show. */
const KINDS: { [Name in keyof NetworkKinds]: () => Promise<NetworkKind<NetworkKinds[Name]>> } = {
  whole: async () => (await import('./whole.js')).whole,
  parts: async () => (await import('./parts.js')).parts,
  bones: async () => (await import('./bones.js')).bones,
}

/** What knows the networks of a kind that is registered. */
export function networkKind(name: keyof NetworkKinds): Promise<NetworkKind<NetworkManifest>> {
  return KINDS[name]() as Promise<NetworkKind<NetworkManifest>>
}
