import { describe, expect, it } from 'vitest'
import { fieldCapsule } from '../../../src/field/analytic.js'
import { cone } from '../../../src/field/shapes/polygons.js'
import { fieldOf } from '../../../src/field/shapes/shape.js'
import { rigidMotion } from '../../../src/sim/cloth/body-motion.js'
import { Cloth } from '../../../src/sim/cloth/cloth.js'
import { clothGrid } from '../../../src/sim/cloth/cloth-grid.js'
import { deepestOfSurface, piercedTriangles } from '../pierced.js'
import { FRAME, VACUUM } from './sheets.js'

const CONTACTS = ['points', 'surface'] as const
const THICKNESS = 0.004
/** Sheets of 1 m with 10 cm between vertices; what stands below is ten times thinner. */
const N = 11

describe('what is thinner than a triangle', () => {
  const scenes = {
    pole: { field: fieldCapsule([0.037, -2, 0.021], [0.037, -0.01, 0.021], 0.01), foot: [0.037, -2, 0.021] },
    bar: { field: fieldCapsule([-2, 0, 0.037], [2, 0, 0.037], 0.01), foot: [-2, 0, 0.037] },
    spike: { field: fieldOf(cone(0.06, 0, 0.5)), foot: [0, -0.5, 0] },
  }
  const tips = { pole: [0.037, -0.001, 0.021], bar: [2, 0, 0.037], spike: [0, 0.499, 0] }
  for (const [name, { field, foot }] of Object.entries(scenes)) {
    it(`${name}: comes through a sheet that falls on it by its vertices and centres, and not by its surface`, () => {
      const height = name === 'spike' ? 0.7 : 0.2
      const [points, surface] = CONTACTS.map((contact) => {
        const cloth = new Cloth(clothGrid(N, N, { centre: [0, height, 0] }), { contact, thickness: THICKNESS })
        let [pierced, deepest] = [0, Infinity]
        for (let frame = 0; frame < 60; frame++) {
          cloth.step(FRAME, { field })
          pierced = Math.max(
            pierced,
            piercedTriangles(cloth.positions, cloth.triangles, foot, tips[name as keyof typeof tips]),
          )
          if (frame % 12 === 11) deepest = Math.min(deepest, deepestOfSurface(cloth.positions, cloth.triangles, field))
        }
        return { pierced, deepest }
      })
      expect(points.pierced).toBeGreaterThan(0)
      expect(surface.pierced).toBe(0)
      // Half the thickness may be pressed in, and no more.
      expect(surface.deepest).toBeGreaterThan(THICKNESS / 2)
    })
  }

  it('is met where it moves: a pole that rises into a hung sheet lifts it', () => {
    const rise = 0.6
    const [points, surface] = CONTACTS.map((contact) => {
      const cloth = new Cloth(clothGrid(N, N), { contact })
      cloth.attach([0, N - 1, N * (N - 1), N * N - 1])
      let pierced = 0
      for (let frame = 0; frame < 45; frame++) {
        // It begins well below.
        const tip = -0.4 + rise * FRAME * (frame + 1)
        const [foot, top] = [
          [0.037, tip - 2, 0.021],
          [0.037, tip, 0.021],
        ] as const
        cloth.step(FRAME, { field: fieldCapsule(foot, top, 0.01), motion: rigidMotion([0, rise, 0]) })
        pierced = Math.max(pierced, piercedTriangles(cloth.positions, cloth.triangles, foot, top))
      }
      return pierced
    })
    expect(points).toBeGreaterThan(0)
    expect(surface).toBe(0)
  })
})

describe('a single triangle', () => {
  const triangle = () => ({
    positions: Float64Array.of(-0.5, 0.05, -0.4, 0.6, 0.05, -0.3, 0.1, 0.05, 0.8),
    triangles: Uint32Array.of(0, 2, 1),
  })

  it('is stopped by the tip of a pole at that point, and keeps its momentum about it', () => {
    const tip = [0.02, -0.0, 0.05]
    const field = fieldCapsule([tip[0], -1, tip[2]], [tip[0], -0.01, tip[2]], 0.01)
    const cloth = new Cloth(triangle(), { ...VACUUM, contact: 'surface', friction: 0, gravity: [0, 0, 0] })
    for (let i = 1; i < 9; i += 3) cloth.velocities[i] = -1
    const about = (): number[] => {
      const { positions: x, velocities: v, masses } = cloth
      const sum = [0, 0, 0]
      masses.forEach((mass, n) => {
        const [rx, ry, rz] = [0, 1, 2].map((axis) => x[3 * n + axis] - tip[axis])
        const [vx, vy, vz] = v.subarray(3 * n, 3 * n + 3)
        sum[0] += mass * (ry * vz - rz * vy)
        sum[1] += mass * (rz * vx - rx * vz)
        sum[2] += mass * (rx * vy - ry * vx)
      })
      return sum
    }
    const before = about()
    let touched = false
    for (let frame = 0; frame < 4; frame++) {
      cloth.step(FRAME, { field })
      touched ||= cloth.contacts.touching > 0
    }
    expect(touched).toBe(true)
    const after = about()
    const size = Math.hypot(...before)
    expect(size).toBeGreaterThan(1e-3)
    // What pushes at the tip has no moment about it. The triangle turns by 2 degrees until then.
    for (let axis = 0; axis < 3; axis++) expect(Math.abs(after[axis] - before[axis])).toBeLessThan(0.05 * size)
    expect(cloth.surfaceContacts?.count).toBe(1)
  })

  it('is carried along by friction on a pole that moves aside', () => {
    const speed = 0.3
    const cloth = new Cloth(triangle(), { ...VACUUM, contact: 'surface', friction: 1 })
    // On the tip by its centre of mass.
    const [cx, cz] = [0.2 / 3, 0.1 / 3]
    for (let i = 1; i < 9; i += 3) cloth.positions[i] = THICKNESS
    for (let frame = 0; frame < 12; frame++) {
      const x = cx + speed * FRAME * (frame + 1)
      const field = fieldCapsule([x, -1, cz], [x, -0.01, cz], 0.01)
      cloth.step(FRAME, { field, motion: rigidMotion([speed, 0, 0]) })
    }
    const mean = (cloth.velocities[0] + cloth.velocities[3] + cloth.velocities[6]) / 3
    expect(mean).toBeGreaterThan(speed / 2)
    expect(mean).toBeLessThan(1.2 * speed)
  })

  it('stays finite where the field does not', () => {
    for (const value of [Number.NaN, Infinity]) {
      const cloth = new Cloth(triangle(), { contact: 'surface' })
      const field = {
        query: (_points: unknown, count: number, distances: { fill(v: number, a: number, b: number): unknown }) =>
          void distances.fill(value, 0, count),
        bounds: () => undefined,
      }
      for (let frame = 0; frame < 3; frame++) cloth.step(FRAME, { field })
      expect(cloth.positions.every(Number.isFinite)).toBe(true)
    }
  })
})
