import type { MovingField } from 'pliant'
import type { JointState, SkinnedCharacter } from 'pliant/character'
import { ExactMeshField } from 'pliant/exact'
import { describe, expect, it } from 'vitest'
import { measureCharacter } from '../../src/evaluate/character.js'
import { tubeCharacter } from '../bones/tube-character.js'

const { character } = tubeCharacter({ rings: 24, around: 12 })
const straight = character.skeleton.rest
const folded = character.skeleton.createPose()
// The middle joint turned by 170 degrees about x: the tip lies in the root's half of the tube.
folded.rotations.set([Math.sin((85 * Math.PI) / 180), 0, 0, Math.cos((85 * Math.PI) / 180)], 4)
const options = { points: 1000, seed: 5 }
/** Share of a pose's points, the first ones, that lie on the surface. */
const ON_SURFACE = 0.2

/** What a wrong answer is made of: the exact distance, and whether one leaves the body at the nearest surface. */
type Answer = (exact: number, hidden: boolean) => number

/** Exact but for `answer`; counts what it is asked. */
class WrongField implements MovingField<JointState> {
  readonly exact: ExactMeshField
  readonly positions: Float64Array
  judged = 0
  inner = 0
  hidden = 0

  constructor(
    private readonly character: SkinnedCharacter,
    private readonly answer: Answer,
  ) {
    this.positions = new Float64Array(3 * character.vertexCount)
    character.positionsOfPose(straight, this.positions)
    this.exact = new ExactMeshField({ positions: this.positions, triangles: character.triangles })
  }

  update({ joints }: JointState): void {
    this.character.positionsOfPose(joints, this.positions)
    this.exact.update({ vertices: this.positions })
  }

  query(points: Float64Array, count: number, distances: Float64Array, normals = new Float64Array(3 * count)): void {
    this.exact.query(points, count, distances, normals)
    const beyond = new Float64Array(3)
    const further = new Float64Array(1)
    for (let i = 0; i < count; i++) {
      const exact = distances[i]
      // A tenth of a percent of the height further than the nearest surface.
      const way = Math.abs(exact) + 1e-3 * this.character.height
      for (let axis = 0; axis < 3; axis++) beyond[axis] = points[3 * i + axis] + way * normals[3 * i + axis]
      this.exact.query(beyond, 1, further)
      const hidden = exact < 0 && further[0] < 0
      distances[i] = this.answer(exact, hidden)
      if (i < ON_SURFACE * count || Math.abs(exact) <= 0.005 * this.character.height) continue
      this.judged++
      if (exact < 0) this.inner++
      if (hidden) this.hidden++
    }
  }

  bounds(): undefined {}
}

describe('a character is judged', () => {
  it('inside as well: points whose way out is open count for the error', async () => {
    const off = 0.01 * character.height
    const field = new WrongField(character, (exact) => (exact < 0 ? exact - off : exact))
    const { wrong } = await measureCharacter({ wrong: field }, character, [straight], options)
    expect(field.inner).toBeGreaterThan(100)
    expect(wrong.bandError.max).toBeCloseTo(off, 9)
    // About half of the points near a surface lie inside.
    expect(wrong.bandError.mean).toBeGreaterThan(off / 4)
  })

  it('by the sign of every point, hidden ones included, where the body meets itself', async () => {
    const field = new WrongField(character, (exact) => Math.abs(exact))
    const { wrong } = await measureCharacter({ wrong: field }, character, [folded], options)
    expect(field.hidden).toBeGreaterThan(20)
    expect(wrong.signAccuracy).toBeCloseTo(1 - field.inner / field.judged, 9)
  })

  it('without the error of points whose nearest surface is hidden inside the body', async () => {
    const field = new WrongField(character, (exact, hidden) => (hidden ? -1 : exact))
    const { wrong } = await measureCharacter({ wrong: field }, character, [folded], options)
    expect(field.hidden).toBeGreaterThan(20)
    // A few lie so near the end of the overlap that the two steps disagree.
    expect(wrong.bandError.p95).toBe(0)
    expect(wrong.signAccuracy).toBe(1)
  })
})
