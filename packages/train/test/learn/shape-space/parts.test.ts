import { randomStream } from 'pliant'
import { createDenseNetwork, type DenseShape } from 'pliant/unstable/dense'
import { expect, test } from 'vitest'
import { bar } from '../../../../pliant/test/model/acap/shapes.js'
import { allotCodes } from '../../../src/learn/shape-space/allot-codes.js'
import { domainAttention, seenBy, spreadBy } from '../../../src/learn/shape-space/attention.js'
import { centreDistances } from '../../../src/learn/shape-space/centre-distances.js'
import { domainData, domainOf, needsOf } from '../../../src/learn/shape-space/domain-data.js'
import { linearStart } from '../../../src/learn/shape-space/linear-start.js'
import { SHAPE_SPACE_DEFAULTS } from '../../../src/learn/shape-space/shape-space-options.js'

test('code values go where they explain most, at least one to each', () => {
  const needs = [
    [9, 8, 7, 0.1],
    [6, 2],
    [0.01, 0.001],
  ]
  expect(allotCodes(needs, { domainCode: 2, allotment: 'need' })).toEqual([3, 2, 1])
  expect(allotCodes(needs, { domainCode: 2, allotment: 'even' })).toEqual([2, 2, 2])
})

const mesh = bar(10, 1)
const vertexCount = mesh.positions.length / 3
const distances = centreDistances(mesh)

test('distances along the surface are those along edges, over the largest', () => {
  const { centres, distances: table } = distances
  expect(new Set(centres).size).toBe(vertexCount)
  const ends = [0, 1].map((end) => {
    const x = end ? 0.5 : -0.5
    return centres.findIndex((v) => [x, -0.05, -0.05].every((p, k) => Math.abs(mesh.positions[3 * v + k] - p) < 1e-9))
  })
  const row = table.subarray(ends[0] * vertexCount, (ends[0] + 1) * vertexCount)
  expect(row[centres[ends[0]]]).toBe(0)
  // Ten edges of 0.1; farthest of all are opposite corners: nine such edges, and diagonals of at least two sides.
  const along = row[centres[ends[1]]]
  expect(along).toBeLessThan(1)
  const half = [...mesh.positions.keys()].filter((i) => i % 3 === 0 && mesh.positions[i] === 0).map((i) => row[i / 3])
  expect(Math.min(...half)).toBeCloseTo(along / 2, 5)
})

test('squares of the attention to a vertex add up to one; domains that change nothing give back what they saw', () => {
  const random = randomStream(8)
  const components = Float32Array.from({ length: 3 * 9 * vertexCount }, (_, i) => {
    const [k, v] = [Math.trunc(i / (9 * vertexCount)), Math.trunc(i / 9) % vertexCount]
    return k === 2 ? 0 : Math.max(0, 0.6 + (k ? 1 : -1) * mesh.positions[3 * v]) * random.normal()
  })
  const sights = domainAttention(components, 3, distances)
  expect(sights.every(({ vertices }) => vertices.length > 0)).toBe(true)
  const row = Float32Array.from({ length: 9 * vertexCount }, () => random.normal())
  const sum = new Float64Array(row.length)
  for (const sight of sights) {
    spreadBy(sight, seenBy(sight, row), row.length).forEach((value, i) => {
      sum[i] += value
    })
  }
  expect(Math.max(...sum.map((value, i) => Math.abs(value - row[i])))).toBeLessThan(1e-6)
})

test('along all directions nothing is left: |r|^2, 2 a P^T r and a P^T P a are one, of features and displacements (seed 9)', () => {
  const random = randomStream(9)
  const row = (by: number): Float32Array => Float32Array.from({ length: 9 * vertexCount }, () => by * random.normal())
  const residuals = Array.from({ length: 6 }, () => row(0.1))
  const sights = domainAttention(Float32Array.of(...row(1), ...row(1)), 2, distances)
  const domains = sights.map((sight) => domainOf(sight, residuals, 32))
  const mean = Float32Array.from({ length: 9 * vertexCount }, (_, i) => [0, 0, 0, 1, 0, 0, 1, 0, 1][i % 9])
  const numbers = { mean, scale: 0.5 }
  const data = domainData(mesh, numbers, residuals, domains, { ...SHAPE_SPACE_DEFAULTS, vertexWeight: 3 })
  const { amounts, products, gram, width } = data
  expect(width).toBe(12)
  const all = amounts.reduce((sum, value, i) => sum + value * products[i], 0) / residuals.length
  expect(all).toBeCloseTo(1, 4)
  const back = residuals.map((_, s) => {
    const own = amounts.subarray(s * width, (s + 1) * width)
    return own.reduce((sum, a, i) => sum + own.reduce((part, b, j) => part + a * gram[i * width + j] * b, 0), 0)
  })
  expect(back.reduce((sum, value) => sum + value, 0) / residuals.length).toBeCloseTo(1, 4)
  const needs = needsOf(domains, data).map((own) => own.length)
  expect(needs).toEqual([6, 6])
})

test.each([[0], [5]])(
  'a network of %i hidden units begins as the linear map, where numbers are small',
  async (hidden) => {
    const random = randomStream(2)
    const shape: DenseShape = {
      inputs: 4,
      outputs: 3,
      hidden: hidden ? [hidden] : [],
      activation: 'tanh',
      output: 'linear',
    }
    const network = await createDenseNetwork(shape, linearStart(shape, [2, 0.5], random))
    const found = new Float32Array(3)
    network.evaluate(Float32Array.of(0.01, -0.02, 0.03, 0.01), 1, found)
    const due = [0.02, -0.01, 0]
    for (let j = 0; j < 3; j++) expect(found[j]).toBeCloseTo(due[j], 5)
  },
)
