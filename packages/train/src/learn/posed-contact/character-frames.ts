/**
 * A skinned character as a shape that follows frames: its joints. A place is a sum of vertices; it follows the one bone that
 * moves them most, as if it were part of it:
 *
 *   x = G_j(b) F_j(b) B_b sum over vertices v of w_v x_v   (F: joint frame to space, B: inverse bind)
 */
import type { SkinnedCharacter } from 'pliant/character'
import { JointSpaces, surfaceBones } from 'pliant/unstable'
import { jointChain } from '../joints/joint-chain.js'
import { jointGraph } from '../joints/joint-graph.js'
import type { Place } from '../self-contact/choose-places.js'
import type { FramedShape } from './framed-shape.js'

export function characterFrames(character: SkinnedCharacter): FramedShape {
  const { code, codeSize, triangles, vertexCount } = character
  const rest = new Float64Array(3 * vertexCount)
  character.positions(new Float64Array(codeSize), rest)
  return {
    codeSize,
    rest,
    triangles,
    partOf: surfaceBones(character).ofTriangle,
    frameCount: code.carried.jointCount,
    endOf: (place) => endsOf(character, place)[0],
    otherEndsOf: (place) => endsOf(character, place).slice(1),
    frames: () => new JointSpaces(code),
    frameGraph(asked) {
      const chain = jointChain(code, asked)
      return {
        moving: chain.joints,
        still: chain.still,
        matrices: (codes, rows) => jointGraph(chain, codes, rows),
      }
    },
  }
}

/** Weight of a bone that moves a place at all. */
const LEAST_WEIGHT = 0.02

/** The joints that move a place, the one that it follows first, and where it is in each one's space. */
function endsOf({ surface, code }: SkinnedCharacter, place: Place): number[][] {
  const { bound, bones, influenceStarts, influenceBones, influenceWeights } = surface
  const weights = new Float64Array(bones.joints.length)
  const sum = [0, 0, 0]
  for (const [vertex, share] of place) {
    for (let k = influenceStarts[vertex]; k < influenceStarts[vertex + 1]; k++) {
      weights[influenceBones[k]] += share * influenceWeights[k]
    }
    for (let axis = 0; axis < 3; axis++) sum[axis] += share * bound[3 * vertex + axis]
  }
  const { frames } = code.carried
  const order = [...weights.keys()].sort((a, b) => weights[b] - weights[a] || a - b)
  return order
    .filter((bone, rank) => rank === 0 || weights[bone] > LEAST_WEIGHT)
    .map((bone) => {
      const joint = bones.joints[bone]
      const inFrame = transformed(bones.inverseBind, 16 * bone, sum)
      return [joint, ...(frames ? transformed(frames, 16 * joint, inFrame) : inFrame)]
    })
}

function transformed(m: Float64Array, o: number, x: ArrayLike<number>): number[] {
  return [0, 1, 2].map((row) => m[o + row] * x[0] + m[o + 4 + row] * x[1] + m[o + 8 + row] * x[2] + m[o + 12 + row])
}
