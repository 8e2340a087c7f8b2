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

  it('has its surface on the shape that was traced', () => {
    // Faces pass through the shape, so nodes stand off it where it is curved most: by 1.5 mm at most, between fingers.
    const { positions } = surface
    let sum = 0
    for (let i = 0; i < positions.length; i += 3) {
      const off = Math.abs(handDistance(positions[i], positions[i + 1], positions[i + 2]))
      expect(off).toBeLessThan(0.0018)
      sum += off
    }
    expect(sum / (positions.length / 3)).toBeLessThan(0.0004)
  })

  it('has fingers and thumb apart where those of the shape are', () => {
    const exact = new ExactMeshField(surface)
    const distance = new Float64Array(1)
    const filled: Distance = (x, y, z) => {
      exact.query(Float64Array.of(x, y, z), 1, distance)
      return distance[0]
    }
    expect(partsAcross(filled, -0.006, -0.105), 'fingers').toBe(4)
    expect(partsAcross(filled, 0, 0.02), 'the wrist').toBe(1)
    for (const z of [-0.1, -0.09, -0.084, -0.075]) {
      expect(partsAcross(filled, -0.01, z), `thumb and palm at ${z}`).toBe(partsAcross(handDistance, -0.01, z))
    }
  })
})

type Distance = (x: number, y: number, z: number) => number

/** How many pieces of the inside a line along x meets. */
function partsAcross(distance: Distance, y: number, z: number): number {
  const inside = Array.from({ length: 400 }, (_, i) => distance(0.2 * (i / 400 - 0.5), y, z) < 0)
  return inside.filter((isInside, i) => isInside && !inside[i - 1]).length
}
