import { describe, expect, test } from 'vitest'
import { ASKED, BLOCK, type PointSearch } from '../../src/exact/point-search.js'
import { CLOSEST_SIZE, closestOnTriangle } from '../../src/exact/point-triangle.js'
import { ScalarPoints } from '../../src/exact/scalar-points.js'
import { TriangleTree } from '../../src/exact/triangle-tree.js'
import { SimdPoints } from '../../src/exact/wasm/simd-points.js'
import { boxDiagonal } from '../../src/math/box.js'
import { randomStream } from '../../src/math/random.js'
import { type AddressCheck, checkAddresses } from '../../src/math/wasm/address-check.js'
import { createTriangleMesh, meshBox, type TriangleMesh } from '../../src/mesh/triangle-mesh.js'
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
  spiky,
  spindleTorus,
  unwelded,
} from './shapes.js'

const cube = box([0, 0, 0], [1, 1, 1])
const shapes: [string, TriangleMesh][] = [
  ['a torus', bumpyTorus(40, 16)],
  ['spikes', spiky()],
  ['needles', needles()],
  ['needles a ten-millionth as wide as long', stretched(needles(), 1e4)],
  ['a blob with corners of its own for each triangle', unwelded(blob())],
  ['a box', cube],
  [
    'collapsed triangles',
    { ...cube, triangles: Uint32Array.of(...cube.triangles, 0, 0, 1, 3, 3, 3, 0, 7, 0, 2, 1, 1) },
  ],
  ['every triangle three times', joined(spiky(), spiky(), inverted(spiky()))],
  ['plates that nearly touch', plates()],
  ['a torus through itself', spindleTorus()],
  [
    'two balls about each other',
    joined(
      ball(8, 12, () => 1),
      moved(inverted(ball(8, 12, () => 0.5)), [0.7, 0.1, 0]),
    ),
  ],
  ['a torus far from the origin', moved(bumpyTorus(20, 10), [1e7, -2e7, 3e6])],
  ['a blob of micrometres', moved(blob(), [0.3, 0.2, -0.1], 1e-6)],
  ['a blob that is larger than the Earth', moved(blob(), [0, 1e8, 0], 1e8)],
  ['a body that is too small for single precision', moved(blob(), [0, 0, 0], 1e-20)],
  ['a body that is too large for it', moved(spiky(), [0, 0, 0], 1e60)],
  ['one triangle', createTriangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], [0, 1, 2])],
  ['300 triangles at one place', createTriangleMesh([0, 0, 0, 1, 0, 0, 0, 1, 0], Array(300).fill([0, 1, 2]).flat())],
]

function stretched(mesh: TriangleMesh, along: number): TriangleMesh {
  return { ...mesh, positions: mesh.positions.map((value, i) => (i % 3 === 1 ? along * value : value)) }
}

interface Rivals {
  tree: TriangleTree
  simd: PointSearch
  scalar: PointSearch
}

function rivals(mesh: TriangleMesh, check?: AddressCheck, leafSize = 4): Rivals {
  const tree = new TriangleTree(mesh, leafSize)
  const simd = new SimdPoints(tree, mesh.positions, check)
  return { tree, simd, scalar: new ScalarPoints(new TriangleTree(mesh, leafSize)) }
}

/** What a search says of points: slots, then winding numbers. */
function ask(search: PointSearch, points: Float64Array, limit = Infinity): number[][] {
  const [slots, windings]: number[][] = [[], []]
  for (let from = 0; from < points.length; from += 3 * BLOCK) {
    const count = Math.min(BLOCK, (points.length - from) / 3)
    search.points.set(points.subarray(from, from + 3 * count))
    search.nearest(count, limit * limit)
    search.windings.fill(ASKED, 0, count)
    search.wind(count)
    slots.push(...search.slots.subarray(0, count))
    windings.push(...search.windings.subarray(0, count))
  }
  return [slots, windings]
}

/** The lowest slot of those whose squared distance is least, and how many of them there are. */
function scan({ corners }: TriangleTree, x: number, y: number, z: number): { slot: number; equals: number } {
  const found = new Float64Array(CLOSEST_SIZE)
  let least = Infinity
  let [slot, equals] = [-1, 0]
  for (let o = 0; o < corners.length; o += 9) {
    const squared = closestOnTriangle(corners, o, x, y, z, found)
    if (squared === least) equals++
    if (!(squared < least)) continue
    least = squared
    slot = o / 9
    equals = 1
  }
  return { slot, equals }
}

describe('kernels and plain code find the same triangle and the same winding number', () => {
  shapes.forEach(([name, mesh], k) => {
    test(`${name}, at rest and moved (seed ${k})`, () => {
      const both = rivals(mesh, undefined, 1 + (k % 6))
      const random = randomStream(k)
      const size = boxDiagonal(meshBox(mesh))
      for (const noise of [0, 1e-3, 0.1]) {
        const positions = mesh.positions.map((value) => value + noise * size * random.normal())
        for (const search of [both.simd, both.scalar]) search.refit(positions)
        const points = pointsAround({ ...mesh, positions }, 600, k)
        expect(ask(both.simd, points)).toEqual(ask(both.scalar, points))
        for (const limit of [1e-3, 0.05]) {
          expect(ask(both.simd, points, limit * size)[0]).toEqual(ask(both.scalar, points, limit * size)[0])
        }
        expect(both.simd.diagonal).toBe(both.scalar.diagonal)
      }
    })
  })

  test('which way a closed surface faces, also when it is turned inside out or flat', () => {
    for (const [name, mesh] of shapes.slice(0, -2)) {
      const both = rivals(mesh)
      for (const scale of [1, -1, 1e-9, 0]) {
        const positions = mesh.positions.map((value, i) => (i % 3 === 0 ? scale * value : value))
        for (const search of [both.simd, both.scalar]) search.refit(positions)
        expect(both.simd.facesOutward, name).toBe(both.scalar.facesOutward)
        if (name === 'spikes') expect(both.simd.facesOutward).toBe(scale >= 0)
      }
    }
  })

  test('of the triangles that are nearest the one in the lowest slot, as a scan finds it (seed 20)', () => {
    let ties = 0
    for (const [, mesh] of shapes) {
      const both = rivals(mesh)
      const points = pointsAround(mesh, 200, 20)
      // Some at vertices, where many triangles are at no distance at all.
      points.set(mesh.positions.subarray(0, Math.min(90, mesh.positions.length)))
      const [slots] = ask(both.simd, points)
      slots.forEach((slot, i) => {
        const found = scan(both.tree, points[3 * i], points[3 * i + 1], points[3 * i + 2])
        expect(slot).toBe(found.slot)
        if (found.equals > 1) ties++
      })
    }
    expect(ties).toBeGreaterThan(500)
  })

  test('from far away, and where a coordinate is none', () => {
    const both = rivals(bumpyTorus(20, 10))
    const points: number[] = []
    for (const far of [10, 1e4, 1e9, 1e14, 1e16, 1e30, 1e150, 1e200, Number.MAX_VALUE, Infinity, Number.NaN]) {
      for (const sign of [1, -1]) points.push(sign * far, 0.1, 0.2, 0, sign * far, far, 0.3, 0, sign * far)
    }
    const asked = Float64Array.from(points)
    expect(ask(both.simd, asked)[0]).toEqual(ask(both.scalar, asked)[0])
  })

  test('rays along edges and faces are counted once', () => {
    const both = rivals(joined(box([-1, -1, -1], [1, 1, 1]), box([1, 1, 1], [2, 2, 2]), box([-1, 1, -1], [0, 2, 0])))
    const grid = [-1.5, -1, -0.5, 0, 0.5, 1, 1.5]
    const points = Float64Array.from(grid.flatMap((x) => grid.flatMap((y) => grid.flatMap((z) => [x, y, z]))))
    expect(ask(both.simd, points)).toEqual(ask(both.scalar, points))
  })
})

test('kernels stay within their arrays', () => {
  for (const [, mesh] of shapes.slice(0, 6)) {
    const both = rivals(mesh, checkAddresses)
    const points = pointsAround(mesh, 30, 21)
    expect(ask(both.simd, points)).toEqual(ask(both.scalar, points))
  }
})

test('vertices that no triangle uses do not count, wherever they are', () => {
  const mesh = { ...spiky(), positions: Float64Array.of(...spiky().positions, 1e30, 0, 0) }
  const both = rivals(mesh)
  const points = pointsAround(spiky(), 300, 22)
  expect(ask(both.simd, points)).toEqual(ask(both.scalar, points))
  expect(both.simd.diagonal).toBe(both.scalar.diagonal)
  const broken = mesh.positions.slice()
  broken[broken.length - 1] = Infinity
  expect(() => both.simd.refit(broken)).toThrow(/is Infinity/)
})

test('where positions are refused, nothing has moved', () => {
  const mesh = spiky()
  const both = rivals(mesh)
  const broken = mesh.positions.map((value) => value + 1)
  for (const bad of [Number.NaN, -Infinity]) {
    broken[40] = bad
    expect(() => both.simd.refit(broken)).toThrow(/refit: vertex 13 is/)
  }
  const points = pointsAround(mesh, 300, 23)
  expect(ask(both.simd, points)).toEqual(ask(both.scalar, points))
  expect(both.simd.diagonal).toBe(both.scalar.diagonal)
})
