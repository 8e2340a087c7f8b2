import { validateMesh } from 'pliant'
import type { SkinnedSurface } from 'pliant/character'
import { meshVolume, skinLinear, skinMatrices } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import {
  type CollisionSurfaceOptions,
  makeCollisionSurface,
  restPositions,
} from '../../src/surface/collision-surface.js'
import { box, chain, insideOut, type Part, sheet, skinned, tube } from './skinned-parts.js'

const skeleton = chain()

/** Closed parts are kept as they are; what becomes of open ones is seen by taking all for such. */
async function traceAll(...parts: Part[]) {
  return remeshWith({ cell: 0.04, always: true }, parts)
}

async function remesh(...parts: Part[]) {
  return remeshWith({ cell: 0.04 }, parts)
}

async function remeshWith(options: CollisionSurfaceOptions, parts: readonly Part[]) {
  const { surface, report } = await makeCollisionSurface(skinned(...parts), skeleton, options)
  const mesh = { positions: restPositions(surface, skeleton), triangles: surface.triangles }
  return { surface, report, mesh, volume: meshVolume(mesh) }
}

function wrongWith(mesh: Parameters<typeof validateMesh>[0]): string[] {
  return validateMesh(mesh)
    .filter(({ severity }) => severity !== 'information')
    .map(({ message }) => message)
}

function posed(surface: SkinnedSurface, angle: number): Float64Array {
  const bent = chain(angle)
  const matrices = new Float64Array(16 * surface.bones.joints.length)
  skinMatrices(surface.bones, bent.restMatrices, matrices)
  const out = new Float64Array(surface.bound.length)
  skinLinear(surface, matrices, surface.bound, out)
  return out
}

function edgeLengths(p: Float64Array, triangles: Uint32Array): number[] {
  return Array.from(triangles, (a, k) => {
    const b = triangles[k % 3 === 2 ? k - 2 : k + 1]
    return Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2])
  })
}

describe('a surface that is closed already', () => {
  it('is kept, the very object', async () => {
    const cube = skinned(box([0, 0, 0], [1, 1, 1]))
    const { surface, report } = await makeCollisionSurface(cube, skeleton)
    expect(surface).toBe(cube)
    expect(report).toMatchObject({ method: 'as given', pieces: 1, openEdges: 0, turned: 0, maxDeviation: 0 })
  })

  it('is turned if it faces inward, or partly so, and not remeshed', async () => {
    const inward = insideOut(box([0, 0, 0], [1, 1, 1]))
    const twisted = box([0, 0, 0], [1, 1, 1])
    twisted.triangles.splice(0, 3, 0, 6, 4)
    for (const [part, turned] of [
      [inward, 12],
      [twisted, 1],
    ] as const) {
      const { surface, report } = await makeCollisionSurface(skinned(part), skeleton)
      expect(report).toMatchObject({ method: 'as given', turned })
      expect(wrongWith({ positions: surface.bound, triangles: surface.triangles })).toEqual([])
      expect(meshVolume({ positions: surface.bound, triangles: surface.triangles })).toBeCloseTo(1, 12)
    }
  })
})

describe('surfaces in several parts', () => {
  it('that are closed are kept vertex for vertex, also where they overlap', async () => {
    const { report, volume, surface } = await remesh(box([0, 0, 0], [1, 1, 1]), box([0.5, 0.2, 0.2], [1.7, 0.8, 0.8]))
    expect(report).toMatchObject({ method: 'as given', shells: 2, asGiven: 2, pieces: 2, cell: 0 })
    expect(surface.bound.length).toBe(3 * 16)
    expect(report.maxDeviation).toBeLessThan(1e-12)
    expect(volume).toBeCloseTo(1 + 1.2 * 0.36, 9)
  })

  it('that are open become one where they touch and move alike, and stay apart where they do not', async () => {
    // Each without its face at the lower z: a socket, and an arm in it.
    const open = (part: Part): Part => ({ ...part, triangles: part.triangles.filter((_, i) => i < 24 || i >= 30) })
    const parts = (joint: number): Part[] => [
      open(box([0, -0.5, -0.5], [1, 0.5, 0.5], 0)),
      open(box([0.8, -0.2, -0.2], [2, 0.2, 0.2], joint)),
    ]
    expect((await remesh(...parts(0))).report).toMatchObject({ asGiven: 0, pieces: 1 })
    const { surface, report, mesh } = await remesh(...parts(1))
    expect(report.pieces).toBe(2)
    // Bent by a right angle, no edge is longer than it was: there is no web between them.
    const bent = posed(surface, Math.PI / 2)
    const before = edgeLengths(mesh.positions, mesh.triangles)
    const longer = Math.max(...edgeLengths(bent, mesh.triangles).map((length, i) => length / before[i]))
    expect(longer).toBeLessThan(1.01)
  })

  it('that are traced and overlap become one shell around both, with nothing left inside', async () => {
    const { mesh, report, volume } = await traceAll(box([0, 0, 0], [1, 1, 1]), box([0.5, 0.2, 0.2], [1.7, 0.8, 0.8]))
    expect(wrongWith(mesh)).toEqual([])
    expect(report).toMatchObject({ method: 'remeshed', shells: 2, pieces: 1 })
    expect(Math.abs(volume - (1 + 0.7 * 0.36))).toBeLessThan(0.02)
    const p = mesh.positions
    for (let v = 0; v < p.length; v += 3) {
      const deep = (lower: number[], upper: number[]) =>
        [0, 1, 2].every((axis) => p[v + axis] > lower[axis] + 0.04 && p[v + axis] < upper[axis] - 0.04)
      expect(deep([0, 0, 0], [1, 1, 1]) || deep([0.5, 0.2, 0.2], [1.7, 0.8, 0.8])).toBe(false)
    }
    expect(report.meanDeviation).toBeLessThan(0.004)
    expect(report.maxDeviation).toBeLessThan(report.cell)
  })

  it('keep their edges and corners: chamfers of half a cell would be seen', async () => {
    const { report } = await traceAll(box([0, 0, 0], [1, 1, 1]), box([0.5, 0.2, 0.2], [1.7, 0.8, 0.8]))
    // Measured .0003 and .015 of a cell.
    expect(report.meanDeviation).toBeLessThan(0.003 * report.cell)
    expect(report.maxDeviation).toBeLessThan(0.15 * report.cell)
  })

  it('that do not touch stay apart, those that face inward are turned', async () => {
    const { mesh, report, volume } = await remesh(box([0, 0, 0], [1, 1, 1]), insideOut(box([2, 0, 0], [3, 1, 1])))
    expect(wrongWith(mesh)).toEqual([])
    expect(report).toMatchObject({ pieces: 2, turned: 12 })
    expect(Math.abs(volume - 2)).toBeLessThan(0.03)
  })

  it('within others leave no trace: eyes in a head, an inner wall', async () => {
    const { report, volume } = await remesh(box([0, 0, 0], [1, 1, 1]), insideOut(box([0.3, 0.3, 0.3], [0.7, 0.7, 0.7])))
    expect(report.pieces).toBe(1)
    expect(Math.abs(volume - 1)).toBeLessThan(0.02)
  })

  it('around a hollow fill it, and say so', async () => {
    const walls: Part[] = []
    for (let axis = 0; axis < 3; axis++) {
      for (const at of [0, 0.75]) {
        const [lower, upper] = [
          [0, 0, 0],
          [1, 1, 1],
        ]
        lower[axis] = at
        upper[axis] = at + 0.25
        walls.push(box(lower, upper))
      }
    }
    const { mesh, report, volume } = await remesh(...walls)
    expect(wrongWith(mesh)).toEqual([])
    expect(report.dropped).toMatchObject({ cavities: 1, enclosed: 0 })
    expect(Math.abs(volume - 1)).toBeLessThan(0.02)
  })
})

describe('open surfaces', () => {
  it('are capped: a tube open at both ends, either way round', async () => {
    for (const part of [tube(0.3, 32), insideOut(tube(0.3, 32))]) {
      const { mesh, report, volume } = await remesh(part)
      expect(wrongWith(mesh)).toEqual([])
      expect(report).toMatchObject({ openEdges: 64, pieces: 1 })
      // Caps by winding number bulge inward a little.
      expect(volume / (Math.PI * 0.09)).toBeGreaterThan(0.75)
      expect(volume / (Math.PI * 0.09)).toBeLessThan(1.02)
      expect(report.meanDeviation).toBeLessThan(0.01)
    }
  })

  it('without an inside are left out and named: a cape behind a box', async () => {
    const { mesh, report, volume } = await remesh(box([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]), sheet(1.2, -0.55))
    expect(wrongWith(mesh)).toEqual([])
    expect(report.dropped.sheets).toBe(1)
    expect(report.dropped.sheetArea).toBeCloseTo(1.44 / 7.44, 6)
    expect(Math.abs(volume - 1)).toBeLessThan(0.02)
  })

  it('that close only together are taken together: a cube in loose faces with gaps', async () => {
    const cube = box([0, 0, 0], [1, 1, 1])
    const faces = Array.from({ length: 6 }, (_, face) => {
      const triangles = cube.triangles.slice(6 * face, 6 * face + 6)
      const middle = [0, 1, 2].map((axis) => {
        const values = triangles.map((v) => cube.positions[3 * v + axis])
        return (Math.min(...values) + Math.max(...values)) / 2
      })
      return { ...cube, triangles, positions: cube.positions.map((x, i) => x + 0.02 * (middle[i % 3] - x)) }
    })
    const { mesh, report, volume } = await remesh(...faces)
    expect(wrongWith(mesh)).toEqual([])
    expect(report).toMatchObject({ shells: 6, pieces: 1 })
    expect(Math.abs(volume - 1)).toBeLessThan(0.05)
  })

  it('of which nothing has an inside are refused', async () => {
    await expect(remesh(sheet(1, 0))).rejects.toThrow('none of 1 shells encloses anything')
  })
})

describe('a remeshed surface', () => {
  const arm = skinned(box([0, -0.2, -0.2], [1.1, 0.2, 0.2], 0), box([0.9, -0.19, -0.19], [2, 0.19, 0.19], 1))

  it('moves with the joints of the parts it came from', async () => {
    const { surface } = await makeCollisionSurface(arm, skeleton, { cell: 0.1, always: true })
    const [straight, bent] = [posed(surface, 0), posed(surface, 1)]
    let moved = 0
    for (let v = 0; v < straight.length; v += 3) {
      const [x, y, z] = straight.subarray(v, v + 3)
      // Next to the seam either part may be the closest.
      if (x > 0.85 && x < 1.15) continue
      const [dx, c, s] = [x - 1, Math.cos(1), Math.sin(1)]
      const expected = x < 1 ? [x, y, z] : [1 + c * dx - s * y, s * dx + c * y, z]
      for (let axis = 0; axis < 3; axis++) expect(bent[v + axis]).toBeCloseTo(expected[axis], 5)
      if (x > 1) moved++
    }
    expect(moved).toBeGreaterThan(50)
  })

  it('lies where the rest pose is, though that is not the pose it was bound in', async () => {
    const bentAtRest = chain(0.8)
    const { surface, report } = await makeCollisionSurface(arm, bentAtRest, { cell: 0.04, always: true })
    expect(report.meanDeviation).toBeLessThan(0.004)
    // Straightened, it is the straight arm again: as long, as thick.
    const straight = posed(surface, 0)
    const xs = straight.filter((_, i) => i % 3 === 0)
    expect(Math.max(...xs)).toBeCloseTo(2, 1)
    expect(Math.min(...xs)).toBeCloseTo(0, 1)
  })

  it('has whole weights, heaviest first, of at most 8 bones', async () => {
    const { surface } = await makeCollisionSurface(arm, skeleton, { cell: 0.1, always: true })
    for (let v = 0; v < surface.bound.length / 3; v++) {
      const weights = surface.influenceWeights.subarray(surface.influenceStarts[v], surface.influenceStarts[v + 1])
      expect(weights.reduce((sum, w) => sum + w, 0)).toBeCloseTo(1, 6)
      expect(weights.length).toBeLessThanOrEqual(8)
      for (let k = 1; k < weights.length; k++) expect(weights[k]).toBeLessThanOrEqual(weights[k - 1])
    }
  })

  it('is coarser where fewer vertices are asked for, and finer cells deviate less', async () => {
    const coarse = await makeCollisionSurface(arm, skeleton, { mostVertices: 500, always: true })
    const fine = await makeCollisionSurface(arm, skeleton, { mostVertices: 8000, always: true })
    expect(coarse.surface.bound.length / 3).toBeLessThan(600)
    expect(fine.surface.bound.length / 3).toBeLessThan(9000)
    expect(fine.report.meanDeviation).toBeLessThan(coarse.report.meanDeviation / 2)
  })

  it('reports rising progress up to 1, and stops when told to', async () => {
    const seen: number[] = []
    await makeCollisionSurface(arm, skeleton, { always: true, onProgress: ({ fraction }) => seen.push(fraction) })
    expect(seen.length).toBeGreaterThan(2)
    expect(seen.every((fraction, i) => i === 0 || fraction >= seen[i - 1])).toBe(true)
    expect(seen.at(-1)).toBe(1)
    const control = new AbortController()
    const stopped = makeCollisionSurface(arm, skeleton, {
      always: true,
      signal: control.signal,
      onProgress: () => control.abort(new Error('enough')),
    })
    await expect(stopped).rejects.toThrow('enough')
  })

  it('takes cells that fit in memory where thin parts lie far apart', async () => {
    const wires = [0, 1, 2].map((axis) => {
      const [lower, upper] = [
        [0, 0, 0],
        [0.2, 0.2, 0.2],
      ]
      upper[axis] = 40
      return box(lower, upper)
    })
    const { surface, report } = await makeCollisionSurface(skinned(...wires), skeleton, {
      cell: 1e-4,
      mostVertices: 1e7,
      always: true,
    })
    expect(report.cell).toBeGreaterThan(0.1)
    expect(report.pieces).toBe(1)
    expect(wrongWith({ positions: restPositions(surface, skeleton), triangles: surface.triangles })).toEqual([])
  })

  it('refuses shares and counts that make no grid', async () => {
    await expect(makeCollisionSurface(arm, skeleton, { cell: 0 })).rejects.toThrow('cell 0 of the height')
    await expect(makeCollisionSurface(arm, skeleton, { mostVertices: 2 })).rejects.toThrow('2 vertices')
  })
})
