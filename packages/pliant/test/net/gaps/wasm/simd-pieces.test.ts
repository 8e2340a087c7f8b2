/** Kernels of frames that follow pieces answer what plain code answers, there and back, and touch nothing but their own memory. */
import { describe, expect, test } from 'vitest'
import { randomStream } from '../../../../src/math/random.js'
import { type AddressCheck, checkAddresses } from '../../../../src/math/wasm/address-check.js'
import { FRAME_SIZE, PIECE_SIZE, type PieceShape, pieceTensors } from '../../../../src/net/gaps/piece-shape.js'
import { ScalarPieces } from '../../../../src/net/gaps/scalar-pieces.js'
import { createSimdPieces } from '../../../../src/net/gaps/wasm/simd-pieces.js'
import { TILE } from '../../../../src/net/wasm/records.js'

const SHAPES: PieceShape[] = [
  { codeSize: 1, pieces: 1, frames: 1 },
  { codeSize: 5, pieces: 7, frames: 3 },
  { codeSize: 60, pieces: 64, frames: 32 },
]

/** Turns of up to several times around, none at all in the first row. */
async function compare(shape: PieceShape, seed: number, check?: AddressCheck) {
  const { codeSize, pieces, frames } = shape
  const random = randomStream(seed)
  const tensors = new Map(
    [...pieceTensors(shape)].map(([name, dims]) => {
      const size = dims.reduce((product, n) => product * n, 1)
      const spread = name === 'pieces.weight' ? 2 / Math.sqrt(dims[0]) : 1 / Math.sqrt(size / (dims[1] ?? size))
      return [name, Float32Array.from({ length: size }, () => spread * random.normal())]
    }),
  )
  // Without a turn in the middle of the box.
  const bias = tensors.get('pieces.bias')!
  for (let piece = 0; piece < pieces; piece++) bias.fill(0, PIECE_SIZE * piece, PIECE_SIZE * piece + 3)
  const plain = new ScalarPieces(shape, tensors)
  const simd = await createSimdPieces(shape, tensors, { relaxed: false, threads: 1, checkAddresses: check })
  const width = FRAME_SIZE * frames
  for (const rows of [1, 2, 5, TILE]) {
    const codes = Float64Array.from({ length: rows * codeSize }, (_, i) => (i < codeSize ? 0 : random.normal()))
    // The gradient by every other frame is nothing, which is skipped; the last row is by none, the first by a single number.
    const by = Float64Array.from({ length: rows * width }, (_, i) => {
      const [row, frame] = [Math.trunc(i / width), Math.trunc((i % width) / FRAME_SIZE)]
      if (row === 0) return i === FRAME_SIZE - 1 ? 1 : 0
      return row === rows - 1 || (row + frame) % 2 === 1 ? 0 : random.normal()
    })
    const [found, due] = [new Float64Array(rows * width), new Float64Array(rows * width)]
    const [back, backDue] = [new Float64Array(2 + rows * codeSize), new Float64Array(2 + rows * codeSize)]
    for (const [by_, out, gradients] of [
      [simd, found, back],
      [plain, due, backDue],
    ] as const) {
      by_.write(codes, 0, rows, out)
      by_.pullBack(by, rows, gradients, 2)
    }
    requireClose(found, due, `frames of ${rows}`)
    requireClose(back, backDue, `gradients of ${rows}`)
  }
}

function requireClose(found: Float64Array, due: Float64Array, what: string): void {
  const most = due.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
  due.forEach((value, i) => {
    expect(Math.abs(found[i] - value), `${what}, ${i}`).toBeLessThan(5e-6 * most)
  })
}

describe.each(SHAPES.map((shape, i) => [JSON.stringify(shape), shape, 70 + i] as const))('%s', (_, shape, seed) => {
  test(`as plain code does, seed ${seed}`, () => compare(shape, seed))
  test(`within its memory, seed ${seed}`, () => compare(shape, seed, checkAddresses))
})
