import { expect, test } from 'vitest'
import { createShapeSpace, type ShapeSpaceData } from '../../../src/learned/create-shape-space.js'
import type { Floats } from '../../../src/math/floats.js'
import { randomStream } from '../../../src/math/random.js'
import { AcapFeatures } from '../../../src/model/acap/acap-features.js'
import { AcapInverse } from '../../../src/model/acap/acap-inverse.js'
import { movedPoints } from '../../../src/model/moved-points.js'
import type { MovedPoints } from '../../../src/model/reduced-model.js'
import type { RowNetwork, ShapePart } from '../../../src/model/shape-space/shape-part.js'
import { ShapeSpace } from '../../../src/model/shape-space/shape-space.js'
import { bar, bend, carried, mapped, rmsDistance } from '../acap/shapes.js'

const mesh = bar(8, 1)
const vertexCount = mesh.positions.length / 3
const size = 9 * vertexCount
const random = randomStream(11)
const values = (n: number, by: number): Float64Array => Float64Array.from({ length: n }, () => by * random.normal())
const identity = Float32Array.from({ length: size }, (_, i) => [0, 0, 0, 1, 0, 0, 1, 0, 1][i % 9])

/** y = tanh(x A) B, in double precision. */
class TwoLayers implements RowNetwork {
  readonly #first: Float64Array
  readonly #second: Float64Array

  constructor(
    private readonly inputs: number,
    private readonly hidden: number,
    private readonly outputs: number,
  ) {
    this.#first = values(inputs * hidden, 1)
    this.#second = values(hidden * outputs, 0.1)
  }

  evaluate(x: Floats, _count: number, out: Floats): void {
    const h = this.#units(x)
    for (let j = 0; j < this.outputs; j++) {
      out[j] = h.reduce((sum, value, u) => sum + value * this.#second[u * this.outputs + j], 0)
    }
  }

  pullBack(x: Floats, _count: number, cotangents: Floats | null, out: Floats, gradients: Floats): void {
    this.evaluate(x, 1, out)
    const byUnit = this.#units(x).map((value, u) => {
      let sum = 0
      for (let j = 0; j < this.outputs; j++) sum += cotangents![j] * this.#second[u * this.outputs + j]
      return sum * (1 - value * value)
    })
    for (let i = 0; i < this.inputs; i++) {
      gradients[i] = byUnit.reduce((sum, value, u) => sum + value * this.#first[i * this.hidden + u], 0)
    }
  }

  #units(x: Floats): Float64Array {
    return Float64Array.from({ length: this.hidden }, (_, u) => {
      let sum = 0
      for (let i = 0; i < this.inputs; i++) sum += x[i] * this.#first[i * this.hidden + u]
      return Math.tanh(sum)
    })
  }
}

/** Every third vertex belongs to both. */
function domain(codeSize: number, own: number): ShapePart {
  const vertices = Uint32Array.from({ length: vertexCount }, (_, v) => v).filter((v) => v % 3 === own || v % 3 === 2)
  const attention = Float32Array.from(vertices, (v) => (v % 3 === own ? 1 : [0.6, 0.8][own]))
  const numbers = 9 * vertices.length
  return {
    codeSize,
    vertices,
    attention,
    encoder: new TwoLayers(numbers, 4, codeSize),
    decoder: new TwoLayers(codeSize, 4, numbers),
  }
}

const whole: ShapePart = {
  codeSize: 2,
  vertices: Uint32Array.from({ length: vertexCount }, (_, v) => v),
  attention: new Float32Array(vertexCount).fill(1),
  encoder: new TwoLayers(size, 4, 2),
  decoder: new TwoLayers(2, 4, size),
}
const bounds = { lower: new Float64Array(7).fill(-1), upper: new Float64Array(7).fill(1) }
const frame = { reference: mesh, fitWeight: 100, mean: identity, scale: 0.7, bounds }
const space = new ShapeSpace(frame, [whole, domain(3, 0), domain(2, 1)])

function checkGradient(points: MovedPoints): void {
  const code = values(points.codeSize, 0.5)
  const cotangents = values(3 * points.pointCount, 1)
  const gradient = new Float64Array(points.codeSize)
  points.pullBack(code, cotangents, gradient)
  const out = new Float64Array(3 * points.pointCount)
  const scalar = (entry: number, by: number): number => {
    points.positions(
      code.map((value, k) => (k === entry ? value + by : value)),
      out,
    )
    return out.reduce((sum, value, i) => sum + value * cotangents[i], 0)
  }
  gradient.forEach((value, entry) => {
    const due = (scalar(entry, 1e-5) - scalar(entry, -1e-5)) / 2e-5
    expect(Math.abs(value), `entry ${entry}`).toBeGreaterThan(1e-6)
    expect(Math.abs(value - due) / Math.hypot(...gradient), `entry ${entry}`).toBeLessThan(1e-7)
  })
}

test('the gradient by the code is that of central differences, of all vertices and of some, one of them twice (seed 11)', () => {
  checkGradient(movedPoints(space))
  checkGradient(movedPoints(space, [7, 2, 2]))
})

test('features are the mean and the sum of what parts give, weighed by their attention', () => {
  const code = values(7, 0.5)
  const found = new Float64Array(size)
  space.features(code, found)
  const due = Float64Array.from(identity)
  space.parts.forEach(({ vertices, attention, decoder, codeSize }, p) => {
    const numbers = new Float64Array(9 * vertices.length)
    decoder.evaluate(code.subarray([0, 2, 5][p], [0, 2, 5][p] + codeSize), 1, numbers)
    numbers.forEach((value, i) => {
      const v = Math.trunc(i / 9)
      due[9 * vertices[v] + (i % 9)] += 0.7 * attention[v] * value
    })
  })
  expect(Math.max(...found.map((value, i) => Math.abs(value - due[i])))).toBeLessThan(1e-12)
  const positions = new Float64Array(3 * vertexCount)
  const restored = new Float64Array(3 * vertexCount)
  space.positions(code, positions)
  new AcapInverse(mesh, { fitWeight: 100 }).positions(due, restored)
  expect(rmsDistance(positions, restored)).toBeLessThan(1e-12)
})

test('the code of a shape of the space is found, by steps, where encoders know nothing (seed 11)', () => {
  const code = values(7, 0.2)
  const [given, found] = [new Float64Array(size), new Float64Array(7)]
  space.features(code, given)
  space.encodeFeatures(given, found, 0)
  const before = Math.hypot(...found.map((value, k) => value - code[k]))
  space.encodeFeatures(given, found, 6)
  const after = Math.hypot(...found.map((value, k) => value - code[k]))
  expect(before).toBeGreaterThan(0.1)
  expect(after).toBeLessThan(1e-6)
})

test('the domain of a vertex is the one that attends to it most', () => {
  expect([...space.domains.subarray(0, 6)]).toEqual([0, 1, 1, 0, 1, 1])
})

/** One component, how a bar bends, and a domain for what it leaves at the first vertex. */
const shape = mapped(mesh.positions, bend(1.5))
const features = new Float64Array(size)
new AcapFeatures(mesh).encode(shape, features)
const component = features.map((value, i) => value - identity[i])
const square = component.reduce((sum, value) => sum + value * value, 0)
const linear = (inputs: number, outputs: number, weight: ArrayLike<number>) => ({
  shape: { inputs, outputs, hidden: [], activation: 'tanh', output: 'linear' } as const,
  tensors: new Map([
    ['dense.0.weight', Float32Array.from(weight)],
    ['dense.0.bias', new Float32Array(outputs)],
  ]),
})
const bending = {
  ...frame,
  scale: 1,
  bounds: { lower: new Float64Array(2), upper: new Float64Array(2).fill(1) },
  parts: [
    {
      ...whole,
      codeSize: 1,
      encoder: linear(
        size,
        1,
        component.map((value) => value / square),
      ),
      decoder: linear(1, size, component),
    },
    {
      codeSize: 1,
      vertices: Uint32Array.of(0),
      attention: Float32Array.of(1),
      encoder: linear(9, 1, [1, 0, 0, 0, 0, 0, 0, 0, 0]),
      decoder: linear(1, 9, [1, 0, 0, 0, 0, 0, 0, 0, 0]),
    },
  ],
} as unknown as ShapeSpaceData

test('a shape comes back from its code wherever it was; domains see what the whole leaves', async () => {
  const bent = await createShapeSpace(bending)
  const turn = Float64Array.of(0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 3, -2, 1, 1)
  const [code, found, out] = [new Float64Array(2), new Float64Array(16), new Float64Array(3 * vertexCount)]
  bent.encode(carried(turn, shape), code, found)
  expect(code[0]).toBeCloseTo(1, 5)
  expect(code[1]).toBeCloseTo(0, 5)
  bent.positions(code, out)
  expect(rmsDistance(carried(found, out), carried(turn, shape))).toBeLessThan(2e-3)
  const odd = features.slice()
  odd[0] += 0.3
  bent.encodeFeatures(odd, code, 0)
  const share = (0.3 * component[0]) / square
  expect(code[0]).toBeCloseTo(1 + share, 5)
  expect(code[1]).toBeCloseTo(0.3 - share * component[0], 5)
  // Both together can make these features, and a step finds out, but for its damping.
  bent.encodeFeatures(odd, code)
  expect(code[0]).toBeCloseTo(1, 4)
  expect(code[1]).toBeCloseTo(0.3, 4)
})

test('what does not fit is named', async () => {
  expect(() => space.positions([0], new Float64Array(3 * vertexCount))).toThrow(
    'shape space: Array of 1 for 7 code values; pass one number each.',
  )
  const [first, second] = bending.parts
  const broken = { ...bending, parts: [first, { ...second, vertices: Uint32Array.of(0, 1) }] }
  await expect(createShapeSpace(broken)).rejects.toThrow(
    'shape space: part 1 has 2 vertices, its networks take 9 numbers and give 9; nine for each vertex are needed.',
  )
})
