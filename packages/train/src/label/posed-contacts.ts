/** Exact labels of a skinned character by its joint code; neighbours are left alone by pliant's `NeighbourRule`. */
import type { Random } from 'pliant'
import type { SkinnedCharacter } from 'pliant/character'
import type { NeighbourOptions } from 'pliant/exact'
import { characterDomains, type JointCodeData, type SkinnedCharacterData } from 'pliant/unstable'
import { uniformCodes } from '../sample/uniform-codes.js'
import type { ContactSource } from './contact-pool.js'

/** A character as plain data, as workers are given it. */
export interface PosedContactStart extends Omit<SkinnedCharacterData, 'skeleton' | 'code'> {
  skeleton: ConstructorParameters<typeof import('pliant/character').Skeleton>[0]
  code: JointCodeData
  neighbours: NeighbourOptions
}

/** Noise on poses that are drawn, on each joint [rad], at most: that of recordings and of retargeting. */
const NOISE = (25 * Math.PI) / 180

/**
 * Codes are drawn as they come in use, and beyond: half are poses that the character takes with noise on every joint, half
 * lie on the ways from such poses to codes anywhere in the box.
 * @param poses  codes of poses that the character takes, one after the other
 */
export function posedContacts(
  character: SkinnedCharacter,
  poses: Float32Array,
  neighbours: NeighbourOptions = {},
): ContactSource {
  const { surface, skinning, height, bounds } = character
  const { names, parents, root, rest } = character.skeleton
  const { joints, axes, units, carriers, bases, fixed, dropped, largestAngle } = character.code
  const box = { lower: bounds.lower, upper: bounds.upper }
  const start: PosedContactStart = {
    surface,
    skinning,
    height,
    skeleton: { names, parents, root, rest },
    code: { joints, axes, units, carriers, bases, fixed, bounds: box, dropped, largestAngle },
    neighbours,
  }
  return {
    bounds: box,
    task: new URL('./posed-contact-task.js', import.meta.url),
    start,
    advice: 'Give other motions (model.motion)',
    domains: characterDomains(character).entries,
    draw: (count, random) => drawnCodes(character, uniformCodes(box, count, random), poses, random),
  }
}

function drawnCodes(
  { codeSize: size, bounds: { lower, upper }, code: { axes, units } }: SkinnedCharacter,
  codes: Float32Array,
  poses: Float32Array,
  random: Random,
): Float32Array {
  if (poses.length === 0) return codes
  for (let o = 0, row = 0; o < codes.length; o += size, row++) {
    const from = size * random.below(poses.length / size)
    const share = random.between(0, 1)
    const isNoisy = row % 2 === 0
    for (let k = 0; k < size; k++) {
      const pose = poses[from + k]
      // Slides are no part of what noise does to a recording.
      const noise = axes[k] < 3 ? ((share * NOISE) / units[k] / Math.sqrt(3)) * random.normal() : 0
      const drawn = isNoisy ? pose + noise : pose + share * (codes[o + k] - pose)
      codes[o + k] = Math.min(Math.max(drawn, lower[k]), upper[k])
    }
  }
  return codes
}
