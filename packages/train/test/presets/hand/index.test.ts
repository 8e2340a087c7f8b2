import { surfaceOfTets, type TetMesh, type TetSurface, validateMesh, validateTets } from 'pliant'
import { ExactMeshField, SelfIntersection } from 'pliant/exact'
import { beforeAll, describe, expect, it } from 'vitest'
import { handDistance, makeHand } from '../../../src/presets/hand/index.js'
import { findBodyPreset } from '../../../src/presets/index.js'

describe('the hand as a body', () => {
  let hand: TetMesh
  let surface: TetSurface
  beforeAll(async () => {
    hand = await makeHand()
    surface = surfaceOfTets(hand)
  }, 60_000)

  it('is one sound body without handles, as large as it is listed', () => {
    expect(validateTets(hand)).toEqual([])
    expect(validateMesh(surface)).toEqual([])
    expect(new SelfIntersection(surface).any()).toBe(false)
    expect(surface.positions.length / 3 - surface.triangles.length / 6, 'Euler').toBe(2)
    const { summary } = findBodyPreset('hand')!
    expect(summary).toContain(`${hand.positions.length / 3} nodes`)
    expect(summary).toContain(`${surface.triangles.length / 3} triangles`)
  })

  it('has surface nodes on the shape that was traced', () => {
    const { positions } = surface
    // Between fingers, where the lattice hung together by a node, some lie 0.8 mm off.
    for (let i = 0; i < positions.length; i += 3) {
      expect(Math.abs(handDistance(positions[i], positions[i + 1], positions[i + 2]))).toBeLessThan(0.001)
    }
  })

  it('has four fingers apart from each other, and a thumb beside the palm', () => {
    const field = new ExactMeshField(surface)
    // Across the middle of the fingers, where the little one still reaches.
    expect(partsAcross(field, -0.006, -0.105)).toBe(4)
    expect(partsAcross(field, -0.01, -0.084), 'thumb and palm').toBe(2)
    expect(partsAcross(field, 0, 0.02), 'the wrist').toBe(1)
  })
})

/** How many pieces of the inside a line along x meets. */
function partsAcross(field: ExactMeshField, y: number, z: number): number {
  const count = 400
  const at = (i: number): number[] => [0.2 * (i / count - 0.5), y, z]
  const points = Float64Array.from(Array.from({ length: count }, (_, i) => at(i)).flat())
  const distances = new Float64Array(count)
  field.evaluate(points, count, distances)
  return distances.filter((distance, i) => distance < 0 && !(distances[i - 1] < 0)).length
}
