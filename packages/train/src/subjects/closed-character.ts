/** A character with one closed collision surface in place of its meshes, of which inside and outside can be told. */
import type { Clip, SkinnedCharacter } from 'pliant/character'
import { createCharacter } from 'pliant/unstable'
import {
  type CollisionSurfaceOptions,
  type CollisionSurfaceReport,
  makeCollisionSurface,
} from '../surface/collision-surface.js'
import type { TrainingCharacter } from './character.js'
import { checkCharacter } from './check-character.js'

export interface ClosedCharacter {
  character: SkinnedCharacter
  clips: readonly Clip[]
  heldOut: readonly Clip[]
  /** With its meshes as they came. */
  original: SkinnedCharacter
  surface: CollisionSurfaceReport
}

/** @throws Error if the rig's surface encloses nothing, or the clips do not move it or move it beyond reason */
export async function closeCharacter(
  { rig, clips, heldOut }: TrainingCharacter,
  options: CollisionSurfaceOptions,
): Promise<ClosedCharacter> {
  if (clips.length === 0) {
    throw new Error('character: there are no clips to train on; add animations to its file, or a .bvh motion.')
  }
  const original = createCharacter(rig, clips)
  if (original.codeSize === 0) {
    throw new Error(`character: its ${clips.length} clips move no joint of the body; add others, or a .bvh motion.`)
  }
  checkCharacter(original, [...clips, ...heldOut])
  // Characters are rarely one closed mesh; without this the sign would not mean "inside the body".
  const { surface, report } = await makeCollisionSurface(rig.surface, rig.skeleton, options)
  return { character: createCharacter({ ...rig, surface }, clips), clips, heldOut, original, surface: report }
}
