import { expect, test } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { createDenseNetwork } from '../../../src/net/dense/dense-network.js'
import type { DenseShape } from '../../../src/net/dense/dense-shape.js'
import { FRAME_SIZE, LearnedFrames } from '../../../src/net/gaps/learned-frames.js'
import { randomDense } from '../../artifact/shape-contact-example.js'

const shape: DenseShape = { inputs: 3, outputs: 2 * FRAME_SIZE, hidden: [6], activation: 'silu', output: 'linear' }
const random = randomStream(51)
const network = await createDenseNetwork(shape, randomDense(shape, random), { backend: 'scalar' })

test('rows of four that the network tells become columns of four, with a last row of 0 0 0 1', () => {
  const frames = new LearnedFrames(network)
  const code = Float64Array.of(0.3, -0.8, 0.5)
  const told = new Float64Array(shape.outputs)
  network.evaluate(code, 1, told)
  frames.moveTo(code)
  for (let frame = 0; frame < 2; frame++) {
    for (let column = 0; column < 4; column++) {
      const found = [...frames.spaces.subarray(16 * frame + 4 * column, 16 * frame + 4 * column + 4)]
      const due = [0, 1, 2].map((row) => told[FRAME_SIZE * frame + 4 * row + column])
      expect(found).toEqual([...due, column === 3 ? 1 : 0])
    }
  }
})

test('the gradient by the code is that of central differences (seed 51)', () => {
  const frames = new LearnedFrames(network)
  const by = Float64Array.from({ length: 32 }, () => random.normal())
  for (let round = 0; round < 5; round++) {
    const code = Float64Array.from({ length: 3 }, () => random.between(-1, 1))
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

test('many codes are moved through as each by itself, with gradients on the way (seed 51)', () => {
  const [frames, alone] = [new LearnedFrames(network), new LearnedFrames(network)]
  const count = 130
  const codes = Float64Array.from({ length: 3 * count }, () => random.between(-1, 1))
  const by = Float64Array.from({ length: 32 }, () => random.normal())
  const seen: number[] = []
  const [found, due] = [new Float64Array(3), new Float64Array(3)]
  frames.moveThrough(codes, count, (row) => {
    seen.push(row)
    alone.moveTo(codes.subarray(3 * row, 3 * row + 3))
    expect(frames.spaces).toEqual(alone.spaces)
    frames.pullBack(by.slice(), found)
    alone.pullBack(by.slice(), due)
    expect(found).toEqual(due)
  })
  expect(seen).toEqual([...Array(count).keys()])
})
