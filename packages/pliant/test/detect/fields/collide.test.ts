import { describe, expect, it } from 'vitest'
import { type CollideOptions, SolidPair } from '../../../src/detect/fields/collide.js'
import { type Solid, solidOf } from '../../../src/detect/fields/solid.js'
import type { ContactList } from '../../../src/field/contact.js'
import { union } from '../../../src/field/shapes/combine.js'
import { placed } from '../../../src/field/shapes/place.js'
import { cone } from '../../../src/field/shapes/polygons.js'
import { box, halfSpace, sphere, torus } from '../../../src/field/shapes/primitives.js'
import { fieldOf, type Shape } from '../../../src/field/shapes/shape.js'
import type { SignedField } from '../../../src/field/signed-field.js'
import { VoxelField } from '../../../src/field/voxel.js'
import type { Vec3 } from '../../../src/math/box.js'
import { composeMat4 } from '../../../src/math/mat4.js'
import { type Random, randomStream } from '../../../src/math/random.js'

const solid = (shape: Shape): Solid => solidOf(fieldOf(shape), shape.box)
const CUBE = solid(box([0.5, 0.5, 0.5]))
const BALL = solid(sphere(0.6))
const GROUND = solid(halfSpace([0, 1, 0], 0))

/** Quaternion xyzw of any length. */
function pose(at: Vec3, turn: readonly number[] = [0, 0, 0, 1]): Float64Array {
  const size = Math.hypot(...turn)
  const out = new Float64Array(16)
  composeMat4(
    at,
    turn.map((value) => value / size),
    [1, 1, 1],
    0,
    out,
    0,
  )
  return out
}
const randomTurn = (random: Random): number[] => [0, 1, 2, 3].map(() => random.normal())
const meet = (a: Solid, poseA: Float64Array, b: Solid, poseB: Float64Array, options?: CollideOptions): ContactList =>
  new SolidPair(a, b, options).update(poseA, poseB)
const HERE = pose([0, 0, 0])

describe('contacts of two fields', () => {
  it('are where ball and cube are deepest in each other, to 1e-5, wherever they are', () => {
    const random = randomStream(1, 1)
    const pair = new SolidPair(CUBE, BALL)
    for (let n = 0; n < 300; n++) {
      // The ball's centre beside the cube: the nearest point of the cube is the deepest in the ball.
      const way = [random.normal(), random.normal(), random.normal()]
      const far = random.between(0.7, 1.2) / Math.hypot(...way)
      const centre = way.map((value) => value * far)
      const nearest = centre.map((value) => Math.min(0.5, Math.max(-0.5, value)))
      const apart = Math.hypot(...centre.map((value, k) => value - nearest[k]))
      if (apart > 0.59 || apart < 0.01) continue
      const [poseA, spin] = [pose([3, -2, 1], randomTurn(random)), randomTurn(random)]
      const inWorld = (p: readonly number[]): number[] =>
        [0, 1, 2].map((k) => poseA[k] * p[0] + poseA[4 + k] * p[1] + poseA[8 + k] * p[2] + poseA[12 + k])
      const list = pair.update(poseA, pose(inWorld(centre) as unknown as Vec3, spin))
      const [deepest, normal] = [inWorld(nearest), centre.map((value, k) => (value - nearest[k]) / apart)]
      const found = list.at(0)
      expect(found.separation).toBeCloseTo(apart - 0.6, 7)
      expect(Math.hypot(...deepest.map((value, k) => value - found.pointA[k])), `ball at ${centre}`).toBeLessThan(1e-5)
      const turned = [0, 1, 2].map((k) => poseA[k] * normal[0] + poseA[4 + k] * normal[1] + poseA[8 + k] * normal[2])
      expect(Math.hypot(...turned.map((value, k) => value - found.normal[k]))).toBeLessThan(1e-4)
    }
  })

  it('hold a cube on the ground by its four corners, of A and of B alike', () => {
    for (const [list, sign] of [
      [meet(CUBE, pose([0, 0.49, 0]), GROUND, HERE, { maxContacts: 4 }), -1],
      [meet(GROUND, HERE, CUBE, pose([0, 0.49, 0]), { maxContacts: 4 }), 1],
    ] as const) {
      expect(list.count).toBe(4)
      for (let i = 0; i < 4; i++) {
        const { pointA, pointB, normal, separation } = list.at(i)
        expect(separation).toBeCloseTo(-0.01, 4)
        expect([...normal]).toEqual([expect.closeTo(0, 9), expect.closeTo(sign, 9), expect.closeTo(0, 9)])
        expect(Math.abs(pointA[0])).toBeCloseTo(0.5, 3)
        expect(Math.abs(pointA[2])).toBeCloseTo(0.5, 3)
        expect((pointB[1] - pointA[1]) * sign).toBeCloseTo(-0.01, 4)
      }
    }
  })

  it('are on both balls, their separation the way between them', () => {
    const list = meet(BALL, HERE, BALL, pose([0, 1.1, 0]), { maxContacts: 1 })
    const { pointA, pointB, normal, separation } = list.at(0)
    expect(separation).toBeCloseTo(-0.1, 9)
    expect(pointA[1]).toBeCloseTo(0.6, 6)
    expect(pointB[1]).toBeCloseTo(0.5, 6)
    expect(normal[1]).toBeCloseTo(1, 9)
  })

  it('are told within the gap, less the margin', () => {
    const above = pose([0, 1.25, 0])
    expect(meet(BALL, HERE, BALL, above).count).toBe(0)
    expect(meet(BALL, HERE, BALL, above, { gap: 0.04 }).count).toBe(0)
    expect(meet(BALL, HERE, BALL, above, { gap: 0.06, maxContacts: 1 }).at(0).separation).toBeCloseTo(0.05, 9)
    expect(meet(BALL, HERE, BALL, above, { margin: 0.06, maxContacts: 1 }).at(0).separation).toBeCloseTo(-0.01, 9)
  })

  it('lie on every side of a peg in a hole', () => {
    const peg = solid(cone(0.3, 0.3, 0.5))
    const ring = solid(torus(0.5, 0.21))
    const list = meet(peg, HERE, ring, HERE, { maxContacts: 6 })
    const angles = Array.from({ length: list.count }, (_, i) => Math.atan2(list.at(i).pointA[2], list.at(i).pointA[0]))
    const sorted = angles.sort((a, b) => a - b)
    const gaps = sorted.map((angle, i) =>
      i === 0 ? angle + 2 * Math.PI - sorted[sorted.length - 1] : angle - sorted[i - 1],
    )
    expect(list.count).toBe(6)
    expect(Math.max(...gaps)).toBeLessThan(1.7)
    expect(list.at(0).separation).toBeCloseTo(-0.01, 4)
  })

  it('push as all that touches does, in force and torque', () => {
    const random = randomStream(8, 1)
    for (let n = 0; n < 20; n++) {
      // A cube tilted by a little, its lower face in the ground: the overlap is a prism under its face.
      const [tilt, sink] = [random.between(-0.03, 0.03), random.between(0.02, 0.05)]
      const list = meet(CUBE, pose([0, 0.5 - sink, 0], [tilt, 0, 0, 1]), GROUND, HERE, { maxContacts: 6 })
      const [sine, cosine] = [Math.sin(2 * Math.atan(tilt)), Math.cos(2 * Math.atan(tilt))]
      // Depth at z along the face: linear, of the mean sink + what the tilt lowers the face's middle by.
      const mean = sink - 0.5 * (1 - cosine)
      const turn = list.areas.reduce((sum, area, i) => sum - area * list.separations[i] * list.pointsA[3 * i + 2], 0)
      const force = list.areas.reduce((sum, area, i) => sum - area * list.separations[i], 0)
      expect(force).toBeCloseTo(mean, 3)
      // The second moment of a unit square, 1 / 12, times the slope; and the face's middle, beside the cube's.
      expect(turn).toBeCloseTo(sine * cosine * (1 / 12) + mean * sine * 0.5, 2)
    }
  })

  it('push no body twice where both tell of the overlap, and none inwards', () => {
    const slab = solid(box([1, 0.5, 1]))
    const list = meet(CUBE, pose([0, 0.98, 0]), slab, HERE)
    // A square metre, two centimetres deep.
    const force = list.areas.reduce((sum, area, i) => sum - area * list.separations[i], 0)
    expect(force).toBeCloseTo(0.02, 3)
    const random = randomStream(10, 1)
    const pair = new SolidPair(CUBE, BALL, { maxContacts: 5 })
    for (let n = 0; n < 100; n++) {
      const at = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)] as const
      const { areas, count } = pair.update(HERE, pose(at, randomTurn(random)))
      expect(Math.min(0, ...areas.subarray(0, count))).toBe(0)
    }
  })

  it('are found between a voxel grid and a shape as between the shapes', () => {
    const shape = union(sphere(0.4), placed(sphere(0.3), { at: [0.5, 0, 0] }))
    const around = { lower: [-0.6, -0.6, -0.6], upper: [1, 0.6, 0.6] } as const
    const grid = VoxelField.sample(fieldOf(shape), around, { resolution: 96 })
    const random = randomStream(2, 1)
    const [exact, sampled] = [solid(shape), solidOf(grid, shape.box)]
    for (let n = 0; n < 20; n++) {
      const there = pose([random.between(-0.4, 0.8), 0.7, 0], randomTurn(random))
      const [a, b] = [exact, sampled].map((each) => meet(each, HERE, CUBE, there).at(0).separation)
      expect(b).toBeCloseTo(a, 2)
    }
  })
})

describe('bodies that are hard to tell apart', () => {
  it('have contacts where one lies within the other', () => {
    const small = solid(sphere(0.1))
    const list = meet(CUBE, HERE, small, pose([0.2, 0, 0]))
    expect(list.at(0).separation).toBeCloseTo(-0.4, 2)
    for (let i = 0; i < list.count; i++) expect(list.at(i).normal.every(Number.isFinite)).toBe(true)
  })

  it('tell how deep they are at least where they are the same in the same place', () => {
    for (const [each, width] of [
      [CUBE, 1],
      [BALL, 1.2],
    ] as const) {
      const list = meet(each, HERE, each, HERE)
      expect(list.at(0).limit).toBe('room')
      expect(list.at(0).separation).toBeLessThan(-0.9 * width)
      expect(list.at(0).separation).toBeGreaterThanOrEqual(-width * (1 + 1e-9))
      for (let i = 0; i < list.count; i++) {
        const { pointA, pointB, normal, separation } = list.at(i)
        expect([...pointA, ...pointB, ...normal, separation].every(Number.isFinite)).toBe(true)
      }
    }
  })

  it('have none where they are far apart, and end soon', () => {
    expect(meet(CUBE, HERE, BALL, pose([1e6, 0, 0])).count).toBe(0)
    expect(meet(CUBE, pose([0, 100, 0]), GROUND, HERE).count).toBe(0)
  })

  it('have none where a field is NaN, and those beside it', () => {
    const half: SignedField = {
      query(points, count, distances, gradients) {
        BALL.field.query(points, count, distances, gradients)
        for (let i = 0; i < count; i++) {
          if (points[3 * i] < 0) continue
          distances[i] = Number.NaN
          gradients?.fill(Number.NaN, 3 * i, 3 * i + 3)
        }
      },
      bounds: () => undefined,
    }
    const broken = { ...BALL, field: half }
    const list = meet(CUBE, pose([-0.9, 0.3, 0]), broken, HERE)
    expect(list.count).toBeGreaterThan(0)
    for (let i = 0; i < list.count; i++) expect(Number.isFinite(list.at(i).separation)).toBe(true)
  })

  it('are refused where nothing can be told', () => {
    expect(() => new SolidPair(GROUND, GROUND)).toThrow('neither body has an end')
    expect(() => meet(CUBE, HERE, BALL, pose([Number.NaN, 0, 0]))).toThrow('pose of B: value 12 is NaN')
    const scaled = pose([0, 0, 0])
    scaled[0] = 2
    expect(() => meet(CUBE, scaled, BALL, HERE)).toThrow('pose of A scales')
    expect(() => new SolidPair(CUBE, BALL, { gap: -1 })).toThrow('gap is -1')
  })
})

it('meets by points that cover the surface, in groups that hold them', () => {
  for (const { points, facings, groups, neighbours, reach } of [CUBE, BALL]) {
    const area = Array.from({ length: points.length / 3 }, (_, i) => Math.hypot(...facings.subarray(3 * i, 3 * i + 3)))
    // Facings of corners are shorter than the area around them.
    expect(area.reduce((sum, each) => sum + each, 0)).toBeCloseTo(points === CUBE.points ? 5.85 : 4 * Math.PI * 0.36, 1)
    for (let group = 0; group < groups.radii.length; group++) {
      for (let i = groups.starts[group]; i < groups.starts[group + 1]; i++) {
        const way = Math.hypot(...[0, 1, 2].map((k) => points[3 * i + k] - groups.centres[3 * group + k]))
        expect(way).toBeLessThanOrEqual(groups.radii[group] + 1e-12)
      }
    }
    for (let i = 0; i < points.length / 3; i++) {
      for (let n = neighbours.starts[i]; n < neighbours.starts[i + 1]; n++) {
        const way = Math.hypot(...[0, 1, 2].map((k) => points[3 * i + k] - points[3 * neighbours.points[n] + k]))
        expect(way).toBeLessThan(3 * reach)
      }
    }
  }
})
