/**
 * Moves a code towards the one whose features are nearest to given ones, by Gauss-Newton: encoders of domains know nothing
 * of each other where they overlap. One step takes the mean error of unseen shapes from 0.344 to 0.282% of the size of a
 * body, from 0.090 to 0.082 of a hand; further ones give nothing (docs/notes/shape-space.md).
 */
import { invertPositive } from '../../math/dense-inverse.js'
import type { Floats } from '../../math/floats.js'
import { ACAP_CHANNELS } from '../acap/channels.js'
import type { ShapePart } from './shape-part.js'

/** Of differences of the code, whose entries have a spread of about one; networks are in single precision. */
const DIFFERENCE = 0.02
/** Added to the diagonal, of its mean: entries that hardly move anything stay where they are. */
const DAMPING = 1e-4

/**
 * @param left  numbers of the whole that the code does not explain, nine per vertex
 * @param code  changed in place
 * @returns false if the parts cannot tell codes apart, and the code stays as it is
 */
export function stepToNearest(
  parts: readonly ShapePart[],
  codeStarts: Uint32Array,
  left: Float64Array,
  code: Floats,
): boolean {
  const size = parts.reduce((sum, { codeSize }) => sum + codeSize, 0)
  const columns = parts.map((part, i) => columnsOf(part, code.subarray(codeStarts[i], codeStarts[i] + part.codeSize)))
  const gram = new Float64Array(size * size)
  const sides = new Float64Array(size)
  const whole = new Float64Array(left.length)
  parts.forEach((part, j) => {
    columns[j].forEach((column, l) => {
      const at = codeStarts[j] + l
      sides[at] = productWith(part, column, left)
      spread(part, column, whole)
      // The lower triangle alone is read; later parts are smaller than the first, and what they do not see costs nothing.
      for (let i = j; i < parts.length; i++) {
        columns[i].forEach((other, k) => {
          gram[(codeStarts[i] + k) * size + at] = productWith(parts[i], other, whole)
        })
      }
      clear(part, whole)
    })
  })
  let trace = 0
  for (let k = 0; k < size; k++) trace += gram[k * size + k]
  for (let k = 0; k < size; k++) gram[k * size + k] += (DAMPING * trace) / size
  const inverse = new Float64Array(size * size)
  if (!invertPositive(gram, size, inverse)) return false
  for (let k = 0; k < size; k++) {
    let step = 0
    for (let l = 0; l < size; l++) step += inverse[k * size + l] * sides[l]
    code[k] += step
  }
  return true
}

/** What each entry of its code does to the numbers of a part's vertices, its attention included. */
function columnsOf({ codeSize, vertices, attention, decoder }: ShapePart, code: Floats): Float64Array[] {
  const moved = Float64Array.from(code)
  const ahead = new Float64Array(ACAP_CHANNELS * vertices.length)
  const behind = ahead.slice()
  return Array.from({ length: codeSize }, (_, k) => {
    moved[k] = code[k] + DIFFERENCE
    decoder.evaluate(moved, 1, ahead)
    moved[k] = code[k] - DIFFERENCE
    decoder.evaluate(moved, 1, behind)
    moved[k] = code[k]
    return ahead.map((value, i) => (attention[Math.trunc(i / ACAP_CHANNELS)] * (value - behind[i])) / (2 * DIFFERENCE))
  })
}

function productWith({ vertices }: ShapePart, column: Float64Array, whole: Float64Array): number {
  let sum = 0
  for (let v = 0, at = 0; v < vertices.length; v++) {
    const from = ACAP_CHANNELS * vertices[v]
    for (let channel = 0; channel < ACAP_CHANNELS; channel++) sum += column[at++] * whole[from + channel]
  }
  return sum
}

function spread({ vertices }: ShapePart, column: Float64Array, whole: Float64Array): void {
  for (let v = 0, at = 0; v < vertices.length; v++) {
    const to = ACAP_CHANNELS * vertices[v]
    for (let channel = 0; channel < ACAP_CHANNELS; channel++) whole[to + channel] = column[at++]
  }
}

function clear({ vertices }: ShapePart, whole: Float64Array): void {
  for (const vertex of vertices) whole.fill(0, ACAP_CHANNELS * vertex, ACAP_CHANNELS * (vertex + 1))
}
