import { describe, expect, test, vi } from 'vitest'
import { ExactMeshField, type ExactMeshFieldOptions } from '../../src/exact/mesh-distance.js'
import { boxDiagonal } from '../../src/math/box.js'
import { randomStream } from '../../src/math/random.js'
import { meshBox, type TriangleMesh } from '../../src/mesh/triangle-mesh.js'
import { BruteForce } from './brute-force.js'
import { pointsAround } from './points-around.js'
import {
  ball,
  blob,
  box,
  bumpyTorus,
  inverted,
  joined,
  moved,
  needles,
  plates,
  sharedSurface,
  spiky,
  spindleTorus,
  unwelded,
} from './shapes.js'

function compare(mesh: TriangleMesh, field: ExactMeshField, count: number, seed: number) {
  const points = pointsAround(mesh, count, seed)
  const size = boxDiagonal(meshBox(mesh))
  const distances = new Float64Array(count)
  field.query(points, count, distances)
  const reference = new BruteForce(mesh)
  let worst = 0
  let wrongSigns = 0
  let inside = 0
  for (let i = 0; i < count; i++) {
    const p = points.subarray(3 * i, 3 * i + 3)
    const unsigned = reference.distance(p[0], p[1], p[2])
    worst = Math.max(worst, Math.abs(Math.abs(distances[i]) - unsigned) / size)
    if (unsigned <= 1e-6 * size) continue
    const isInside = reference.winding(p[0], p[1], p[2]) > 0.5
    if (isInside) inside++
    if (isInside !== distances[i] < 0) wrongSigns++
  }
  return { worst, wrongSigns, inside }
}

const closedMeshes: [string, TriangleMesh][] = [
  ['torus', bumpyTorus(40, 16)],
  ['spiky ball', spiky()],
  ['needle rod', needles()],
  ['blob', blob()],
  ['box', box([-1, -0.5, 0], [1, 0.5, 0.25])],
  ['plates that nearly touch', plates()],
  ['a torus through itself', spindleTorus()],
  [
    'two overlapping balls',
    joined(
      ball(8, 12, () => 1),
      moved(
        ball(8, 12, () => 1),
        [0.7, 0.1, 0.2],
      ),
    ),
  ],
  [
    'a ball inside a ball',
    joined(
      ball(8, 12, () => 1),
      ball(8, 12, () => 0.5),
    ),
  ],
  [
    'a ball with a hollow',
    joined(
      ball(8, 12, () => 1),
      inverted(ball(8, 12, () => 0.5)),
    ),
  ],
  ['torus far from the origin', moved(bumpyTorus(20, 10), [1e5, -2e5, 3e5])],
]

describe('distance and sign equal brute force on closed meshes', () => {
  closedMeshes.forEach(([name, mesh], k) => {
    const seed = 100 + k
    test(`8,000 points around: ${name} (seed ${seed})`, () => {
      const field = new ExactMeshField(mesh)
      expect(field.closed).toBe(true)
      const { worst, wrongSigns, inside } = compare(mesh, field, 8000, seed)
      expect(worst).toBeLessThan(1e-6)
      expect(wrongSigns).toBe(0)
      expect(inside).toBeGreaterThan(100)
    })
  })

  for (const name of ['surf-koala-7k.obj', 'surf-hand-closed.obj', 'surf-spot-23k.obj']) {
    const mesh = sharedSurface(name)
    test.skipIf(!mesh)(`1,500 points around shared ${name} (seed 7)`, () => {
      const { worst, wrongSigns } = compare(mesh!, new ExactMeshField(mesh!), 1500, 7)
      expect(worst).toBeLessThan(1e-6)
      expect(wrongSigns).toBe(0)
    })
  }
})

describe('sign', () => {
  test('pseudonormals give the same answers on bodies that do not meet themselves (seed 31)', () => {
    for (const mesh of [bumpyTorus(24, 12), spiky(), blob(), needles(), box([0, 0, 0], [1, 2, 3])]) {
      const points = pointsAround(mesh, 6000, 31)
      const byWinding = new Float64Array(6000)
      const byNormal = new Float64Array(6000)
      new ExactMeshField(mesh).query(points, 6000, byWinding)
      new ExactMeshField(mesh, { sign: 'pseudonormal' }).query(points, 6000, byNormal)
      const size = boxDiagonal(meshBox(mesh))
      const differing = byWinding.filter((d, i) => Math.abs(d) > 1e-6 * size && d !== byNormal[i])
      expect(differing.length).toBe(0)
    }
  })

  test('a closed body that faces inward is still negative inside', () => {
    const distances = new Float64Array(2)
    const points = Float64Array.of(0, 0, 0, 2, 0, 0)
    const inwardBox = inverted(box([-1, -1, -1], [1, 1, 1]))
    for (const sign of ['auto', 'winding', 'pseudonormal'] as const) {
      new ExactMeshField(inwardBox, { sign }).query(points, 2, distances)
      expect(Array.from(distances)).toEqual([-1, 1])
    }
  })

  test('triangles with corners of their own (STL) are still a closed body', () => {
    const soup = unwelded(blob())
    const field = new ExactMeshField(soup)
    expect(field.closed).toBe(true)
    expect(compare(soup, field, 1000, 5).wrongSigns).toBe(0)
  })

  test('a seam that opens when the mesh moves is treated as open, not counted wrongly (seed 11)', () => {
    const soup = unwelded(blob())
    const field = new ExactMeshField(soup)
    const random = randomStream(11)
    const torn = { ...soup, positions: soup.positions.map((value) => value + 1e-3 * random.normal()) }
    field.update({ vertices: torn.positions })
    expect(compare(torn, field, 1000, 12).wrongSigns).toBe(0)
  })

  test('open and wrongly wound meshes follow the generalised winding number (seed 41)', () => {
    const torus = bumpyTorus(40, 20)
    const open = { ...torus, triangles: torus.triangles.filter((_, i) => Math.trunc(i / 3) % 7 !== 0) }
    const half = { ...torus, triangles: torus.triangles.slice(0, 3 * 500) }
    const flipped = { ...torus, triangles: torus.triangles.slice() }
    for (let t = 0; t < 1600; t += 11) flipped.triangles.subarray(3 * t, 3 * t + 3).reverse()
    for (const mesh of [open, half, flipped]) {
      const field = new ExactMeshField(mesh)
      expect(field.closed).toBe(false)
      const { worst, wrongSigns } = compare(mesh, field, 4000, 41)
      expect(worst).toBeLessThan(1e-6)
      expect(wrongSigns).toBe(0)
    }
  })

  test('collapsed triangles and duplicate vertices change nothing', () => {
    const cube = box([0, 0, 0], [1, 1, 1])
    const dirty = { ...cube, triangles: Uint32Array.of(...cube.triangles, 0, 0, 1, 3, 3, 3, 0, 7, 0) }
    expect(compare(dirty, new ExactMeshField(dirty), 2000, 3)).toMatchObject({ wrongSigns: 0 })
  })
})

describe('normals', () => {
  test('off the surface they are the gradient of the distance, by central differences (seed 51)', () => {
    const mesh = bumpyTorus(30, 14)
    const field = new ExactMeshField(mesh)
    const points = pointsAround(mesh, 900, 51)
    const distances = new Float64Array(900)
    const normals = new Float64Array(2700)
    field.query(points, 900, distances, normals)
    const step = 1e-6
    let smooth = 0
    for (let i = 0; i < 900; i++) {
      if (Math.abs(distances[i]) < 1e-4) continue
      const difference = [0, 1, 2].map((axis) => {
        const pair = Float64Array.of(...points.subarray(3 * i, 3 * i + 3), ...points.subarray(3 * i, 3 * i + 3))
        pair[axis] -= step
        pair[3 + axis] += step
        const d = new Float64Array(2)
        field.query(pair, 2, d)
        return (d[1] - d[0]) / (2 * step)
      })
      // On the medial axis the distance has no gradient: there the difference is shorter than one.
      if (Math.abs(Math.hypot(...difference) - 1) > 1e-3) continue
      smooth++
      for (let axis = 0; axis < 3; axis++) expect(Math.abs(difference[axis] - normals[3 * i + axis])).toBeLessThan(2e-3)
    }
    expect(smooth).toBeGreaterThan(700)
  })

  test('on the surface they are the pseudonormal of face, edge and corner', () => {
    const field = new ExactMeshField(box([-1, -1, -1], [1, 1, 1]))
    const points = Float64Array.of(1, 0.2, 0.1, 1, 1, 0.3, 1, 1, 1, -1, -1, -1)
    const distances = new Float64Array(4)
    const normals = new Float64Array(12)
    field.query(points, 4, distances, normals)
    for (const d of distances) expect(Math.abs(d)).toBeLessThan(1e-15)
    const h = Math.SQRT1_2
    const t = 1 / Math.sqrt(3)
    const expected = [1, 0, 0, h, h, 0, t, t, t, -t, -t, -t]
    normals.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i], 12)
    })
  })
})

test('closest points lie on the named triangle at the distance given (seed 61)', () => {
  const mesh = spiky()
  const points = pointsAround(mesh, 500, 61)
  const results = {
    distances: new Float64Array(500),
    closestPoints: new Float64Array(1500),
    triangleIds: new Uint32Array(500),
  }
  new ExactMeshField(mesh).closest(points, 500, results)
  for (let i = 0; i < 500; i++) {
    const [x, y, z] = results.closestPoints.subarray(3 * i, 3 * i + 3)
    const alone = {
      ...mesh,
      triangles: mesh.triangles.slice(3 * results.triangleIds[i], 3 * results.triangleIds[i] + 3),
    }
    expect(new BruteForce(alone).distance(x, y, z)).toBeLessThan(1e-12)
    const way = Math.hypot(points[3 * i] - x, points[3 * i + 1] - y, points[3 * i + 2] - z)
    expect(way).toBeCloseTo(Math.abs(results.distances[i]), 12)
  }
})

test('after update the field answers as one built anew, in all outputs (seed 71)', () => {
  const mesh = bumpyTorus(40, 16)
  const random = randomStream(71)
  for (let round = 0; round < 6; round++) {
    const options = { sign: round % 2 === 0 ? 'winding' : 'pseudonormal' } as const
    const field = new ExactMeshField(mesh, options)
    // On a vertex: what is made for the first such question must be made anew after the update.
    const vertex = mesh.positions.slice(0, 3)
    field.query(vertex, 1, new Float64Array(1), new Float64Array(3))
    const [a, b] = [random.normal(), random.normal()]
    const positions = mesh.positions.map(
      (value, i) => value + 0.3 * Math.sin(a * mesh.positions[(i % 3) + 3 * (i % 7)] + b * value),
    )
    field.update({ vertices: positions })
    const bent = { ...mesh, positions }
    const points = pointsAround(bent, 2000, 72 + round)
    points.set(positions.subarray(0, 900))
    const make = () => ({ distances: new Float64Array(2000), normals: new Float64Array(6000) })
    const [updated, rebuilt] = [make(), make()]
    field.closest(points, 2000, updated)
    new ExactMeshField(bent, options).closest(points, 2000, rebuilt)
    for (let i = 0; i < 2000; i++) {
      expect(Math.abs(updated.distances[i] - rebuilt.distances[i])).toBeLessThan(1e-12)
      // Where two sheets are equally near, either's normal will do: vertices lie on theirs.
      if (i < 300) {
        const [ours, anew] = [updated, rebuilt].map(({ normals }) => normals.subarray(3 * i, 3 * i + 3))
        expect(Math.hypot(...ours.map((value, axis) => value - anew[axis])), `normal ${i}`).toBeLessThan(1e-9)
      }
    }
  }
})

test('bounds over a box contain every sample in it (seed 81)', () => {
  const field = new ExactMeshField(bumpyTorus(24, 10))
  const random = randomStream(81)
  for (let k = 0; k < 50; k++) {
    const lower = [0, 1, 2].map(() => random.between(-1.5, 1)) as [number, number, number]
    const upper = lower.map((value) => value + random.uniform()) as [number, number, number]
    const [low, high] = field.bounds({ lower, upper })
    const points = Float64Array.from({ length: 300 }, (_, i) => random.between(lower[i % 3], upper[i % 3]))
    const distances = new Float64Array(100)
    field.query(points, 100, distances)
    expect(Math.min(...distances)).toBeGreaterThanOrEqual(low)
    expect(Math.max(...distances)).toBeLessThanOrEqual(high)
  }
})

test('a field that stops its search answers as before up to there, and beyond it with the limit and the right sign (seed 91)', () => {
  const mesh = bumpyTorus(40, 16)
  const limit = 0.1
  const make = () => ({
    distances: new Float64Array(3000),
    normals: new Float64Array(9000),
    closestPoints: new Float64Array(9000),
    triangleIds: new Uint32Array(3000),
  })
  const points = pointsAround(mesh, 3000, 91)
  const [full, stopped] = [make(), make()]
  new ExactMeshField(mesh).closest(points, 3000, full)
  new ExactMeshField(mesh, { maxDistance: limit }).closest(points, 3000, stopped)
  let beyond = 0
  for (let i = 0; i < 3000; i++) {
    const at = (values: Float64Array) => [...values.subarray(3 * i, 3 * i + 3)]
    if (Math.abs(full.distances[i]) < limit) {
      expect(stopped.distances[i]).toBe(full.distances[i])
      expect(stopped.triangleIds[i]).toBe(full.triangleIds[i])
      expect(at(stopped.normals)).toEqual(at(full.normals))
      continue
    }
    beyond++
    expect(stopped.distances[i]).toBe(Math.sign(full.distances[i]) * limit)
    expect(at(stopped.normals)).toEqual([0, 0, 0])
    expect([stopped.triangleIds[i], at(stopped.closestPoints)[0]]).toEqual([0xffffffff, Number.NaN])
  }
  expect(beyond).toBeGreaterThan(500)
  expect(full.distances.some((distance) => distance < -limit)).toBe(true)
})

test('where there is no memory for kernels the field answers the same, to the last bit (seed 92)', () => {
  const torus = bumpyTorus(40, 16)
  const open = { ...torus, triangles: torus.triangles.slice(0, 3 * 900) }
  const torn = torus.positions.map((value, i) => value + 0.02 * Math.sin(3 * i))
  const answers = (options: ExactMeshFieldOptions) =>
    [torus, open, needles(), unwelded(blob())].map((mesh) => {
      const field = new ExactMeshField(mesh, options)
      if (mesh === torus) field.update({ vertices: torn })
      const points = pointsAround(mesh, 300, 92)
      const results = {
        distances: new Float64Array(300),
        normals: new Float64Array(900),
        closestPoints: new Float64Array(900),
        triangleIds: new Uint32Array(300),
      }
      field.closest(points, 300, results)
      return results
    })
  const asked = [{}, { sign: 'pseudonormal' }, { maxDistance: 0.2 }] as const
  const byKernels = asked.map(answers)
  vi.spyOn(WebAssembly, 'Memory').mockImplementation(
    class {
      constructor() {
        throw new RangeError('no memory')
      }
    } as unknown as typeof WebAssembly.Memory,
  )
  const plain = asked.map(answers)
  expect(WebAssembly.Memory).toHaveBeenCalledTimes(4 * asked.length)
  vi.restoreAllMocks()
  expect(byKernels).toEqual(plain)
})

test('of equally near triangles the one in the lowest slot is told, or the first of a search; distances are the same (seed 93)', () => {
  const mesh = ball(24, 16, () => 1)
  const bySlot = new ExactMeshField(mesh)
  const bySearch = new ExactMeshField(mesh, { ties: 'search' })
  // Above vertices of a convex body: all triangles around one are equally near.
  const points = Float64Array.from(mesh.positions, (value) => 1.3 * value)
  const count = points.length / 3
  const tell = (field: ExactMeshField) => {
    const told = { distances: new Float64Array(count), triangleIds: new Uint32Array(count) }
    field.closest(points, count, told)
    return told
  }
  const [slot, search] = [tell(bySlot), tell(bySearch)]
  expect(search.distances).toEqual(slot.distances)
  const others = slot.triangleIds.filter((id, i) => id !== search.triangleIds[i])
  expect(others.length).toBeGreaterThan(0)
  expect(others.length).toBeLessThan(count)
})

test('points that are not finite give NaN, and the rest of the batch is unharmed', () => {
  const field = new ExactMeshField(box([0, 0, 0], [1, 1, 1]))
  const distances = new Float64Array(3)
  field.query(Float64Array.of(Number.NaN, 0, 0, 3, 0.5, 0.5, 0, Infinity, 0), 3, distances)
  expect(Array.from(distances)).toEqual([Number.NaN, 2, Number.NaN])
})

test('meshes and updates that cannot be used are refused in one line', () => {
  const cube = box([0, 0, 0], [1, 1, 1])
  expect(() => new ExactMeshField({ ...cube, triangles: Uint32Array.of(0, 1, 99) })).toThrow(/beyond the last vertex 7/)
  expect(() => new ExactMeshField({ ...cube, triangles: new Uint32Array(0) })).toThrow(/no triangles/)
  for (const maxDistance of [0, -1, Number.NaN]) {
    expect(() => new ExactMeshField(cube, { maxDistance })).toThrow(/maxDistance is/)
  }
  expect(() => new ExactMeshField(cube, { maxDistance: 1, sign: 'pseudonormal' })).toThrow(/not with sign/)
  const field = new ExactMeshField(cube)
  expect(() => field.update({ vertices: new Float64Array(6) })).toThrow(/6 values for 8 vertices; pass 24/)
  const broken = cube.positions.slice()
  broken[13] = Number.NaN
  expect(() => field.update({ vertices: broken })).toThrow('refit: vertex 4 is NaN; ')
  const distance = new Float64Array(1)
  field.query(Float64Array.of(3, 0.5, 0.5), 1, distance)
  expect(distance[0]).toBe(2)
})
