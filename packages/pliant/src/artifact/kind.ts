/** Which kind of artifact a file is, before it is read as one. */

import type { CharacterManifest } from './character-manifest.js'
import { object, parseManifest } from './checks.js'
import type { Manifest } from './manifest.js'
import { decodeSafetensors } from './safetensors.js'

export type ArtifactKind = (Manifest | CharacterManifest)['kind']

/**
 * @returns undefined for a Pliant artifact of a kind that this version does not know
 * @throws Error in one line if the bytes are damaged or not a Pliant artifact
 */
export function artifactKind(bytes: Uint8Array): ArtifactKind | undefined {
  const { metadata } = decodeSafetensors(bytes)
  if (metadata['format'] !== 'pliant' || metadata['manifest'] === undefined) {
    throw new Error('artifact: this safetensors file is not a Pliant artifact; make one with `pliant train`.')
  }
  const { kind } = object(parseManifest(metadata['manifest']), 'manifest')
  return kind === 'signed-distance' || kind === 'character' ? kind : undefined
}
