import { describe, expect, test } from 'vitest'
import { SelfIntersection } from '../../src/exact/self-intersection.js'
import { randomStream } from '../../src/math/random.js'
import type { TriangleMesh } from '../../src/mesh/triangle-mesh.js'
import { ball, box, bumpyTorus, joined, moved, sharedSurface, spiky, unwelded } from './shapes.js'

/**
 * Brute force without a tree: triangles sorted by lower x, every pair that overlaps there is tested by cutting each
 * triangle with the other's plane and comparing the two stretches of the common line (Moeller 1997), in plain floating
 * point. Right for pairs in general position, which random deformations are.
 */
function bruteForce({ positions: p, triangles }: TriangleMesh, stopAtFirst: boolean): Set<string> {
  const count = triangles.length / 3
  const low = [0, 1, 2].map(() => new Float64Array(count).fill(Infinity))
  const high = [0, 1, 2].map(() => new Float64Array(count).fill(-Infinity))
  for (let i = 0; i < triangles.length; i++) {
    const t = Math.trunc(i / 3)
    for (let axis = 0; axis < 3; axis++) {
      const value = p[3 * triangles[i] + axis]
      low[axis][t] = Math.min(low[axis][t], value)
      high[axis][t] = Math.max(high[axis][t], value)
    }
  }
  const order = new Uint32Array(count).map((_, t) => t).sort((a, b) => low[0][a] - low[0][b])
  const found = new Set<string>()
  for (let i = 0; i < count; i++) {
    const s = order[i]
    for (let j = i + 1; j < count && low[0][order[j]] <= high[0][s]; j++) {
      const t = order[j]
      if (low[1][t] > high[1][s] || low[1][s] > high[1][t] || low[2][t] > high[2][s] || low[2][s] > high[2][t]) continue
      let shared = false
      for (let k = 0; k < 9; k++) shared ||= triangles[3 * s + (k % 3)] === triangles[3 * t + Math.trunc(k / 3)]
      if (shared) continue
      const read = (f: number) => [0, 1, 2].map((k) => [0, 1, 2].map((axis) => p[3 * triangles[3 * f + k] + axis]))
      if (!stretchesOverlap(read(s), read(t))) continue
      found.add(`${Math.min(s, t)}-${Math.max(s, t)}`)
      if (stopAtFirst) return found
    }
  }
  return found
}

const dot = (a: number[], b: number[]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const cross = (a: number[], b: number[]): number[] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
]
const minus = (a: number[], b: number[]): number[] => [a[0] - b[0], a[1] - b[1], a[2] - b[2]]

function stretchesOverlap(a: number[][], b: number[][]): boolean {
  const na = cross(minus(a[1], a[0]), minus(a[2], a[0]))
  const nb = cross(minus(b[1], b[0]), minus(b[2], b[0]))
  const line = cross(na, nb)
  const stretch = (t: number[][], other: number[][], normal: number[]): [number, number] | undefined => {
    const heights = t.map((v) => dot(normal, minus(v, other[0])))
    const cuts: number[] = []
    for (let k = 0; k < 3; k++) {
      const [h, g] = [heights[k], heights[(k + 1) % 3]]
      if (h > 0 !== g > 0) {
        const f = h / (h - g)
        cuts.push(dot(line, minus(t[k], a[0])) * (1 - f) + dot(line, minus(t[(k + 1) % 3], a[0])) * f)
      }
    }
    return cuts.length === 2 ? [Math.min(...cuts), Math.max(...cuts)] : undefined
  }
  const [sa, sb] = [stretch(a, b, nb), stretch(b, a, na)]
  return sa !== undefined && sb !== undefined && sa[0] <= sb[1] && sb[0] <= sa[1]
}

/** Bends, twists and squashes by a random smooth map; some poses meet themselves, some do not. */
function deformer(mesh: TriangleMesh, seed: number): (round: number) => Float64Array {
  return (round) => {
    const random = randomStream(seed, round)
    const strength = random.between(0, 0.5)
    const waves = Array.from({ length: 9 }, () => [
      random.normal() * 2,
      random.normal() * 2,
      random.normal() * 2,
      random.normal(),
    ])
    const out = new Float64Array(mesh.positions.length)
    for (let v = 0; v < out.length; v += 3) {
      const [x, y, z] = mesh.positions.subarray(v, v + 3)
      for (let axis = 0; axis < 3; axis++) {
        let shift = 0
        for (let k = 0; k < 3; k++) {
          const [a, b, c, d] = waves[3 * axis + k]
          shift += Math.sin(a * x + b * y + c * z + d)
        }
        out[v + axis] = mesh.positions[v + axis] + strength * shift
      }
    }
    return out
  }
}

const keysOf = (pairs: Uint32Array): string[] =>
  Array.from({ length: pairs.length / 2 }, (_, k) => `${pairs[2 * k]}-${pairs[2 * k + 1]}`)

describe('against brute force', () => {
  test('yes or no on 500 random deformations of 5,040 triangles, refitted (seed 1000)', () => {
    const mesh = bumpyTorus(84, 30)
    const self = new SelfIntersection(mesh)
    const deform = deformer(mesh, 1000)
    let colliding = 0
    for (let round = 0; round < 500; round++) {
      const positions = deform(round)
      self.update(positions)
      const answer = self.any()
      if (answer) colliding++
      expect(answer, `round ${round}`).toBe(bruteForce({ ...mesh, positions }, true).size > 0)
    }
    expect(colliding).toBeGreaterThan(50)
    expect(colliding).toBeLessThan(450)
  })

  test('all pairs on 40 deformations, and the same from a tree built again (seed 2000)', () => {
    const mesh = bumpyTorus(60, 20)
    const self = new SelfIntersection(mesh)
    const deform = deformer(mesh, 2000)
    for (let round = 0; round < 40; round++) {
      const positions = deform(round)
      self.update(positions)
      const { pairs, depths } = self.pairs()
      expect(keysOf(pairs).sort()).toEqual([...bruteForce({ ...mesh, positions }, false)].sort())
      expect(new SelfIntersection({ ...mesh, positions }).pairs()).toEqual({ pairs, depths, truncated: false })
      expect(self.any()).toBe(pairs.length > 0)
    }
  })

  for (const name of ['surf-koala-7k.obj', 'surf-hand-closed.obj']) {
    const mesh = sharedSurface(name)
    test.skipIf(!mesh)(`all pairs on shared ${name}, squashed (seed 9)`, () => {
      const positions = deformer(mesh!, 9)(0)
      const { pairs } = new SelfIntersection({ ...mesh!, positions }).pairs()
      expect(keysOf(pairs).sort()).toEqual([...bruteForce({ ...mesh!, positions }, false)].sort())
    })
  }
})

describe('what counts', () => {
  test('bodies that do not meet themselves have no pairs', () => {
    for (const mesh of [bumpyTorus(30, 12), spiky(), ball(8, 12, () => 1), box([0, 0, 0], [1, 1, 1])]) {
      const self = new SelfIntersection(mesh)
      expect(self.any()).toBe(false)
      expect(self.pairs().pairs.length).toBe(0)
    }
  })

  test('touching counts: boxes face to face, and no longer once a last bit lies between', () => {
    const self = new SelfIntersection(joined(box([0, 0, 0], [1, 1, 1]), box([1, 0.25, 0.25], [2, 0.75, 0.75])))
    expect(self.any()).toBe(true)
    const gap = 1 + 2 ** -52
    const apart = joined(box([0, 0, 0], [1, 1, 1]), box([gap, 0.25, 0.25], [2, 0.75, 0.75]))
    self.update(apart.positions)
    expect(self.any()).toBe(false)
  })

  test('an earlier answer does not leak into the next', () => {
    const crossing = joined(box([0, 0, 0], [1, 1, 1]), box([0.5, 0.2, 0.2], [1.5, 0.8, 0.8]))
    const self = new SelfIntersection(crossing)
    expect(self.pairs().pairs.length).toBeGreaterThan(0)
    self.update(joined(box([0, 0, 0], [1, 1, 1]), box([5, 0, 0], [6, 1, 1])).positions)
    expect(self.any()).toBe(false)
    expect(self.pairs().pairs.length).toBe(0)
  })

  test('corners at equal places are shared only on request', () => {
    const soup = unwelded(ball(6, 8, () => 1))
    expect(new SelfIntersection(soup).any()).toBe(true)
    expect(new SelfIntersection(soup, { weld: true }).any()).toBe(false)
  })
})

test("depth follows FCL's rule: deepest corner behind the other plane, the smaller of the two", () => {
  // A flat triangle facing up, pierced by an upright one facing +x whose tip is 0.25 below it.
  const mesh = {
    positions: Float64Array.of(-4, -4, 0, 4, -4, 0, 0, 4, 0, 0.5, 0, -0.25, 0.5, 1, 2, 0.5, -1, 2),
    triangles: Uint32Array.of(0, 1, 2, 3, 4, 5),
  }
  const { pairs, depths } = new SelfIntersection(mesh).pairs()
  expect(Array.from(pairs)).toEqual([0, 1])
  // Behind the flat one: 0.25. Behind the upright one (plane x = 0.5): corner -4 or 4, so 3.5 or 4.5.
  expect(depths[0]).toBeCloseTo(0.25, 14)
})

test('single precision positions are taken as they are', () => {
  const crossing = joined(box([0, 0, 0], [1, 1, 1]), box([0.5, 0.25, 0.25], [1.5, 0.75, 0.75]))
  const single = { ...crossing, positions: Float32Array.from(crossing.positions) }
  expect(new SelfIntersection(single).pairs()).toEqual(new SelfIntersection(crossing).pairs())
})

test('depths do not change when the body is moved (seed 3)', () => {
  const mesh = bumpyTorus(40, 16)
  const positions = deformer(mesh, 3)(1)
  const here = new SelfIntersection({ ...mesh, positions }).pairs()
  const there = new SelfIntersection(moved({ ...mesh, positions }, [8, -16, 32])).pairs()
  expect(here.pairs.length).toBeGreaterThan(0)
  expect(there.pairs).toEqual(here.pairs)
  there.depths.forEach((depth, k) => {
    expect(Math.abs(depth - here.depths[k])).toBeLessThan(1e-12)
  })
})

test('says how far the search has come, ever further', () => {
  const told: number[] = []
  new SelfIntersection(bumpyTorus(100, 100)).pairs({ onProgress: ({ fraction }) => told.push(fraction) })
  expect(told.length).toBeGreaterThan(2)
  for (const [i, fraction] of told.entries()) {
    expect(fraction).toBeGreaterThan(told[i - 1] ?? 0)
    expect(fraction).toBeLessThanOrEqual(1)
  }
})

/** Triangles around one axis, each of which crosses all others: half the square of them in pairs. */
function crossingFan(count: number): TriangleMesh {
  const corners = Array.from({ length: count }, (_, i) => {
    const [x, y] = [Math.cos((Math.PI * i) / count), Math.sin((Math.PI * i) / count)]
    return [x, y, -1 - 1e-4 * i, -x, -y, -1 + 1e-4 * i, 0.1 * x, 0.1 * y, 1]
  })
  return {
    positions: Float64Array.from(corners.flat()),
    triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i),
  }
}

describe('where everything meets everything', () => {
  const all = (300 * 299) / 2

  test('ends with as many pairs as were asked for, and says that there are more', () => {
    const self = new SelfIntersection(crossingFan(300))
    const found = self.pairs({ limit: 1000 })
    expect(found.truncated).toBe(true)
    expect(found.pairs.length).toBe(2000)
    expect(found.depths.length).toBe(1000)
    for (let k = 2; k < found.pairs.length; k += 2) {
      const [a, b, c, d] = found.pairs.subarray(k - 2, k + 2)
      expect(a < b && (a < c || (a === c && b < d))).toBe(true)
    }
  })

  test('is not cut short by a limit that is just enough', () => {
    const self = new SelfIntersection(crossingFan(300))
    expect(self.pairs({ limit: all })).toMatchObject({ truncated: false })
    expect(self.pairs().depths.length).toBe(all)
    expect(self.pairs({ limit: all - 1 })).toMatchObject({ truncated: true })
  })

  test('tells of its progress while boxes overlap without end, rising to the end', () => {
    const told: number[] = []
    new SelfIntersection(crossingFan(1000)).pairs({ onProgress: ({ fraction }) => told.push(fraction) })
    expect(told.length).toBeGreaterThan(5)
    expect(told).toEqual([...told].sort((a, b) => a - b))
    expect(told.at(-1)).toBeGreaterThan(0.8)
    expect(told.at(-1)).toBeLessThanOrEqual(1)
  })
})
