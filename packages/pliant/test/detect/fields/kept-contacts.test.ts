import { expect, it } from 'vitest'
import { SolidPair } from '../../../src/detect/fields/collide.js'
import { type Solid, solidOf } from '../../../src/detect/fields/solid.js'
import type { ContactList } from '../../../src/field/contact.js'
import { box, cylinder, halfSpace, sphere } from '../../../src/field/shapes/primitives.js'
import { fieldOf, type Shape } from '../../../src/field/shapes/shape.js'
import { composeMat4 } from '../../../src/math/mat4.js'
import { quaternionOfVector } from '../../../src/math/quaternion.js'

const solid = (shape: Shape): Solid => solidOf(fieldOf(shape), shape.box)
const CUBE = solid(box([0.5, 0.5, 0.5]))
const GROUND = solid(halfSpace([0, 1, 0], 0))
const SLAB = solid(box([3, 0.2, 2]))

/** @param turn  rotation vector [rad] */
function pose(at: readonly number[], turn: readonly number[] = [0, 0, 0]): Float64Array {
  const [rotation, out] = [new Float64Array(4), new Float64Array(16)]
  quaternionOfVector(turn, 0, rotation, 0)
  composeMat4(at, rotation, [1, 1, 1], 0, out, 0)
  return out
}
const HERE = pose([0, 0, 0])
/** Of each contact, by number, its point on A in A's frame. */
function places({ count, ids, pointsA }: ContactList, frame: Float64Array): Map<number, number[]> {
  return new Map(
    Array.from({ length: count }, (_, i) => {
      const way = [0, 1, 2].map((k) => pointsA[3 * i + k] - frame[12 + k])
      return [ids[i], [0, 4, 8].map((column) => way.reduce((sum, value, k) => sum + value * frame[column + k], 0))]
    }),
  )
}
/** How many of these are among those, no further off than `tolerance` [m]. */
function found(before: Map<number, number[]>, now: Map<number, number[]>, tolerance: number): number {
  return [...before].filter(([id, place]) => {
    const there = now.get(id)
    return there && Math.hypot(...there.map((value, k) => value - place[k])) <= tolerance
  }).length
}

it.each([
  ['cube', CUBE, 0.5],
  ['drum', solid(cylinder(0.5, 0.5)), 0.5],
])('a %s that rocks by a thousandth keeps all of its contacts but the deepest in nearly all poses', (_, body, half) => {
  for (const maxContacts of [4, 8]) {
    const pair = new SolidPair(body, GROUND, { maxContacts, gap: 0.01 })
    let before: Map<number, number[]> | undefined
    const kept: number[] = []
    for (let n = 0; n < 40; n++) {
      const there = pose([0, half - 0.004, 0], [1e-3 * Math.cos(0.7 * n), 0.01 * n, 1e-3 * Math.sin(0.7 * n)])
      const now = places(pair.update(there, HERE), there)
      if (before) kept.push(found(before, now, 1e-9))
      before = now
    }
    expect(kept.filter((count) => count >= maxContacts - 1).length).toBeGreaterThanOrEqual(37)
  }
})

it('a box that slides over another takes along contacts of its corners, whichever of both is A', () => {
  for (const isA of [true, false]) {
    const pair = isA ? new SolidPair(CUBE, SLAB) : new SolidPair(SLAB, CUBE)
    const corners = new Map<string, number>()
    for (let n = 0; n < 60; n++) {
      const x = -1.5 + 0.05 * n
      const [cube, slab] = [pose([x, 0.698, 0], [0, 0.1, 0]), HERE]
      const list = isA ? pair.update(cube, slab) : pair.update(slab, cube)
      const points = places({ ...list, pointsA: isA ? list.pointsA : list.pointsB } as ContactList, cube)
      for (const [id, point] of points) {
        if (!(Math.abs(point[0]) > 0.499 && Math.abs(point[2]) > 0.499)) continue
        const corner = point.map(Math.sign).join()
        expect(corners.get(corner) ?? id, `corner ${corner} at ${x}`).toBe(id)
        corners.set(corner, id)
      }
      expect(points.size).toBe(8)
    }
    expect(corners.size).toBe(4)
  }
})

it('a ball that rolls goes on as the same contact, right below its middle', () => {
  const pair = new SolidPair(solid(sphere(0.5)), GROUND, { gap: 0.005 })
  let first: number | undefined
  for (let n = 0; n < 60; n++) {
    const x = 0.016 * n
    const { ids, pointsA } = pair.update(pose([x, 0.499, 0], [0, 0, -x / 0.5]), HERE)
    first ??= ids[0]
    expect(ids[0]).toBe(first)
    expect(pointsA[0]).toBeCloseTo(x, 6)
  }
})

it('numbers are new after both were apart, and never told twice in one list', () => {
  const pair = new SolidPair(CUBE, GROUND)
  const numbersAt = (y: number): number[] => [
    ...pair.update(pose([0, y, 0]), HERE).ids.subarray(0, pair.contacts.count),
  ]
  const before = numbersAt(0.49)
  expect(numbersAt(0.6)).toEqual([])
  const after = numbersAt(0.49)
  expect(new Set([...before, ...after]).size).toBe(before.length + after.length)
})

it('does not hold on to points where a field tells no number, or another way', () => {
  let turn = 0
  const field = {
    query(points: ArrayLike<number>, count: number, distances: Float64Array, gradients?: Float64Array) {
      for (let i = 0; i < count; i++) {
        distances[i] = turn === 2 ? Number.NaN : points[3 * i + turn]
        gradients?.fill(0, 3 * i, 3 * i + 3)
        if (gradients) gradients[3 * i + turn] = turn === 2 ? Number.NaN : 1
      }
    },
    bounds: () => undefined,
  }
  const pair = new SolidPair(CUBE, { ...GROUND, field } as unknown as Solid)
  const numbers = (): Set<number> => new Set(pair.update(HERE, HERE).ids.subarray(0, pair.contacts.count))
  const before = numbers()
  turn = 1
  expect([...numbers()].filter((id) => before.has(id))).toEqual([])
  turn = 2
  expect(numbers().size).toBe(0)
})

it('takes a gap for one call, and refuses one that is none', () => {
  const pair = new SolidPair(CUBE, GROUND)
  expect(pair.update(pose([0, 0.55, 0]), HERE).count).toBe(0)
  expect(pair.update(pose([0, 0.55, 0]), HERE, 0.06).count).toBeGreaterThan(0)
  expect(() => pair.update(HERE, HERE, Number.NaN)).toThrow('gap is NaN; give zero or more')
})

it('chooses corners, not points above them that lie a hair further out', () => {
  const pair = new SolidPair(CUBE, GROUND, { maxContacts: 4, gap: 0.2 })
  const { separations } = pair.update(pose([0, 0.5, 0], [1e-4, 0, 0]), HERE)
  expect(Math.max(...separations)).toBeLessThan(1e-3)
})
