/** How far pulling takes modes: in any unit alike, and no further than somebody pulls. */
import { boxOfPoints, type TetMesh, type Vec3 } from 'pliant'
import { boxDiagonal } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { sweepTets } from '../../src/presets/swept/sweep.js'
import { makeContactBody } from '../../src/subjects/contact-body.js'

const curve = (s: number): { at: Vec3; radius: number } => {
  const angle = 0.35 + s * (2 * Math.PI - 0.7)
  return { at: [0.05 * Math.cos(angle), 0, 0.05 * Math.sin(angle)], radius: 0.006 }
}
const ring = sweepTets({ curve, along: 16, across: 1 })
const scaled = (times: number): TetMesh => ({ ...ring, positions: ring.positions.map((value) => times * value) })

/** Largest displacement of each mode, in diagonals. */
function reaches(mesh: TetMesh, reach: number): number[] {
  const { model } = makeContactBody(mesh, { modes: 4, reach })
  const size = boxDiagonal(boxOfPoints(model.rest))
  return Array.from({ length: 4 }, (_, mode) => {
    const field = model.modes.subarray(mode * model.rest.length, (mode + 1) * model.rest.length)
    let most = 0
    for (let i = 0; i < field.length; i += 3) most = Math.max(most, Math.hypot(field[i], field[i + 1], field[i + 2]))
    return most / size
  })
}

describe('modes scaled by pulling', () => {
  const plain = reaches(ring, 0.3)

  it('go about as far as somebody pulls, each of them', () => {
    for (const reach of plain) {
      expect(reach).toBeGreaterThan(0.1)
      expect(reach).toBeLessThan(0.45)
    }
    reaches(ring, 0.6).forEach((reach, mode) => {
      expect(reach).toBeGreaterThan(1.2 * plain[mode])
    })
  })

  it.each([0.001, 39.37, 1000])('are the same of a body %f times as large', (times) => {
    reaches(scaled(times), 0.3).forEach((reach, mode) => {
      expect(reach).toBeCloseTo(plain[mode], 3)
    })
  })
})
