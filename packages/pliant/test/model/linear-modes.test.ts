import { expect, it } from 'vitest'
import { randomStream } from '../../src/math/random.js'
import { LinearModes } from '../../src/model/linear-modes.js'

const random = randomStream(3)
const values = (n: number): Float64Array => Float64Array.from({ length: n }, () => random.normal())
const model = new LinearModes({
  rest: values(30),
  modes: values(90),
  triangles: Uint32Array.of(0, 1, 2),
  bounds: { lower: new Float64Array(3).fill(-1), upper: new Float64Array(3).fill(1) },
})

it('adds modes to the rest shape, weighted by the code', () => {
  const out = new Float64Array(30)
  model.positions([0.5, -1, 2], out)
  for (let i = 0; i < 30; i++) {
    expect(out[i]).toBeCloseTo(model.rest[i] + 0.5 * model.modes[i] - model.modes[30 + i] + 2 * model.modes[60 + i], 12)
  }
})

it('encodes a shape of the model back to its code (seed 3)', () => {
  const positions = new Float64Array(30)
  const code = new Float64Array(3)
  model.positions([0.3, -0.7, 1.1], positions)
  model.encode(positions, code)
  expect([...code].map((c) => c.toFixed(9))).toEqual(['0.300000000', '-0.700000000', '1.100000000'])
})

it('encodes any shape to the nearest code: the remainder is orthogonal to every mode', () => {
  const target = values(30)
  const code = new Float64Array(3)
  model.encode(target, code)
  const fitted = new Float64Array(30)
  model.positions(code, fitted)
  for (let k = 0; k < 3; k++) {
    let dot = 0
    for (let i = 0; i < 30; i++) dot += model.modes[30 * k + i] * (target[i] - fitted[i])
    expect(Math.abs(dot)).toBeLessThan(1e-9)
  }
})

it('names modes that depend on each other', () => {
  const doubled = new LinearModes({
    ...model,
    modes: Float64Array.of(...model.modes.subarray(0, 30), ...model.modes.subarray(0, 30), ...model.modes.subarray(60)),
  })
  expect(() => doubled.encode(values(30), new Float64Array(3))).toThrow('mode 1 depends')
})

it('refuses triangles that name a missing vertex, and modes of another length', () => {
  expect(() => new LinearModes({ ...model, triangles: Uint32Array.of(0, 1, 10) })).toThrow('vertex 10 of 10')
  expect(() => new LinearModes({ ...model, modes: new Float64Array(60) })).toThrow('60 mode values')
})
