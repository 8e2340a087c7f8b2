/** Places of parts that were seen near each other in one place only are still all different, and near it. */
import { boxOfPoints } from 'pliant'
import { boxDiagonal, createCharacter } from 'pliant/unstable'
import { expect, test } from 'vitest'
import { characterFrames } from '../../../src/learn/posed-contact/character-frames.js'
import { partPlaces } from '../../../src/learn/posed-contact/part-places.js'
import type { Place } from '../../../src/learn/self-contact/choose-places.js'
import { findCharacterPreset } from '../../../src/presets/index.js'

const framed = characterFrames(createCharacter(await findCharacterPreset('humanoid')!.make()))
const diagonal = boxDiagonal(boxOfPoints(framed.rest))
const trianglesOf = (part: number): number[] => [...framed.partOf.keys()].filter((t) => framed.partOf[t] === part)
const [first, second] = [2, 5]
const third: [number, number, number] = [1 / 3, 1 / 3, 1 / 3]
const at = (place: Place): number[] =>
  [0, 1, 2].map((axis) => place.reduce((sum, [v, weight]) => sum + weight * framed.rest[3 * v + axis], 0))
const apart = (a: Place, b: Place): number => Math.hypot(...at(a).map((x, k) => x - at(b)[k]))

/** So many contacts, always between the same triangles or between others each time. */
function contacts(count: number, isSame: boolean) {
  const [one, other] = [trianglesOf(first), trianglesOf(second)]
  const pick = (of: number[], i: number): number => of[isSame ? 7 : (37 * i) % of.length]
  return {
    triangles: Uint32Array.from(Array.from({ length: count }, (_, i) => [pick(one, i), pick(other, i)]).flat()),
    weights: Float32Array.from(Array.from({ length: 2 * count }, () => third).flat()),
  }
}

test.each([
  ['in one place', contacts(5, true)],
  ['in many', contacts(60, false)],
])('two parts seen %s have eight places each, no two the same', (how, seen) => {
  const [[ones, others]] = partPlaces(framed, Uint16Array.of(first, second), seen, 8)
  for (const [places, part] of [
    [ones, first],
    [others, second],
  ] as const) {
    expect(places).toHaveLength(8)
    for (let i = 0; i < 8; i++) {
      for (let k = 0; k < i; k++) expect(apart(places[i], places[k])).toBeGreaterThan(1e-4 * diagonal)
    }
    if (how !== 'in one place') continue
    // The first lies inside the part, under the contact; the others are vertices of the part, around it.
    const own = new Set(trianglesOf(part).flatMap((t) => [...framed.triangles.subarray(3 * t, 3 * t + 3)]))
    for (const place of places.slice(1)) {
      expect(place).toHaveLength(1)
      expect(own.has(place[0][0])).toBe(true)
      expect(apart(place, places[0])).toBeLessThan(0.09 * diagonal)
    }
  }
})
