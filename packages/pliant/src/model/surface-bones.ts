/** Which bone a triangle of a character is of, and which bones are joined by a joint: what counts as neighbours there. */
import type { SkinnedCharacter } from './skinned-character.js'

/** Fits `NeighbourRule` of pliant/exact as its parts. */
export interface SurfaceBones {
  /** The bone that moves each triangle most. */
  ofTriangle: Uint16Array
  /** Pairs of bones of which one carries the other, two numbers each. */
  joined: Uint16Array
}

export function surfaceBones({ surface, code }: Pick<SkinnedCharacter, 'surface' | 'code'>): SurfaceBones {
  const { triangles, bones } = surface
  const { parents } = code.carried
  const sums = new Float64Array(bones.joints.length)
  const ofTriangle = Uint16Array.from({ length: triangles.length / 3 }, (_, triangle) => {
    sums.fill(0)
    for (let k = 0; k < 3; k++) {
      const vertex = triangles[3 * triangle + k]
      for (let i = surface.influenceStarts[vertex]; i < surface.influenceStarts[vertex + 1]; i++) {
        sums[surface.influenceBones[i]] += surface.influenceWeights[i]
      }
    }
    return sums.indexOf(Math.max(...sums))
  })
  const boneOf = new Map(Array.from(bones.joints, (joint, bone) => [joint, bone]))
  const joined = Array.from(bones.joints, (joint, bone) => {
    // Joints that carry no skin lie between bones without parting them.
    let above = parents[joint]
    while (above >= 0 && !boneOf.has(above)) above = parents[above]
    return above < 0 ? [] : [bone, boneOf.get(above)!]
  })
  return { ofTriangle, joined: Uint16Array.from(joined.flat()) }
}
