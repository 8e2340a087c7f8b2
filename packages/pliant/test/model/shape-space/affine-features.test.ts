/** Decoders of one layer in one pass: the same last digits as by their layers, of the whole and of domains. */
import { expect, test } from 'vitest'
import { exactShapeSpace, type StoredNetwork } from '../../../src/learned/create-shape-space.js'
import { randomStream } from '../../../src/math/random.js'
import { ShapeSpace } from '../../../src/model/shape-space/shape-space.js'
import type { DenseShape } from '../../../src/net/dense/dense-shape.js'
import { exampleSpace, randomDense } from '../../artifact/shape-contact-example.js'

const random = randomStream(31)
const data = exampleSpace()
/** Codes of one to seven numbers, which layers add four at a time; the last part has a hidden layer. */
const sizes = [7, 3, 1]
const parts = data.parts.map((part, i) => {
  const network = (inputs: number, outputs: number): StoredNetwork => {
    const shape: DenseShape = { inputs, outputs, hidden: i === 2 ? [4] : [], activation: 'tanh', output: 'linear' }
    return { shape, tensors: randomDense(shape, random, 0.1) }
  }
  const numbers = 9 * part.vertices.length
  return { ...part, codeSize: sizes[i], encoder: network(numbers, sizes[i]), decoder: network(sizes[i], numbers) }
})
const bounds = { lower: new Float64Array(11).fill(-1), upper: new Float64Array(11).fill(1) }
const space = exactShapeSpace({ ...data, bounds, parts })
const byLayers = new ShapeSpace(
  { ...data, bounds },
  space.parts.map((part) => ({ ...part, affine: undefined })),
)

test('features and codes have the same last digits as by layers (seed 31)', () => {
  expect(space.parts.map(({ affine }) => affine !== undefined)).toEqual([true, true, false])
  const [found, due] = [0, 1].map(() => new Float64Array(9 * space.vertexCount))
  const [code, other] = [0, 1].map(() => new Float64Array(11))
  for (let trial = 0; trial < 20; trial++) {
    const asked = Float64Array.from({ length: 11 }, () => random.between(-1, 1))
    space.features(asked, found)
    byLayers.features(asked, due)
    expect(found).toEqual(due)
    space.encodeFeatures(due, code)
    byLayers.encodeFeatures(due, other)
    expect(code).toEqual(other)
  }
})
