/** The kinds of networks: a new one is a file in this folder and a line in each of these two lists. */
import type { BonesNetwork } from './bones.js'
import type { CollisionStateNetwork } from './collision-state.js'
import type { FramedGapsNetwork } from './framed-gaps.js'
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
  'framed-gaps': FramedGapsNetwork
  'collision-state': CollisionStateNetwork
}

/** All but that of the ordinary object are loaded when a file first needs them. */
const KINDS: { [Name in keyof NetworkKinds]: () => Promise<{ network: NetworkKind<NetworkKinds[Name]> }> } = {
  whole: async () => ({ network: whole }),
  parts: () => import('./parts.js'),
  bones: () => import('./bones.js'),
  gaps: () => import('./gaps.js'),
  'posed-gaps': () => import('./posed-gaps.js'),
  'framed-gaps': () => import('./framed-gaps.js'),
  'collision-state': () => import('./collision-state.js'),
}

/** What knows the networks of a kind that is registered. */
export async function networkKind(name: keyof NetworkKinds): Promise<NetworkKind<NetworkManifest>> {
  return (await KINDS[name]()).network as NetworkKind<NetworkManifest>
}
