/** Cells of an overlap whose volume is known. */
import { solidOf } from 'pliant/detect'
import { box, fieldOf } from 'pliant/shapes'
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

it('leaves out what lies further from either than a cell reaches', () => {
  const look = lookAtOverlap(posed(0), posed(0.23))!
  for (let at = 0; at < look.border.length; at += 6) {
    const reach = Math.hypot(look.border[at + 3], look.border[at + 4], look.border[at + 5])
    expect(look.border[at]).toBeGreaterThan(0.03 - reach - 1e-6)
    expect(look.border[at]).toBeLessThan(0.2 + reach + 1e-6)
  }
})

it('is none where not even boxes meet', () => {
  expect(lookAtOverlap(posed(0), posed(0.5))).toBeUndefined()
})
