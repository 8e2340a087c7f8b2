/**
 * Which gaps a network of a body that bends by linear modes sees (choose-places.ts): the vectors between their points are
 * linear in the code.
 */
import { denseOfGaps, type GapShape } from 'pliant/unstable'
import type { LinearShape } from 'pliant/unstable/exact'
import { initialDenseTensors } from '../initial.js'
import { type Contacts, choosePlaces, type Place } from './choose-places.js'

/** Softening of a gap, as a share of its own median length. */
const SOFTENING = 0.1

/** Codes that gaps are scaled on. */
const SCALED_ON = 2000

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

/** First values of a network with these gaps. */
export function initialContactTensors(
  shape: GapShape,
  gaps: ReadonlyMap<string, Float32Array>,
  seed: number,
): Map<string, Float32Array> {
  return new Map([...gaps, ...initialDenseTensors(denseOfGaps(shape), seed)])
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
  const columns = ['softening', 'scale', 'shift'].map(
    (name) => [`gap.${name}`, new Float32Array(pairs.length)] as const,
  )
  for (let gap = 0; gap < pairs.length; gap++) {
    const squares = squaresOf(vector, width, gap, codeSize, codes)
    const softening = SOFTENING * Math.sqrt(squares.slice().sort()[squares.length >> 1])
    const logs = squares.map((square) => Math.log(square + softening ** 2))
    const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
    const spread = Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / logs.length) || 1
    for (const [i, value] of [softening, 1 / spread, -mean / spread].entries()) columns[i][1][gap] = value
  }
  return new Map([['gap.vector', vector], ...columns])
}

/** Squared lengths of a gap at some codes. */
function squaresOf(
  vector: Float32Array,
  width: number,
  gap: number,
  codeSize: number,
  codes: Float32Array,
): Float64Array {
  return Float64Array.from({ length: Math.min(SCALED_ON, codes.length / codeSize) }, (_, i) => {
    let squared = 0
    for (let o = 3 * gap; o < 3 * gap + 3; o++) {
      let value = vector[codeSize * width + o]
      for (let k = 0; k < codeSize; k++) value += codes[i * codeSize + k] * vector[k * width + o]
      squared += value * value
    }
    return squared
  })
}
