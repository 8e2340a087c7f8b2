/** Contact of a posed surface by its bones, against the exact test by codes and against all pairs of triangles. */
import { describe, expect, it } from 'vitest'
import { exactSelfContact, SurfaceContact } from '../../../src/exact/index.js'
import { NeighbourRule } from '../../../src/exact/self-contact/neighbour-rule.js'
import { trianglesMeet } from '../../../src/exact/triangle-triangle.js'
import { randomStream } from '../../../src/math/random.js'
import { characterShape } from '../../../src/model/character-shape.js'
import { surfaceBones } from '../../../src/model/surface-bones.js'
import { foldingTube } from '../../artifact/folding-tube.js'

const tube = foldingTube()
const { vertexCount, triangles } = tube
const positionsAt = (code: ArrayLike<number>): Float64Array => {
  const positions = new Float64Array(3 * vertexCount)
  tube.positions(code, positions)
  return positions
}
const random = randomStream(41)
const codes = Array.from({ length: 60 }, () => Float64Array.from({ length: 3 }, () => random.between(-1, 1)))

/** Bones in each other by every pair of triangles, nothing left out but by the rule. */
function bonesByAllPairs(positions: Float64Array, rule: NeighbourRule): number[][] {
  const flat = Float64Array.from(
    { length: 3 * triangles.length },
    (_, i) => positions[3 * triangles[Math.floor(i / 3)] + (i % 3)],
  )
  const found = new Set<string>()
  for (let a = 0; a < triangles.length / 3; a++) {
    for (let b = a + 1; b < triangles.length / 3; b++) {
      if (rule.leavesAlone(a, b) || !trianglesMeet(flat, 9 * a, flat, 9 * b)) continue
      found.add([rule.parts[a], rule.parts[b]].sort().join())
    }
  }
  return [...found].sort().map((pair) => pair.split(',').map(Number))
}

describe('SurfaceContact', () => {
  it('touches where the exact test by codes does, whatever counts as neighbours (seed 41)', () => {
    const countWith = (neighbours?: { along: number; near: number }): number => {
      const shape = characterShape(tube, neighbours)
      const [contact, exact] = [new SurfaceContact(shape), exactSelfContact(shape)]
      const touching = codes.filter((code) => {
        expect(contact.touches(positionsAt(code))).toBe(exact.touches(code))
        expect(contact.partsInContact(positionsAt(code)).length > 0).toBe(exact.touches(code))
        return exact.touches(code)
      })
      return touching.length
    }
    const usual = countWith()
    expect(usual).toBeGreaterThan(10)
    expect(usual).toBeLessThan(50)
    // Half of the tube's length along it: bones two further on may meet, those three on may not.
    const fewer = countWith({ along: 0.5, near: 0.005 })
    expect(fewer).toBeGreaterThan(0)
    expect(fewer).toBeLessThan(usual)
  })

  it('names the bones that all pairs of triangles name, each pair once, the lower first (seed 41)', () => {
    const contact = new SurfaceContact(characterShape(tube))
    const rest = { positions: positionsAt([0, 0, 0]), triangles }
    const rule = new NeighbourRule(rest, surfaceBones(tube))
    const kinds = new Set<string>()
    for (const code of [...codes.slice(0, 20), [0.55, 0.55, 0.55], [0.05, 0.85, 0], [0, 0.1, 0.9]]) {
      const due = bonesByAllPairs(positionsAt(code), rule)
      expect(contact.partsInContact(positionsAt(code))).toEqual(due.flat())
      for (const pair of due) kinds.add(pair.join())
    }
    expect([...kinds].sort()).toEqual(['0,2', '0,3', '1,3'])
  })

  it('lets joined bones meet, which fold at every joint', () => {
    const contact = new SurfaceContact(characterShape(tube))
    // Folded back on itself: without bones skin would be in skin, at the joint and beyond.
    const folded = positionsAt([0, 0, 0.9])
    const { parts: _, ...plain } = characterShape(tube)
    expect(new SurfaceContact(plain).touches(folded)).toBe(true)
    expect(contact.touches(folded)).toBe(false)
  })

  it('asked of one shape after another answers each as if it were the first', () => {
    const shape = characterShape(tube)
    const contact = new SurfaceContact(shape)
    const closed = positionsAt([0.55, 0.55, 0.55])
    for (const code of codes) {
      const positions = positionsAt(code)
      expect(contact.partsInContact(closed)).toEqual([0, 3])
      expect(contact.partsInContact(positions)).toEqual(new SurfaceContact(shape).partsInContact(positions))
    }
  })
})
