/** Whether a character was trained on a clip: by what the clip does, not by what it is called. */
import type { Clip } from '../../model/clip.js'
import { clipFingerprint, isSameClip } from '../../model/clip-fingerprint.js'
import type { Skeleton } from '../../model/skeleton.js'
import type { CharacterManifest } from './character-model.js'

export function wasTrainedOn({ model }: Pick<CharacterManifest, 'model'>, skeleton: Skeleton, clip: Clip): boolean {
  const own = clipFingerprint(skeleton, clip)
  return model.clips.some(({ fingerprint }) => isSameClip(own, fingerprint))
}
