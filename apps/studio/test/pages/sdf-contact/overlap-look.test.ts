/** Cells of an overlap whose volume is known. */
import { solidOf } from 'pliant/detect'
import { box, fieldOf, sphere } from 'pliant/shapes'
import { composeMat4 } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { lookAtOverlap, type PosedSolid } from '../../../src/pages/sdf-contact/overlap-look.js'

const brick = fieldOf(box([0.2, 0.1, 0.15]))
const solid = solidOf(brick, brick.box, { cells: 8 })

/** Both turned alike by 90 degrees about the vertical, the second moved along its own x. */
function posed(alongX: number): PosedSolid {
  const pose = new Float64Array(16)
  composeMat4([1, 2, 3 - alongX], [0, Math.SQRT1_2, 0, Math.SQRT1_2], [1, 1, 1], 0, pose, 0)
  return { solid, pose }
}

it('holds the volume between what is proved and what may be, in the frame of the first', () => {
  const look = lookAtOverlap(posed(0), posed(0.23))!
  const exact = (0.4 - 0.23) * 0.2 * 0.3
  expect(look.volume[0]).toBeLessThanOrEqual(exact * (1 + 1e-9))
  expect(look.volume[1]).toBeGreaterThanOrEqual(exact * (1 - 1e-9))
  expect(look.volume[0], 'most of it is proved').toBeGreaterThan(0.6 * exact)
  expect(look.volume[1]).toBeLessThan(1.8 * exact)
  expect(look.counts.inside).toBeGreaterThan(10)
  for (let at = 0; at < look.inside.length; at += 6) {
    const [x, y, z, a, b, c] = look.inside.subarray(at, at + 6)
    // In the first's frame the overlap reaches from .03 to .2 m along x.
    expect(x - a).toBeGreaterThan(0.03 - 1e-6)
    expect(x + a).toBeLessThan(0.2 + 1e-6)
    expect(Math.abs(y) + b).toBeLessThan(0.1 + 1e-6)
    expect(Math.abs(z) + c).toBeLessThan(0.15 + 1e-6)
  }
  expect(look.border.length, 'as many as are drawn').toBe(6 * Math.min(3000, look.counts.border))
})

it('leaves out what lies further from either than a cell reaches, where fields have no bounds', () => {
  const ball = fieldOf(sphere(0.1))
  const unbounded = { query: ball.query.bind(ball), bounds: () => undefined }
  const round = { solid: { ...solidOf(ball, ball.box, { cells: 8 }), field: unbounded }, pose: posed(0).pose }
  const look = lookAtOverlap(round, posed(0))!
  expect(look.counts.inside, 'nothing is proved').toBe(0)
  expect(look.counts.border).toBeGreaterThan(1000)
  for (let at = 0; at < look.border.length; at += 6) {
    const [x, y, z, a, b, c] = look.border.subarray(at, at + 6)
    expect(Math.hypot(x, y, z)).toBeLessThan(0.1 + Math.hypot(a, b, c) + 1e-6)
  }
  const cube = 0.2 ** 3
  expect(look.volume[1], 'corners of its box are left out').toBeLessThan(0.95 * cube)
  expect(look.volume[1]).toBeGreaterThan((Math.PI / 6) * cube)
})

it('is none where not even boxes meet', () => {
  expect(lookAtOverlap(posed(0), posed(0.5))).toBeUndefined()
})
