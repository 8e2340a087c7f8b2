/** What rivals are called, in a terminal and in documents, where there is more room; a suite may add names of its own. */
import type { Gain } from '../timing/best-rival.js'
import { round } from './markdown.js'

export type RivalNames = Readonly<Record<string, { terminal: string; document: string }>>

const NAMES: RivalNames = {
  exact: { terminal: 'our exact', document: 'our exact' },
  exactDistance: { terminal: 'our exact, distances', document: 'our exact, distances alone' },
  exactPseudonormal: { terminal: 'our exact, pseudonormals', document: 'our exact, sign by pseudonormal' },
  exactStop: { terminal: 'our exact, stopping', document: 'our exact, stopping at the band' },
  threeMeshBvh: { terminal: 'bvh refit', document: 'three-mesh-bvh' },
  threeMeshBvhStop: { terminal: 'bvh refit, stopping', document: 'three-mesh-bvh, stopping at the band' },
  threeMeshBvhRebuild: { terminal: 'bvh rebuild', document: 'three-mesh-bvh, rebuilt' },
}

/** How many times as fast as which, for a terminal. */
export function gainText({ rival, gain }: Gain, names: RivalNames = {}): string {
  return `${gain.toFixed(1)}x (${(names[rival] ?? NAMES[rival])?.terminal ?? rival})`
}

/** The same for a document. */
export function gainCell({ rival, gain }: Gain, names: RivalNames = {}): string {
  return `${round(gain, 2)}x (${rivalName(rival, names)})`
}

/** What a document calls it. */
export function rivalName(rival: string, names: RivalNames = {}): string {
  return (names[rival] ?? NAMES[rival])?.document ?? rival
}
