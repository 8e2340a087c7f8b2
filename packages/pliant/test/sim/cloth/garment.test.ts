import { describe, expect, it } from 'vitest'
import { fieldCapsule, fieldSphere } from '../../../src/field/analytic.js'
import type { SignedField } from '../../../src/field/signed-field.js'
import { edgeTable } from '../../../src/mesh/adjacency.js'
import { meshVolume } from '../../../src/mesh/triangle-mesh.js'
import { Cloth } from '../../../src/sim/cloth/cloth.js'
import { clothFromMesh } from '../../../src/sim/cloth/cloth-from-mesh.js'
import { clothGrid } from '../../../src/sim/cloth/cloth-grid.js'
import { clothTube } from '../../../src/sim/cloth/cloth-tube.js'
import { garmentFromMesh } from '../../../src/sim/cloth/garment-from-mesh.js'
import { garmentSkirt } from '../../../src/sim/cloth/garment-skirt.js'
import { garmentSleeve } from '../../../src/sim/cloth/garment-sleeve.js'
import { pushOutside } from '../../../src/sim/cloth/push-outside.js'
import { deepest, FRAME, mean } from './sheets.js'

/** A trunk with two legs and an arm, as a minimum of capsules. */
function figure(): SignedField {
  const parts = [
    fieldCapsule([0, 0.9, 0], [0, 1.3, 0], 0.15),
    fieldCapsule([-0.1, 0.05, 0], [-0.1, 0.85, 0], 0.08),
    fieldCapsule([0.1, 0.05, 0], [0.1, 0.85, 0], 0.08),
    fieldCapsule([0.15, 1.35, 0], [0.7, 1.35, 0], 0.05),
  ]
  const field: SignedField = {
    query(points, count, outDistances, outGradients) {
      outDistances.fill(Infinity, 0, count)
      const distances = new Float64Array(count)
      const gradients = new Float64Array(3 * count)
      for (const part of parts) {
        part.query(points, count, distances, gradients)
        for (let i = 0; i < count; i++) {
          if (distances[i] >= outDistances[i]) continue
          outDistances[i] = distances[i]
          outGradients?.set(gradients.subarray(3 * i, 3 * i + 3), 3 * i)
        }
      }
    },
    bounds: () => undefined,
  }
  return field
}

describe('shapes', () => {
  it('a tube is one open surface that faces outward, whatever its axis', () => {
    for (const to of [[0, -1, 0] as const, [0, 1, 0] as const, [0.3, 0.2, 0.9] as const, [1, 0, 0] as const]) {
      const tube = clothTube({ path: [[0, 0, 0], to], rings: 5, segments: 12, radius: 0.2 })
      const edges = edgeTable(tube.triangles, 60)
      const rims = edges.forward.reduce((sum, n, i) => sum + (n + edges.backward[i] === 1 ? 1 : 0), 0)
      expect(rims).toBe(24)
      expect(meshVolume(tube)).toBeGreaterThan(0)
      expect(() => new Cloth(tube)).not.toThrow()
    }
  })

  it('a mesh with seams, collapsed triangles and fins becomes a cloth', () => {
    const grid = clothGrid(4, 4)
    // Every triangle with vertices of its own, as STL has them; one without area, and a fin on an inner edge.
    const soup = [...grid.triangles].flatMap((v) => [...grid.positions.subarray(3 * v, 3 * v + 3)])
    const [a, b] = [grid.positions.subarray(15, 18), grid.positions.subarray(18, 21)]
    soup.push(...a, ...b, ...a, ...a, ...b, 0, 1, 0)
    const mesh = {
      positions: Float64Array.from(soup),
      triangles: Uint32Array.from({ length: soup.length / 3 }, (_, i) => i),
    }
    const made = clothFromMesh(mesh)
    expect(made.dropped).toBe(2)
    expect(made.mesh.positions.length).toBe(48)
    expect(made.vertexMap[made.vertexMap.length - 1]).toBe(-1)
    expect(new Cloth(made.mesh).masses.reduce((x, y) => x + y)).toBeCloseTo(0.15, 12)
    expect(() => clothFromMesh({ positions: new Float64Array(9), triangles: Uint32Array.of(0, 1, 2) })).toThrow('area')
  })

  it('a sheet through a sphere is pushed outside it', () => {
    const sphere = fieldSphere([0, 0, 0], 0.3)
    const sheet = clothGrid(20, 20, { centre: [0, 0.2, 0] })
    const reached = pushOutside(sheet, sphere, { clearance: 0.01 })
    expect(reached).toBeGreaterThan(0.0099)
    const { vertex, face } = deepest(new Cloth(sheet), sphere)
    expect(Math.min(vertex, face)).toBeCloseTo(reached, 12)
  })

  it('says what is wrong with a tube', () => {
    const path = [
      [0, 0, 0],
      [0, 1, 0],
    ] as const
    const tube = { path, rings: 4, segments: 8, radius: 1 } as const
    expect(() => clothTube({ ...tube, segments: 7 })).toThrow('7 segments')
    expect(() => clothTube({ ...tube, rings: 1 })).toThrow('1 rings')
    expect(() => clothTube({ ...tube, path: [path[0], path[0]] })).toThrow('0 m long')
  })
})

describe('garments on a figure', () => {
  const field = figure()

  it('a skirt starts outside, hangs from the waist and stays outside both legs', () => {
    const skirt = garmentSkirt(field, { waist: [0, 1, 0], hem: [0, 0.5, 0] })
    expect(skirt.clearance).toBeGreaterThan(0.0079)
    const cloth = new Cloth(skirt.mesh)
    cloth.attach(skirt.attached)
    const height = mean(cloth, 1)
    let worst = Infinity
    for (let frame = 0; frame < 120; frame++) {
      cloth.step(FRAME, { field })
      const { vertex, face } = deepest(cloth, field)
      worst = Math.min(worst, vertex, face)
    }
    expect(worst).toBeGreaterThan(0)
    expect(mean(cloth, 1)).toBeLessThan(height)
    expect(mean(cloth, 1)).toBeGreaterThan(0.6)
  })

  it('a sleeve follows the arm and a tunic the trunk, not the arm beside it', () => {
    const sleeve = garmentSleeve(field, {
      path: [
        [0.25, 1.35, 0],
        [0.6, 1.35, 0],
      ],
      cuff: true,
    })
    expect(sleeve.clearance).toBeGreaterThan(0.0079)
    expect(sleeve.attached.length).toBe(40)
    const radii = Array.from({ length: sleeve.mesh.positions.length / 3 }, (_, v) =>
      Math.hypot(sleeve.mesh.positions[3 * v + 1] - 1.35, sleeve.mesh.positions[3 * v + 2]),
    )
    expect(Math.max(...radii)).toBeLessThan(0.09)

    const tunic = garmentSleeve(field, {
      path: [
        [0, 1.2, 0],
        [0, 0.95, 0],
      ],
      segments: 32,
      maxRadius: 0.3,
    })
    expect(tunic.clearance).toBeGreaterThan(0.0079)
    const cloth = new Cloth(tunic.mesh)
    cloth.attach(tunic.attached)
    for (let frame = 0; frame < 120; frame++) cloth.step(FRAME, { field })
    const { vertex, face } = deepest(cloth, field)
    expect(Math.min(vertex, face)).toBeGreaterThan(0)
  })

  it('a modelled skirt, split at its seams, is worn by the rim that lies on the body', () => {
    const tube = clothTube({
      path: [
        [0, 1, 0],
        [0, 0.5, 0],
      ],
      rings: 12,
      segments: 24,
      radius: (ring) => 0.155 + 0.02 * ring,
    })
    const soup = [...tube.triangles].flatMap((v) => [...tube.positions.subarray(3 * v, 3 * v + 3)])
    const triangles = Uint32Array.from({ length: soup.length / 3 }, (_, i) => i)
    const garment = garmentFromMesh(field, { positions: Float64Array.from(soup), triangles })
    expect(garment.mesh.positions.length).toBe(tube.positions.length)
    expect(garment.clearance).toBeGreaterThan(0.0079)
    expect(garment.attached.length).toBe(24)
    for (const vertex of garment.attached) expect(garment.mesh.positions[3 * vertex + 1]).toBeGreaterThan(0.95)
    const far = { positions: tube.positions.map((value) => value + 5), triangles: tube.triangles }
    expect(() => garmentFromMesh(field, far)).toThrow('no rim')
    expect(garmentFromMesh(field, far, { attached: [0, 1] }).attached.length).toBe(2)
  })
})
