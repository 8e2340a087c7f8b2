import { describe, expect, test } from 'vitest'
import { SelfContactField } from '../../../src/learned/self-contact.js'
import { randomStream } from '../../../src/math/random.js'
import { GapNetwork } from '../../../src/net/gaps/gap-network.js'
import { type GapShape, gapMultiplications, gapTensors } from '../../../src/net/gaps/gap-shape.js'
import { conformConfiguration } from '../../field/configuration-conformance.js'

const SHAPE: GapShape = { codeSize: 4, gaps: 6, hidden: [16, 8], activation: 'silu' }

function randomTensors(shape: GapShape, seed: number): Map<string, Float32Array> {
  const random = randomStream(seed)
  return new Map(
    [...gapTensors(shape)].map(([name, dims]) => {
      const size = dims.reduce((product, dim) => product * dim, 1)
      const spread = name.endsWith('softening') ? 0 : 0.5
      return [name, Float32Array.from({ length: size }, () => 0.3 + spread * random.normal())]
    }),
  )
}

/** The formula of gap-shape.ts with the dense layers written out, in double precision. */
function plain(shape: GapShape, tensors: Map<string, Float32Array>, code: number[]): number {
  const of = (name: string): Float32Array => tensors.get(name)!
  const inputs = [...code]
  for (let k = 0; k < shape.gaps; k++) {
    const v = [0, 1, 2].map((axis) =>
      [...code, 1].reduce((sum, q, row) => sum + q * of('gap.vector')[row * 3 * shape.gaps + 3 * k + axis], 0),
    )
    const square = v.reduce((sum, x) => sum + x * x, 0) + of('gap.softening')[k] ** 2
    inputs.push(of('gap.scale')[k] * Math.log(square) + of('gap.shift')[k])
  }
  let row = inputs
  const widths = [...shape.hidden, 1]
  widths.forEach((width, l) => {
    const sums = Array.from({ length: width }, (_, j) =>
      row.reduce((sum, x, i) => sum + x * of(`dense.${l}.weight`)[i * width + j], of(`dense.${l}.bias`)[j]),
    )
    row = l < shape.hidden.length ? sums.map((x) => x / (1 + Math.exp(-x))) : sums
  })
  return row[0]
}

describe.each(['scalar', 'simd'] as const)('a gap network by %s', (backend) => {
  test('answers the formula, seed 5', async () => {
    const tensors = randomTensors(SHAPE, 5)
    const network = await GapNetwork.create(SHAPE, tensors, { backend })
    const random = randomStream(6)
    const codes = Float64Array.from({ length: 4 * 300 }, () => random.between(-1, 1))
    const values = new Float64Array(300)
    network.query(codes, 300, values)
    for (let i = 0; i < 300; i++) {
      expect(values[i]).toBeCloseTo(plain(SHAPE, tensors, [...codes.subarray(4 * i, 4 * i + 4)]), 4)
    }
  })
})

test('a tensor that is missing or too short is refused by name', async () => {
  const tensors = randomTensors(SHAPE, 5)
  tensors.delete('gap.scale')
  await expect(GapNetwork.create(SHAPE, tensors)).rejects.toThrow(/gap.scale/)
})

test('multiplications are those of gaps and dense layers', () => {
  expect(gapMultiplications({ codeSize: 7, gaps: 0, hidden: [70, 70], activation: 'relu' })).toBe(70 * 7 + 70 * 70 + 70)
  expect(gapMultiplications(SHAPE)).toBe(6 * 17 + 10 * 16 + 16 * 8 + 8)
})

/** That random network, raised so that the code zero is on its boundary. */
function centred(): Map<string, Float32Array> {
  const tensors = randomTensors(SHAPE, 5)
  tensors.get('dense.2.bias')![0] -= plain(SHAPE, tensors, [0, 0, 0, 0])
  return tensors
}

const random = randomStream(9)
const drawn = Array.from({ length: 60 }, () => Array.from({ length: 4 }, () => random.between(-1, 1)))
const signed = (sign: number) => drawn.filter((code) => sign * plain(SHAPE, centred(), code) > 0.01)

for (const backend of ['scalar', 'simd'] as const) {
  conformConfiguration({
    name: `a learned field over codes by ${backend}`,
    make: async () => {
      // Wider than the codes that are drawn: at its edge the field has a kink.
      const bounds = { lower: new Float64Array(4).fill(-2), upper: new Float64Array(4).fill(2) }
      return new SelfContactField(await GapNetwork.create(SHAPE, centred(), { backend }), bounds)
    },
    free: signed(1),
    touching: signed(-1),
    gradientTolerance: 5e-3,
    step: 3e-3,
  })
}

test('both signs were asked for', () => {
  expect(signed(1).length).toBeGreaterThan(5)
  expect(signed(-1).length).toBeGreaterThan(5)
})

test('outside the box a field answers as at the nearest code of the box', async () => {
  const bounds = { lower: new Float64Array(4).fill(-0.5), upper: new Float64Array(4).fill(0.5) }
  const field = new SelfContactField(await GapNetwork.create(SHAPE, centred()), bounds)
  const out = new Float64Array(2)
  field.query(Float64Array.of(3, 0.1, -0.2, -9, 0.5, 0.1, -0.2, -0.5), 2, out)
  expect(out[0]).toBe(out[1])
})
