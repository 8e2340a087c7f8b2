/** How deep parts are in each other: balls by brute force, and what a depth must not be taken from. */
import { describe, expect, it } from 'vitest'
import { ExactMeshField } from '../../../src/exact/mesh-distance.js'
import type { NeighbourOptions } from '../../../src/exact/self-contact/neighbour-rule.js'
import { SurfaceContact } from '../../../src/exact/self-contact/surface-contact.js'
import type { TriangleMesh } from '../../../src/mesh/triangle-mesh.js'
import { ball, joined } from '../shapes.js'

const NONE = { along: 0, near: 0 }

function moved(mesh: TriangleMesh, x: number, y = 0): TriangleMesh {
  return { ...mesh, positions: mesh.positions.map((value, i) => value + [x, y, 0][i % 3]) }
}

/** @param parts  of each triangle; nothing is left alone for its part's sake */
function contactOf(
  { positions, triangles }: TriangleMesh,
  parts: readonly number[],
  neighbours: NeighbourOptions = NONE,
) {
  return new SurfaceContact({
    codeSize: 0,
    bounds: { lower: new Float64Array(0), upper: new Float64Array(0) },
    vertexCount: positions.length / 3,
    triangles,
    positions: (_, out) => out.set(positions),
    movedPoints: () => {
      throw new Error('nobody asks for gradients')
    },
    parts: { ofTriangle: Uint16Array.from(parts) },
    neighbours,
  })
}

/** Part of each triangle if every mesh is one. */
const partOfEach = (...meshes: TriangleMesh[]): number[] =>
  meshes.flatMap((mesh, part) => new Array<number>(mesh.triangles.length / 3).fill(part))

const large = ball(20, 28, () => 1)
const small = ball(8, 12, () => 0.3)

describe('depths of parts', () => {
  it('are of the deepest vertex of either behind the other, by brute force', () => {
    for (const [a, b, distance] of [
      [large, large, 1.7],
      [large, large, 1.2],
      [large, small, 1.1],
      [small, large, 0.9],
    ] as const) {
      const contact = contactOf(joined(a, moved(b, 4)), partOfEach(a, b))
      const ends = [a, moved(b, distance)]
      const due = ends.map((mesh, i) => {
        const { positions } = ends[1 - i]
        const distances = new Float64Array(positions.length / 3)
        new ExactMeshField(mesh).query(positions, distances.length, distances)
        return -Math.min(...distances)
      })
      expect(contact.partsInContact(joined(...ends).positions)).toEqual([0, 1])
      expect(contact.depthsOfParts()).toHaveLength(1)
      expect(contact.depthsOfParts()[0]).toBeCloseTo(Math.max(...due), 12)
    }
  })

  it('come in the order of the pairs that were told last, none if none were', () => {
    const row = (...places: number[]) => joined(...places.map((x) => moved(large, x)))
    const contact = contactOf(row(0, 3, 6), partOfEach(large, large, large))
    expect(contact.partsInContact(row(0, 1.9, 3.4).positions)).toEqual([0, 1, 1, 2])
    const [first, second] = contact.depthsOfParts()
    expect(Math.abs(first - 0.1)).toBeLessThan(0.02)
    expect(Math.abs(second - 0.5)).toBeLessThan(0.02)
    expect(contact.partsInContact(row(0, 3, 6).positions)).toEqual([])
    expect([...contact.depthsOfParts()]).toEqual([])
    // Whatever was asked before, places are those of now.
    expect(contact.partsInContact(row(10, 11.7, 20).positions)).toEqual([0, 1])
    expect(Math.abs(contact.depthsOfParts()[0] - 0.3)).toBeLessThan(0.02)
  })

  it('are of what meets: what lies behind a surface without meeting it is not told from what has another side in front', () => {
    const tiny = ball(6, 8, () => 0.1)
    const parts = partOfEach(large, small).concat(partOfEach(tiny).map(() => 1))
    const contact = contactOf(joined(large, moved(small, 4), moved(tiny, 5)), parts)
    contact.partsInContact(joined(large, moved(small, 1.2), moved(tiny, 0)).positions)
    expect(Math.abs(contact.depthsOfParts()[0] - 0.1)).toBeLessThan(0.02)
  })

  it('are not of vertices whose nearest point is a neighbour, which cannot tell its side', () => {
    const rest = joined(large, moved(large, 2.05))
    const positions = joined(large, moved(large, 1.5)).positions
    const depthWith = (near: number): number => {
      const contact = contactOf(rest, partOfEach(large, large), { along: 0, near })
      expect(contact.partsInContact(positions)).toEqual([0, 1])
      return contact.depthsOfParts()[0]
    }
    expect(depthWith(0)).toBeGreaterThan(0.47)
    // Where the balls were nearest at rest all within 0.25 m of each other is left alone.
    expect(depthWith(0.05)).toBeLessThan(0.4)
  })

  it('are not of vertices whose nearest point is at the rim of the part, where the next one goes on', () => {
    const { positions, triangles } = large
    const isRight = (t: number): boolean => [0, 1, 2].every((k) => positions[3 * triangles[3 * t + k]] > -1e-9)
    const halves = Array.from({ length: triangles.length / 3 }, (_, t) => (isRight(t) ? 0 : 2))
    const contact = contactOf(joined(large, moved(small, 4)), [...halves, ...partOfEach(small).map(() => 1)])
    expect(contact.partsInContact(joined(large, moved(small, -0.25, 0.95)).positions)).toEqual([0, 1, 1, 2])
    // The lowest point of the ball is 0.43 away from the right half, but below the left one, whose vertices are 0.22 deep in the ball.
    expect(contact.depthsOfParts()[0]).toBeLessThan(0.19)
    expect(contact.depthsOfParts()[1]).toBeGreaterThan(0.25)
  })

  it('are, of triangles that meet with no vertex behind, how deep these are in each other', () => {
    // Two thin sheets that cross like an X have no inside.
    const sheet = (y: number): TriangleMesh => ({
      positions: Float64Array.of(-1, y, -1, 1, -y, -1, 0, 0, 3),
      triangles: Uint32Array.of(0, 1, 2),
    })
    const contact = contactOf(joined(sheet(0), moved(sheet(0), 0, 1)), [0, 1])
    expect(contact.partsInContact(joined(sheet(-0.3), sheet(0.3)).positions)).toEqual([0, 1])
    expect(contact.depthsOfParts()[0]).toBeGreaterThan(0.05)
  })
})
