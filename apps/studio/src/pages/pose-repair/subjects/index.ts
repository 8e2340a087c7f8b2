/** The kinds of file that can be posed and repaired: a new one is a file in this folder and a line here. */
import { decode, type KindName } from 'pliant'
import { openCharacter } from './character-subject.js'
import { openModalBody } from './modal-subject.js'
import type { MotionFile, OpenSubject, PoseSubject } from './pose-subject.js'
import { openShapes } from './shape-subject.js'

const SUBJECTS: { [Kind in KindName]?: OpenSubject<Kind> } = {
  'character-contact': openCharacter,
  'self-contact': openModalBody,
  'shape-contact': openShapes,
}

/** @throws Error in one line if it is another kind of file, or broken */
export async function openSubject(
  name: string,
  bytes: Uint8Array,
  motions: readonly MotionFile[],
): Promise<PoseSubject> {
  const artifact = await decode(bytes)
  const open = SUBJECTS[artifact.kind] as OpenSubject<KindName> | undefined
  if (open) return open(artifact, motions)
  throw new Error(
    `pose repair: ${name} does not tell self-contact; train one that does, as \`pliant train humanoid --learn self-contact\`.`,
  )
}
