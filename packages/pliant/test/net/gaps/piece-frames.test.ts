/** Frames that follow pieces of a surface: by the formula written out, gradients by differences, one code or many. */
import { expect, test } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { PieceFrames } from '../../../src/net/gaps/piece-frames.js'
import { type PieceShape, pieceMultiplications, pieceTensors } from '../../../src/net/gaps/piece-shape.js'

const shape: PieceShape = { codeSize: 3, pieces: 2, frames: 2 }
const random = randomStream(51)
const tensors = new Map(
  [...pieceTensors(shape)].map(([name, dims]) => {
    const size = dims.reduce((product, n) => product * n, 1)
    return [name, Float32Array.from({ length: size }, () => 0.6 * random.normal())]
  }),
)
const framesOf = () => PieceFrames.create(shape, tensors, { backend: 'scalar' })

type Matrix = number[][]
const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)))

/** exp of the cross product's matrix by its series. */
function exponential([x, y, z]: number[]): Matrix {
  const k = [
    [0, -z, y],
    [z, 0, -x],
    [-y, x, 0],
  ]
  let term: Matrix = [0, 1, 2].map((i) => [0, 1, 2].map((j) => (i === j ? 1 : 0)))
  let sum = term.map((row) => [...row])
  for (let n = 1; n < 30; n++) {
    term = product(term, k).map((row) => row.map((value) => value / n))
    sum = sum.map((row, i) => row.map((value, j) => value + term[i][j]))
  }
  return sum
}

test('are linear in turned and stretched pieces, which are linear in the code before they turn', async () => {
  const frames = await framesOf()
  const code = [0.3, -0.8, 0.5]
  const affine = (name: string, values: number[]): number[] => {
    const [weight, bias] = [tensors.get(`${name}.weight`)!, tensors.get(`${name}.bias`)!]
    return Array.from(bias, (start, i) =>
      values.reduce((sum, value, k) => sum + value * weight[k * bias.length + i], start),
    )
  }
  const told = affine('pieces', code)
  const turned = [0, 9].flatMap((at) => {
    const [vector, [xx, xy, xz, yy, yz, zz]] = [told.slice(at, at + 3), told.slice(at + 3, at + 9)]
    const stretch = [
      [xx, xy, xz],
      [xy, yy, yz],
      [xz, yz, zz],
    ]
    return product(exponential(vector), stretch).flat()
  })
  const due = affine('frames', turned)
  frames.moveTo(code)
  for (let frame = 0; frame < 2; frame++) {
    for (let column = 0; column < 4; column++) {
      const found = frames.spaces.subarray(16 * frame + 4 * column, 16 * frame + 4 * column + 4)
      for (let row = 0; row < 3; row++) expect(found[row]).toBeCloseTo(due[12 * frame + 4 * row + column], 5)
      expect(found[3]).toBe(column === 3 ? 1 : 0)
    }
  }
})

test('the gradient by the code is that of central differences (seed 51)', async () => {
  const frames = await framesOf()
  const by = Float64Array.from({ length: 32 }, () => random.normal())
  for (let round = 0; round < 5; round++) {
    // About no turn, too, where series stand in.
    const code = Float64Array.from({ length: 3 }, () => (round === 0 ? 0 : random.between(-1, 1)))
    const valueAt = (k: number, step: number): number => {
      frames.moveTo(code.with(k, code[k] + step))
      return frames.spaces.reduce((sum, value, i) => sum + by[i] * value, 0)
    }
    const due = [0, 1, 2].map((k) => (valueAt(k, 1e-2) - valueAt(k, -1e-2)) / 2e-2)
    const gradient = new Float64Array(3)
    frames.moveTo(code)
    // What is asked of the code that was moved to, whatever becomes of the caller's array.
    code.fill(9)
    frames.pullBack(by.slice(), gradient)
    for (let k = 0; k < 3; k++) expect(Math.abs(gradient[k] - due[k])).toBeLessThan(2e-3 * (1 + Math.abs(due[k])))
  }
})

test('many codes are moved through as each by itself, with gradients in the same pass (seed 51)', async () => {
  const [frames, alone] = [await framesOf(), await framesOf()]
  const count = 70
  const codes = Float64Array.from({ length: 3 * count }, () => random.between(-1, 1))
  const by = Float64Array.from({ length: 32 }, () => random.normal())
  const seen: number[] = []
  const [found, due] = [new Float64Array(3 * count), new Float64Array(3)]
  const visit = (row: number, bySpaces?: Float64Array): void => {
    seen.push(row)
    alone.moveTo(codes.subarray(3 * row, 3 * row + 3))
    expect(frames.spaces).toEqual(alone.spaces)
    // Of some frames alone, so that what one code leaves behind would show at the next.
    for (let i = 16 * (row % 2); i < 32; i++) if (bySpaces) bySpaces[i] += (1 + row) * by[i]
  }
  frames.moveThrough(codes, count, visit, found)
  for (let row = 0; row < count; row++) {
    alone.moveTo(codes.subarray(3 * row, 3 * row + 3))
    alone.pullBack(
      by.map((value, i) => (i < 16 * (row % 2) ? 0 : (1 + row) * value)),
      due,
    )
    expect(found.subarray(3 * row, 3 * row + 3)).toEqual(due)
  }
  frames.moveThrough(codes, count, (row, bySpaces) => {
    seen.push(row)
    expect(bySpaces).toBeUndefined()
  })
  expect(seen).toEqual([...Array(count).keys(), ...Array(count).keys()])
})

test('a tensor that is missing is refused by its name, and multiplications are counted', async () => {
  const lacking = new Map([...tensors].filter(([name]) => name !== 'frames.bias'))
  await expect(PieceFrames.create(shape, lacking, { backend: 'scalar' })).rejects.toThrow(/frames\.bias/)
  expect(pieceMultiplications(shape)).toBe(3 * 18 + 18 * 24)
})
