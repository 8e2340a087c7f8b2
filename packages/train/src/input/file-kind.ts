/** What a file is by its first bytes, so that a mix-up is named for what it is and not by a parser's confusion. */
import { looksLikeNpy, looksLikeSafetensors } from 'pliant/unstable'

export type FileKind = 'artifact' | 'array' | 'other'

export function fileKind(bytes: Uint8Array): FileKind {
  if (looksLikeNpy(bytes)) return 'array'
  return looksLikeSafetensors(bytes) ? 'artifact' : 'other'
}
