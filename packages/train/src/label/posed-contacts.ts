/** Exact labels of a skinned character by its joint code; neighbours are left alone by pliant's `NeighbourRule`. */
import type { Random } from 'pliant'
import type { SkinnedCharacter } from 'pliant/character'
import type { NeighbourOptions } from 'pliant/exact'
import type { JointCodeData, SkinnedCharacterData } from 'pliant/unstable'
import { uniformCodes } from '../sample/uniform-codes.js'
import type { ContactSource } from './contact-pool.js'

/** A character as plain data, as workers are given it. */
export interface PosedContactStart extends Omit<SkinnedCharacterData, 'skeleton' | 'code'> {
  skeleton: ConstructorParameters<typeof import('pliant/character').Skeleton>[0]
  code: JointCodeData
  neighbours: NeighbourOptions
}

/**
 * @param poses  codes of poses that the character takes, one after the other: codes are drawn on the ways from these to codes
 *   anywhere in the box, so that both poses in use and those far from them are known
 */
export function posedContacts(
  character: SkinnedCharacter,
  poses: Float32Array,
  neighbours: NeighbourOptions = {},
): ContactSource {
  const { surface, skinning, height, bounds, codeSize } = character
  const { names, parents, root, rest } = character.skeleton
  const { joints, axes, units, fixed, dropped, largestAngle } = character.code
  const box = { lower: bounds.lower, upper: bounds.upper }
  const start: PosedContactStart = {
    surface,
    skinning,
    height,
    skeleton: { names, parents, root, rest },
    code: { joints, axes, units, fixed, bounds: box, dropped, largestAngle },
    neighbours,
  }
  return {
    bounds: box,
    task: new URL('./posed-contact-task.js', import.meta.url),
    start,
    draw: (count, random) => drawnCodes(uniformCodes(box, count, random), poses, codeSize, random),
  }
}

function drawnCodes(codes: Float32Array, poses: Float32Array, size: number, random: Random): Float32Array {
  const { length } = poses
  if (length === 0) return codes
  for (let o = 0; o < codes.length; o += size) {
    const from = size * random.below(length / size)
    const share = random.between(0, 1)
    for (let k = 0; k < size; k++) codes[o + k] = poses[from + k] + share * (codes[o + k] - poses[from + k])
  }
  return codes
}
