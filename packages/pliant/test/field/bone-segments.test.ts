import { expect, it } from 'vitest'
import { type BoneSegment, PosedSegments } from '../../src/field/bone-segments.js'
import type { Vec3 } from '../../src/math/box.js'
import { randomStream } from '../../src/math/random.js'
import { armMatrices } from './two-bones.js'

for (const seed of [1, 2]) {
  it(`chooses the bones that sorting all distances would, nearest first (seed ${seed})`, () => {
    const random = randomStream(seed, 1)
    const place = (): Vec3 => [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)]
    const bones: BoneSegment[] = Array.from({ length: 25 }, (_, b) => {
      const start = place()
      // Points too, which have no direction; thick ones, so that many points are inside several.
      return { joint: b % 2, start, end: b % 5 === 0 ? start : place(), radius: random.between(0, 0.6) }
    })
    const segments = new PosedSegments(bones)
    segments.pose(armMatrices(1, 1.5))
    const chosen = new Int32Array(4)
    for (let i = 0; i < 300; i++) {
      const [x, y, z] = place().map((value) => 2 * value)
      segments.nearest(x, y, z, 4, chosen)
      const distances = bones.map((_, b) => segments.distance(b, x, y, z))
      const sorted = [...distances].sort((a, b) => a - b)
      expect([...chosen].map((b) => distances[b])).toEqual(sorted.slice(0, 4))
    }
  })
}

it('poses segments with their joints, radius scaled along', () => {
  const segments = new PosedSegments([{ joint: 1, start: [0, 0, 0], end: [1, 0, 0], radius: 0.1 }])
  segments.pose(armMatrices(Math.PI / 2, 2))
  // The second joint stands at (2, 0, 0) and points up y.
  expect(segments.distance(0, 2, 1, 0)).toBeCloseTo(-0.2, 12)
  expect(segments.distance(0, 2, 3, 0)).toBeCloseTo(0.8, 12)
  expect(segments.distance(0, 0, 0, 0)).toBeCloseTo(1.8, 12)
})
