/**
 * A character split as the collision detector of Tan et al. takes shapes: domains that move nearly rigidly, each with the
 * entries of the code that move it against what it hangs from. A domain is a joint of the code with all that follows it: bones
 * whose own joint is in no code go with the nearest one above that is, and with the root if there is none.
 */
import type { SkinnedCharacter } from './skinned-character.js'

/** A split of a surface and of the code that moves it. */
export interface CodeDomains {
  /** What each is called: its joint. */
  names: string[]
  /** Entries of the code that are each domain's own; those of none move no vertex by themselves. */
  entries: number[][]
  /** How much each vertex is of each domain, one number per domain for one vertex after the other: its weights of skinning. */
  weights: Float32Array
}

export function characterDomains({
  surface,
  skeleton,
  code,
  vertexCount,
}: Pick<SkinnedCharacter, 'surface' | 'skeleton' | 'code' | 'vertexCount'>): CodeDomains {
  const moving = new Set(code.joints)
  const carrierOf = (joint: number): number => {
    let carrier = joint
    while (carrier >= 0 && !moving.has(carrier)) carrier = code.carried.parents[carrier]
    return carrier >= 0 ? carrier : skeleton.root
  }
  const carriers = Array.from(surface.bones.joints, carrierOf)
  const joints = [...new Set(Array.from(surface.influenceBones, (bone) => carriers[bone]))].sort((a, b) => a - b)
  const domainOf = carriers.map((joint) => joints.indexOf(joint))
  const weights = new Float32Array(vertexCount * joints.length)
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    for (let k = surface.influenceStarts[vertex]; k < surface.influenceStarts[vertex + 1]; k++) {
      weights[vertex * joints.length + domainOf[surface.influenceBones[k]]] += surface.influenceWeights[k]
    }
  }
  return {
    names: joints.map((joint) => skeleton.names[joint]),
    entries: joints.map((joint) => [...code.joints.keys()].filter((entry) => code.joints[entry] === joint)),
    weights,
  }
}
