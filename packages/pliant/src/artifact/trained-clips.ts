/** Whether a character was trained on a clip: by what the clip does, not by what it is called. */
import type { Clip } from '../model/clip.js'
import { clipFingerprint, isSameClip } from '../model/clip-fingerprint.js'
import type { Skeleton } from '../model/skeleton.js'
import type { CharacterManifest } from './character-manifest.js'

/** undefined if the file cannot tell: the first ones keep names alone, and another name may be a copy. */
export function wasTrainedOn(
  { training, heldOut }: Pick<CharacterManifest, 'training' | 'heldOut'>,
  skeleton: Skeleton,
  clip: Clip,
): boolean | undefined {
  if (training.fingerprints === undefined) {
    return training.clips.includes(clip.name) ? true : heldOut.clips.includes(clip.name) ? false : undefined
  }
  const own = clipFingerprint(skeleton, clip)
  return training.fingerprints.some((other) => isSameClip(own, other))
}
