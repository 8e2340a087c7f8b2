/** What poses a character was judged by, said truthfully: which of their clips it was trained on. */
import type { CharacterArtifact, CharacterManifest, Clip } from 'pliant/character'
import { wasTrainedOn } from 'pliant/unstable'

export function trainedOn({ manifest, character }: CharacterArtifact, clip: Clip): boolean {
  return wasTrainedOn(manifest, character.skeleton, clip)
}

/** After "60 poses ...": those that the file holds. */
export function heldOutText({ model: { heldOut } }: Pick<CharacterManifest, 'model'>): string {
  if (heldOut.clips.length > 0) return `of ${heldOut.clips.join(', ')}, never trained on`
  return 'of the clips it was trained on, with noise of 20 degrees on every joint'
}

/** The same of clips that were given. */
export function clipsText(clips: readonly { name: string; trained: boolean }[]): string {
  const groups: [boolean, string][] = [
    [false, 'never trained on'],
    [true, 'which it was trained on'],
  ]
  const parts = groups.flatMap(([trained, words]) => {
    const names = clips.filter((clip) => clip.trained === trained).map(({ name }) => name)
    return names.length > 0 ? [`${names.join(', ')}, ${words}`] : []
  })
  return `of ${parts.join('; of ')}`
}
