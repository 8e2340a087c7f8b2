/** Triangles anywhere, each corner bound to two joints: a surface to skin, not to look at. */
import { randomStream } from '../../src/math/random.js'
import type { SkinnedSurface } from '../../src/model/skinned-surface.js'

export function randomSurface(jointCount: number, seed: number): SkinnedSurface {
  const random = randomStream(seed)
  const vertices = 90
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
  return {
    bound: Float64Array.from({ length: 3 * vertices }, () => 0.3 * random.normal()),
    triangles: Uint32Array.from({ length: vertices }, (_, i) => i),
    bones: {
      joints: Uint16Array.from({ length: jointCount }, (_, joint) => joint),
      inverseBind: Float64Array.from({ length: 16 * jointCount }, (_, i) => identity[i % 16]),
    },
    influenceStarts: Uint32Array.from({ length: vertices + 1 }, (_, i) => 2 * i),
    influenceBones: Uint16Array.from({ length: 2 * vertices }, () => random.below(jointCount)),
    influenceWeights: Float32Array.from({ length: 2 * vertices }, (_, i) => (i % 2 === 0 ? 0.7 : 0.3)),
    morphTargets: [],
    morphWeights: new Float64Array(0),
    meshes: [],
  }
}
