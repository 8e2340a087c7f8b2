/** Kernels of gap networks answer what plain code answers, whatever the sizes, and touch nothing but their own memory. */
import { describe, expect, test } from 'vitest'
import { randomStream } from '../../../../src/math/random.js'
import { type AddressCheck, checkAddresses } from '../../../../src/math/wasm/address-check.js'
import { ScalarDenseNetwork } from '../../../../src/net/dense/scalar-dense-network.js'
import { denseOfGaps, type GapShape, gapTensors } from '../../../../src/net/gaps/gap-shape.js'
import { ScalarGapNetwork } from '../../../../src/net/gaps/scalar-gap-network.js'
import { createSimdGapNetwork } from '../../../../src/net/gaps/wasm/simd-gap-network.js'

const SHAPES: GapShape[] = [
  { codeSize: 1, gaps: 1, hidden: [], activation: 'silu' },
  { codeSize: 3, gaps: 5, hidden: [7], activation: 'relu' },
  { codeSize: 7, gaps: 16, hidden: [16, 8], activation: 'tanh' },
  { codeSize: 17, gaps: 33, hidden: [20, 33, 4], activation: 'silu' },
  { codeSize: 5, gaps: 64, hidden: [64, 64], activation: 'softplus' },
]

/** Gaps from a thousandth to thousands: the logarithm must hold over all of them. */
function randomTensors(shape: GapShape, seed: number): Map<string, Float32Array> {
  const random = randomStream(seed)
  return new Map(
    [...gapTensors(shape)].map(([name, [rows, columns = 1]]) => {
      const length = rows * columns
      const spread = name.startsWith('dense') ? 1 / Math.sqrt(rows) : 0.5
      const values = Float32Array.from({ length }, () => spread * random.normal())
      if (name === 'gap.softening') return [name, values.map((value) => 0.02 + 0.02 * Math.abs(value))]
      if (name !== 'gap.vector') return [name, values]
      const sizes = Array.from({ length: shape.gaps }, () => 10 ** random.between(-3, 3))
      return [name, values.map((value, i) => value * sizes[Math.floor((i % columns) / 3)])]
    }),
  )
}

async function compare(shape: GapShape, seed: number, counts: number[], check?: AddressCheck, threads = 1) {
  const tensors = randomTensors(shape, seed)
  const plain = new ScalarGapNetwork(shape, tensors, new ScalarDenseNetwork(denseOfGaps(shape), tensors))
  const simd = await createSimdGapNetwork(shape, tensors, { relaxed: false, threads, checkAddresses: check })
  const random = randomStream(seed + 1)
  for (const count of counts) {
    const codes = Float32Array.from({ length: count * shape.codeSize }, () => random.between(-1, 1))
    const [due, dueGradients] = [new Float64Array(count), new Float64Array(codes.length)]
    const [values, alone, gradients] = [
      new Float64Array(count),
      new Float64Array(count),
      new Float64Array(codes.length),
    ]
    plain.query(codes, count, due, dueGradients)
    simd.query(codes, count, values, gradients)
    simd.query(codes, count, alone)
    expect(alone).toEqual(values)
    const size = (all: Float64Array) => all.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const off = (a: Float64Array, b: Float64Array) => size(a.map((value, i) => value - b[i])) / size(b)
    expect(off(values, due), `values of ${count}`).toBeLessThan(2e-5)
    expect(off(gradients, dueGradients), `gradients of ${count}`).toBeLessThan(2e-4)
  }
  simd.dispose()
}

describe.each(SHAPES.map((shape, i) => [JSON.stringify(shape), shape, 40 + i] as const))('%s', (_, shape, seed) => {
  test(`as plain code does, seed ${seed}`, () => compare(shape, seed, [1, 2, 31, 33, 64, 1030]))
  test(`within its memory, seed ${seed}`, () => compare(shape, seed, [1, 3, 33], checkAddresses))
})

test('shared by threads, seed 50', () => compare(SHAPES[4], 50, [1024], undefined, 2))

test('its logarithm is right to the last digits of single precision', async () => {
  const shape: GapShape = { codeSize: 1, gaps: 1, hidden: [], activation: 'silu' }
  const tensors = new Map([
    // The vector is the code along x, and the gap alone is answered.
    ['gap.vector', Float32Array.of(1, 0, 0, 0, 0, 0)],
    ['gap.softening', Float32Array.of(0)],
    ['gap.scale', Float32Array.of(1)],
    ['gap.shift', Float32Array.of(0)],
    ['dense.0.weight', Float32Array.of(0, 1)],
    ['dense.0.bias', Float32Array.of(0)],
  ])
  const network = await createSimdGapNetwork(shape, tensors, { relaxed: false, threads: 1 })
  const codes = Float32Array.from({ length: 3000 }, (_, i) => 10 ** (i / 500 - 3))
  const values = new Float64Array(3000)
  network.query(codes, 3000, values)
  values.forEach((value, i) => {
    const due = Math.log(Math.fround(codes[i] * codes[i]))
    expect(Math.abs(value - due), `log ${codes[i] ** 2}`).toBeLessThan(1e-7 + 1.5e-7 * Math.abs(due))
  })
})
