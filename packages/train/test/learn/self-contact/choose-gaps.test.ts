/** Gaps that a network sees, on a tube: between points of its middle line, two radii apart where it touches itself. */
import { randomStream, type Vec3 } from 'pliant'
import { findBoundaryPoint, LinearSelfContact, makeBoundaryPoint } from 'pliant/unstable/exact'
import { describe, expect, it } from 'vitest'
import { chooseGaps } from '../../../src/learn/self-contact/choose-gaps.js'
import { sweepTets } from '../../../src/presets/swept/sweep.js'
import { makeContactBody } from '../../../src/subjects/contact-body.js'

const RADIUS = 0.006
const curve = (s: number): { at: Vec3; radius: number } => {
  const angle = 0.35 + s * (2 * Math.PI - 0.7)
  return { at: [0.05 * Math.cos(angle), 0, 0.05 * Math.sin(angle)], radius: RADIUS }
}
const { model } = makeContactBody(sweepTets({ curve, along: 24, across: 2 }), { modes: 3, reach: 0.5 })

/** Where ways from rest to touching codes first touch. */
function contacts(count: number, seed: number) {
  const contact = new LinearSelfContact(model)
  const random = randomStream(seed)
  const found: { code: number[]; triangles: number[]; weights: number[] }[] = []
  const point = makeBoundaryPoint(3)
  for (let tries = 0; found.length < count && tries < 5000; tries++) {
    const code = Float64Array.from({ length: 3 }, () => random.between(-1, 1))
    if (!contact.touches(code) || !findBoundaryPoint(contact, [0, 0, 0], code, point)) continue
    found.push({ code: [...point.code], triangles: [...point.triangles], weights: [...point.weights] })
  }
  return found
}

describe('gaps of a tube (seed 8)', () => {
  const found = contacts(12, 8)
  const random = randomStream(9)
  const codes = Float32Array.from({ length: 3 * 500 }, () => random.between(-1, 1))
  const all = {
    triangles: Uint32Array.from(found.flatMap(({ triangles }) => triangles)),
    weights: Float32Array.from(found.flatMap(({ weights }) => weights)),
  }

  const lengthAt = (vector: Float32Array, gap: number, gaps: number, code: ArrayLike<number>): number => {
    const at = [0, 1, 2].map((axis) => {
      let value = vector[3 * 3 * gaps + 3 * gap + axis]
      for (let k = 0; k < 3; k++) value += code[k] * vector[k * 3 * gaps + 3 * gap + axis]
      return value
    })
    return Math.hypot(...at)
  }

  it('are some radii long at the contact that they come from, not nothing: most of their points lie inside', () => {
    expect(found.length).toBe(12)
    const { gaps, tensors } = chooseGaps(model, all, 12, codes)
    expect(gaps).toBe(12)
    const vector = tensors.get('gap.vector')!
    // Which contact a gap is of is not said: the best of all.
    const inside = Array.from({ length: gaps }, (_, gap) => {
      const least = Math.min(...found.map(({ code }) => lengthAt(vector, gap, gaps, code)))
      return least > 0.5 * RADIUS && least < 4 * RADIUS
    })
    expect(inside.filter(Boolean).length).toBeGreaterThanOrEqual(8)
  })

  it('are seen with a mean of zero and a spread of one over the codes given', () => {
    const { gaps, tensors } = chooseGaps(model, all, 5, codes)
    expect(gaps).toBe(5)
    const [vector, softening, scale, shift] = ['vector', 'softening', 'scale', 'shift'].map(
      (name) => tensors.get(`gap.${name}`)!,
    )
    for (let gap = 0; gap < gaps; gap++) {
      const seen = Array.from({ length: 500 }, (_, i) => {
        const length = lengthAt(vector, gap, gaps, codes.subarray(3 * i, 3 * i + 3))
        return scale[gap] * Math.log(length ** 2 + softening[gap] ** 2) + shift[gap]
      })
      const mean = seen.reduce((sum, value) => sum + value, 0) / 500
      expect(mean).toBeCloseTo(0, 3)
      expect(Math.sqrt(seen.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 500)).toBeCloseTo(1, 3)
    }
  })

  it('are no more than there are contacts, and of the same contact one', () => {
    const twice = {
      triangles: Uint32Array.from([...all.triangles, ...all.triangles]),
      weights: Float32Array.from([...all.weights, ...all.weights]),
    }
    expect(chooseGaps(model, twice, 100, codes).gaps).toBe(12)
  })
})
