/**
 * Points that go with a character's skin: each takes the joints and weights of the body's nearest vertex at rest and is
 * blended linearly, so it keeps its place relative to the skin.
 */
import type { Floats } from '../../math/floats.js'
import { invertAffine } from '../../math/mat4.js'
import type { SkinnedCharacter } from '../../model/skinned-character.js'

export class SkinAnchors {
  readonly count: number
  private readonly starts: Uint32Array
  /** Of each influence: where its joint's matrix begins, its weight, and the point in the joint's frame at rest. */
  private readonly matrixStarts: Uint32Array
  private readonly weights: Float64Array
  private readonly locals: Float64Array

  /** @param points  in the root frame at rest [m], xyz triples */
  constructor(
    character: Pick<SkinnedCharacter, 'skeleton' | 'surface' | 'positionsOfPose' | 'vertexCount'>,
    points: Floats,
  ) {
    const { skeleton, surface } = character
    const body = new Float64Array(3 * character.vertexCount)
    character.positionsOfPose(skeleton.rest, body)
    this.count = points.length / 3
    const nearest = Array.from({ length: this.count }, (_, i) => nearestPoint(body, points, 3 * i))
    const influences = nearest.map((v) => surface.influenceStarts[v + 1] - surface.influenceStarts[v])
    const total = influences.reduce((sum, count) => sum + count, 0)
    this.starts = new Uint32Array(this.count + 1)
    this.matrixStarts = new Uint32Array(total)
    this.weights = new Float64Array(total)
    this.locals = new Float64Array(3 * total)
    const inverse = new Float64Array(16)
    let k = 0
    nearest.forEach((vertex, i) => {
      for (
        let influence = surface.influenceStarts[vertex];
        influence < surface.influenceStarts[vertex + 1];
        influence++
      ) {
        const joint = surface.bones.joints[surface.influenceBones[influence]]
        if (!invertAffine(skeleton.restMatrices, 16 * joint, inverse, 0)) {
          throw new RangeError(
            `anchors: joint '${skeleton.names[joint]}' has a scale of zero at rest; give it another.`,
          )
        }
        this.matrixStarts[k] = 16 * joint
        this.weights[k] = surface.influenceWeights[influence]
        transformPoint(inverse, 0, points, 3 * i, this.locals, 3 * k)
        k++
      }
      this.starts[i + 1] = k
    })
  }

  /**
   * @param jointMatrices  joint to root frame, column-major 4x4 each
   * @param out            receives the points in the root frame [m]
   */
  move(jointMatrices: Float64Array, out: Float64Array): void {
    const { starts, matrixStarts, weights, locals } = this
    for (let i = 0; i < this.count; i++) {
      let px = 0
      let py = 0
      let pz = 0
      for (let k = starts[i]; k < starts[i + 1]; k++) {
        const m = matrixStarts[k]
        const x = locals[3 * k]
        const y = locals[3 * k + 1]
        const z = locals[3 * k + 2]
        const w = weights[k]
        px += w * (jointMatrices[m] * x + jointMatrices[m + 4] * y + jointMatrices[m + 8] * z + jointMatrices[m + 12])
        py +=
          w * (jointMatrices[m + 1] * x + jointMatrices[m + 5] * y + jointMatrices[m + 9] * z + jointMatrices[m + 13])
        pz +=
          w * (jointMatrices[m + 2] * x + jointMatrices[m + 6] * y + jointMatrices[m + 10] * z + jointMatrices[m + 14])
      }
      out[3 * i] = px
      out[3 * i + 1] = py
      out[3 * i + 2] = pz
    }
  }
}

/** A point through an affine transform; in place is fine. */
export function transformPoint(
  m: ArrayLike<number>,
  at: number,
  p: Floats,
  pAt: number,
  out: Floats,
  outAt: number,
): void {
  const x = p[pAt]
  const y = p[pAt + 1]
  const z = p[pAt + 2]
  for (let row = 0; row < 3; row++) {
    out[outAt + row] = m[at + row] * x + m[at + 4 + row] * y + m[at + 8 + row] * z + m[at + 12 + row]
  }
}

function nearestPoint(points: Floats, p: Floats, at: number): number {
  let nearest = 0
  let least = Infinity
  for (let i = 0; i < points.length; i += 3) {
    const squared = (points[i] - p[at]) ** 2 + (points[i + 1] - p[at + 1]) ** 2 + (points[i + 2] - p[at + 2]) ** 2
    if (squared < least) {
      least = squared
      nearest = i / 3
    }
  }
  return nearest
}
