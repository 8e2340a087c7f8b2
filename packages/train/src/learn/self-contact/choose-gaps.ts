/**
 * Which gaps a network of a body that bends by linear modes sees (choose-places.ts): the vectors between their points are
 * linear in the code.
 */
import type { LinearShape } from 'pliant/unstable/exact'
import { type Contacts, choosePlaces, type Place } from './choose-places.js'
import { SCALED_ON, scalesOfGaps } from './gap-scales.js'

/** @returns tensors `gap.*` of as many gaps as asked for, or fewer if there are fewer contacts */
export function chooseGaps(
  shape: LinearShape,
  contacts: Contacts,
  count: number,
  codes: Float32Array,
): { gaps: number; tensors: Map<string, Float32Array> } {
  const pairs = choosePlaces(shape, contacts, count)
  return { gaps: pairs.length, tensors: tensorsOf(shape, pairs, codes) }
}

function tensorsOf(
  { rest, modes, bounds }: LinearShape,
  pairs: readonly (readonly [Place, Place])[],
  codes: Float32Array,
): Map<string, Float32Array> {
  const codeSize = bounds.lower.length
  const width = 3 * pairs.length
  const vector = new Float32Array((codeSize + 1) * width)
  pairs.forEach(([a, b], gap) => {
    for (const [place, sign] of [
      [a, 1],
      [b, -1],
    ] as const) {
      for (const [vertex, weight] of place) {
        for (let axis = 0; axis < 3; axis++) {
          const o = 3 * gap + axis
          vector[codeSize * width + o] += sign * weight * rest[3 * vertex + axis]
          for (let k = 0; k < codeSize; k++) {
            vector[k * width + o] += sign * weight * modes[k * rest.length + 3 * vertex + axis]
          }
        }
      }
    }
  })
  return new Map([['gap.vector', vector], ...scalesOfGaps(pairs.length, squaresAt(vector, width, codeSize, codes))])
}

/** Squared length of every gap, at each of some codes. */
function squaresAt(vector: Float32Array, width: number, codeSize: number, codes: Float32Array): Float64Array[] {
  return Array.from({ length: Math.min(SCALED_ON, codes.length / codeSize) }, (_, i) =>
    Float64Array.from({ length: width / 3 }, (_, gap) => {
      let squared = 0
      for (let o = 3 * gap; o < 3 * gap + 3; o++) {
        let value = vector[codeSize * width + o]
        for (let k = 0; k < codeSize; k++) value += codes[i * codeSize + k] * vector[k * width + o]
        squared += value * value
      }
      return squared
    }),
  )
}
