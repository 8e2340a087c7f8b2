import { describe, expect, it } from 'vitest'
import { NO_TRIANGLE } from '../../src/detect/nearest-results.js'
import { type NearestHints, NearestTriangles } from '../../src/detect/nearest-triangles.js'
import { scanNearestTriangle } from '../../src/detect/scan-nearest-triangle.js'
import { boxDiagonal, boxOfPoints } from '../../src/math/box.js'
import type { Floats } from '../../src/math/floats.js'
import { type Random, randomStream } from '../../src/math/random.js'
import { sampleSurface } from '../../src/mesh/surface-sampling.js'
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js'
import { BruteForce } from '../exact/brute-force.js'
import { ball, blob, box, bumpyTorus, moved, needles, plates, spiky, unwelded } from '../exact/shapes.js'

const COUNT = 200

function resultsFor(count: number) {
  return {
    triangleIds: new Uint32Array(count),
    distances: new Float64Array(count),
    closestPoints: new Float64Array(3 * count),
    barycentrics: new Float64Array(3 * count),
  }
}

/** A third on the surface, a third near it, a third anywhere in twice its box. */
function drawPoints(mesh: TriangleMesh, random: Random): Float64Array {
  const { lower, upper } = boxOfPoints(mesh.positions)
  const points = new Float64Array(3 * COUNT)
  sampleSurface(mesh, COUNT, random, { points })
  const reach = 0.02 * boxDiagonal({ lower, upper })
  for (let i = 0; i < points.length; i++) {
    const axis = i % 3
    const third = Math.floor(i / 3) % 3
    if (third === 1) points[i] += reach * random.normal()
    if (third === 2)
      points[i] = random.between(1.5 * lower[axis] - 0.5 * upper[axis], 1.5 * upper[axis] - 0.5 * lower[axis])
  }
  return points
}

/** Bent and squashed, differently for each frame. */
function deformed(rest: Floats, frame: number): Float64Array {
  return Float64Array.from(rest, (value, i) => {
    const [x, y] = [rest[i - (i % 3)], rest[i - (i % 3) + 1]]
    const bend = [0.3 * Math.sin(2 * y + frame), 0.2 * Math.cos(3 * x - frame), 0.4 * Math.sin(x + y + 2 * frame)]
    return value * (1 + 0.2 * Math.sin(frame + i)) + bend[i % 3]
  })
}

const shapes: Record<string, TriangleMesh> = {
  'a bumpy torus': bumpyTorus(40, 24),
  'a blob': blob(),
  'spikes without volume to their tips': spiky(),
  'needles 1,500 times as long as wide': needles(),
  'two thin plates': plates(),
  'a single box': box([-1, -1, -1], [1, 1, 1]),
  'a ball of triangles that share no vertices': unwelded(ball(9, 14, () => 1)),
  'a small blob a thousand sizes from the origin': moved(blob(), [1000, -2000, 500], 0.5),
}

describe('nearest triangles', () => {
  for (const [seed, [name, mesh]] of Object.entries(shapes).entries()) {
    it(`are those that a scan finds, bit for bit, on ${name} while it deforms (seed ${seed})`, () => {
      const random = randomStream(seed, 5)
      const searches = (['simd', 'scalar'] as const).map((kernel) => new NearestTriangles(mesh, { kernel }))
      const [ours, scanned] = [resultsFor(COUNT), resultsFor(COUNT)]
      const last = new Uint32Array(COUNT)
      for (let frame = 0; frame < 4; frame++) {
        const positions = frame === 0 ? mesh.positions : deformed(mesh.positions, frame)
        const points = drawPoints({ ...mesh, positions }, random)
        scanNearestTriangle(positions, mesh.triangles, points, COUNT, scanned)
        const size = boxDiagonal(boxOfPoints(positions))
        const about = scanned.distances.map(
          (d) => (random.uniform() < 0.5 ? -1 : 1) * d + 0.003 * size * random.normal(),
        )
        const hints: NearestHints[] = [
          {},
          { distances: about, margin: 0.003 * size },
          { distances: about, margin: 0.003 * size, triangles: last },
          { distances: about.map(() => 0) },
          { distances: about.map((_, i) => [Number.NaN, Infinity, 100 * size][i % 3]) },
          { triangles: last.map((_, i) => (i % 2 === 0 ? NO_TRIANGLE : random.below(mesh.triangles.length / 3))) },
        ]
        for (const nearest of searches) {
          nearest.update(positions)
          for (const hint of hints) {
            nearest.find(points, COUNT, ours, hint)
            expect(ours).toEqual(scanned)
          }
        }
        last.set(ours.triangleIds)
      }
    })
  }

  it('are as near as an independent reference finds, with weights that lead to the closest point', () => {
    const mesh = blob()
    const points = drawPoints(mesh, randomStream(11))
    const { triangleIds, distances, closestPoints, barycentrics } = resultsFor(COUNT)
    new NearestTriangles(mesh).find(points, COUNT, { triangleIds, distances, closestPoints, barycentrics })
    const reference = new BruteForce(mesh)
    for (let i = 0; i < COUNT; i++) {
      const [x, y, z] = points.subarray(3 * i, 3 * i + 3)
      expect(Math.abs(distances[i] - reference.distance(x, y, z))).toBeLessThan(1e-13)
      const weights = barycentrics.subarray(3 * i, 3 * i + 3)
      expect(Math.min(...weights)).toBeGreaterThanOrEqual(0)
      expect(weights[0] + weights[1] + weights[2]).toBeCloseTo(1, 14)
      for (let axis = 0; axis < 3; axis++) {
        let place = 0
        for (let k = 0; k < 3; k++)
          place += weights[k] * mesh.positions[3 * mesh.triangles[3 * triangleIds[i] + k] + axis]
        expect(Math.abs(place - closestPoints[3 * i + axis])).toBeLessThan(1e-13)
      }
    }
  })

  it('take single precision, and the results of the last frame as hints in place', () => {
    const mesh = bumpyTorus(30, 20)
    const single = Float32Array.from(mesh.positions)
    const points = Float32Array.from(drawPoints(mesh, randomStream(12)))
    const [ours, scanned] = [resultsFor(COUNT), resultsFor(COUNT)]
    scanNearestTriangle(single, mesh.triangles, points, COUNT, scanned)
    const nearest = new NearestTriangles({ positions: single, triangles: mesh.triangles })
    for (let frame = 0; frame < 2; frame++) {
      nearest.find(points, COUNT, ours, { triangles: ours.triangleIds })
      expect(ours).toEqual(scanned)
    }
  })

  it('do not depend on how the surface is divided', () => {
    const mesh = blob()
    const points = drawPoints(mesh, randomStream(13))
    const scanned = resultsFor(COUNT)
    scanNearestTriangle(mesh.positions, mesh.triangles, points, COUNT, scanned)
    for (const [patchSize, patchesPerGroup] of [
      [1, 1],
      [3, 5],
      [100, 1],
      [5000, 50],
    ]) {
      const ours = resultsFor(COUNT)
      new NearestTriangles(mesh, { patchSize, patchesPerGroup }).find(points, COUNT, ours)
      expect(ours).toEqual(scanned)
    }
  })

  it('are those of a scan at scales, distances and flatness that single precision has no room for', () => {
    const mesh = blob()
    const random = randomStream(14)
    const shapes: Record<string, (value: number, i: number) => number> = {
      'far thinner than an atom': (value) => 1e-25 * value,
      'as wide as a galaxy': (value) => 1e21 * value,
      'in one point': () => 0.3,
      flat: (value, i) => (i % 3 === 1 ? 0 : value),
      'a long way from the origin': (value) => value + 1e12,
    }
    for (const [name, change] of Object.entries(shapes)) {
      const positions = mesh.positions.map(change)
      const points = drawPoints({ ...mesh, positions: mesh.positions }, random).map(change)
      // Some far away, in a direction each.
      for (let i = 0; i < 30; i++) points[i] = points[i] * 10 ** (4 * (i % 10)) + (i % 7)
      const [ours, scanned] = [resultsFor(COUNT), resultsFor(COUNT)]
      scanNearestTriangle(positions, mesh.triangles, points, COUNT, scanned)
      const nearest = new NearestTriangles(mesh)
      nearest.update(positions)
      nearest.find(points, COUNT, ours, { distances: scanned.distances.map((d, i) => d * (i % 3)) })
      expect(ours, name).toEqual(scanned)
    }
  })

  it('are the first of those that meet in a corner, however near to it', () => {
    const random = randomStream(16)
    for (let round = 0; round < 40; round++) {
      const side = (): number => random.between(0.1, 1)
      const lower: [number, number, number] = [-side(), -side(), -side()]
      const upper: [number, number, number] = [side(), side(), side()]
      const mesh = box(lower, upper)
      const points = new Float64Array(3 * COUNT)
      for (let i = 0; i < COUNT; i++) {
        const away = 10 ** random.between(-7, -1)
        const corner = random.below(8)
        for (let axis = 0; axis < 3; axis++) {
          points[3 * i + axis] = corner & (1 << axis) ? upper[axis] + away : lower[axis] - away
        }
      }
      const [ours, scanned] = [resultsFor(COUNT), resultsFor(COUNT)]
      scanNearestTriangle(mesh.positions, mesh.triangles, points, COUNT, scanned)
      const nearest = new NearestTriangles(mesh, { patchSize: 1 })
      nearest.find(points, COUNT, ours)
      expect(ours).toEqual(scanned)
      nearest.find(points, COUNT, ours, { distances: scanned.distances })
      expect(ours).toEqual(scanned)
    }
  })

  it('take no notice of vertices that no triangle uses', () => {
    const { positions, triangles } = blob()
    const padded = new Float64Array(positions.length + 6)
    padded.set(positions, 3)
    const nearest = new NearestTriangles({ positions: padded, triangles: triangles.map((vertex) => vertex + 1) })
    padded.fill(Number.NaN, 0, 3)
    padded.fill(Infinity, positions.length + 3)
    nearest.update(padded)
    const points = drawPoints({ positions, triangles }, randomStream(15))
    const [ours, scanned] = [resultsFor(COUNT), resultsFor(COUNT)]
    scanNearestTriangle(positions, triangles, points, COUNT, scanned)
    nearest.find(points, COUNT, ours)
    expect(ours).toEqual(scanned)
  })

  it('are none for points that are not finite, whatever else is asked', () => {
    const mesh = blob()
    const points = Float64Array.of(Number.NaN, 0, 0, 0, Infinity, 0, 0.1, 2, 0.3)
    const [ours, scanned] = [resultsFor(3), resultsFor(3)]
    scanNearestTriangle(mesh.positions, mesh.triangles, points, 3, scanned)
    new NearestTriangles(mesh).find(points, 3, ours, {
      distances: Float64Array.of(1, 1, 1),
      triangles: Uint32Array.of(3, 3, 3),
    })
    expect([...ours.triangleIds.subarray(0, 2)]).toEqual([NO_TRIANGLE, NO_TRIANGLE])
    expect(ours.closestPoints.subarray(0, 6).every(Number.isNaN)).toBe(true)
    expect(ours).toEqual(scanned)
  })

  it('refuse what cannot be followed, and questions until they are moved to where they can be', () => {
    const mesh = blob()
    const nearest = new NearestTriangles(mesh)
    expect(() => nearest.update(mesh.positions.slice(3))).toThrow(
      /^nearest triangles: 1827 values for 610 vertices; pass 1830/,
    )
    for (const bad of [Number.NaN, Infinity, -Infinity]) {
      const positions = Float64Array.from(mesh.positions).fill(bad, 70, 71)
      expect(() => nearest.update(positions)).toThrow(`nearest triangles: vertex 23 is ${bad}; `)
      const triangleIds = new Uint32Array(1)
      expect(() => nearest.find(new Float64Array(3), 1, { triangleIds })).toThrow('the last update was refused')
      nearest.update(mesh.positions)
      nearest.find(new Float64Array(3), 1, { triangleIds })
    }
    expect(() => new NearestTriangles(mesh, { patchSize: 0 })).toThrow(/^nearest triangles: patchSize is 0 and /)
    const none = { positions: new Float64Array(0), triangles: new Uint32Array(0) }
    expect(() => new NearestTriangles(none)).toThrow(/^nearest triangles: the mesh has no triangles; /)
  })
})
