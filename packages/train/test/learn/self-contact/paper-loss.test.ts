/** The paper's loss against its formulas, written out once more in plain code. */
import { randomStream } from 'pliant'
import { type GapShape, gapTensors } from 'pliant/unstable'
import { describe, expect, test } from 'vitest'
import { compileFunction, constant, inputsOf, reshape } from '../../../src/graph/index.js'
import { paperLoss, trustOf } from '../../../src/learn/self-contact/paper/paper-loss.js'
import { PAPER_DEFAULTS } from '../../../src/learn/self-contact/paper/paper-options.js'

const shape: GapShape = { codeSize: 3, gaps: 0, hidden: [5, 4], activation: 'relu' }
const random = randomStream(17)
const dims = gapTensors(shape)
const tensors = new Map(
  [...dims].map(([name, sizes]) => [
    name,
    // Biases above zero: where all units are dead the slope is none, and its penalty infinite.
    Float32Array.from({ length: sizes.reduce((a, b) => a * b, 1) }, () =>
      name.endsWith('.bias') ? 0.8 : 0.7 * random.normal(),
    ),
  ]),
)
const rowsOf = (count: number): Float32Array => Float32Array.from({ length: 3 * count }, () => random.between(-1, 1))
const feeds = {
  codes: rowsOf(6),
  signs: Float32Array.of(1, -1, 1, -1, -1, 1),
  eikonal: rowsOf(8),
  distanceCodes: rowsOf(4),
  distances: Float32Array.of(0.3, -0.2, 0.8, -0.9),
  trust: Float32Array.of(0.1, 0.2, 0.3, 0.4),
}

/** f and its gradient of one code. */
function network(code: Float32Array): { value: number; gradient: number[] } {
  const value = plain(code)
  const h = 1e-4
  const gradient = [0, 1, 2].map((k) => {
    const [more, less] = [code.slice(), code.slice()]
    more[k] += h
    less[k] -= h
    return (plain(more) - plain(less)) / (more[k] - less[k])
  })
  return { value, gradient }
}

function plain(code: ArrayLike<number>): number {
  let row = Array.from(code)
  for (let l = 0; l <= 2; l++) {
    const [weight, bias] = [tensors.get(`dense.${l}.weight`)!, tensors.get(`dense.${l}.bias`)!]
    const sums = Array.from(bias, (b, j) => row.reduce((sum, x, i) => sum + x * weight[i * bias.length + j], b))
    row = l < 2 ? sums.map((x) => Math.max(0, x)) : sums
  }
  return row[0]
}

const codeAt = (codes: Float32Array, i: number): Float32Array => codes.subarray(3 * i, 3 * i + 3)

/** Eq. 3, 4, 7 to 9 and 11, 12. */
function expected(pass: 0 | 1): number {
  const f = Array.from({ length: 6 }, (_, i) => network(codeAt(feeds.codes, i)).value)
  const shares = f.map((value) => Math.exp(-Math.abs(value)))
  const total = shares.reduce((a, b) => a + b, 0)
  const sign = f.reduce((sum, value, i) => {
    const sigma = 1 / (1 + Math.exp(-value))
    return sum + (shares[i] / total) * Math.max(-feeds.signs[i] * (2 * sigma - 1), 0)
  }, 0)
  let eikonal = 0
  for (let i = 0; i < 8; i++) {
    const x = Math.hypot(...network(codeAt(feeds.eikonal, i)).gradient)
    eikonal += (x < 1 ? x + 1 / x : x <= 1.2 ? 2 : x - 0.2 + 1 / (x - 0.2)) / 8
  }
  const loss = sign + 0.1 * eikonal
  if (pass === 0) return loss
  return feeds.distances.reduce(
    (sum, distance, i) => sum + feeds.trust[i] * (network(codeAt(feeds.distanceCodes, i)).value - distance) ** 2,
    loss,
  )
}

describe('the loss of the paper', () => {
  test.each([
    [0, 'exact'],
    [1, 'exact'],
    [0, 'differences'],
  ] as const)('of pass %i, slopes %s, is what its formulas say', async (pass, slopes) => {
    const options = { ...PAPER_DEFAULTS, eikonal: 8, slopes }
    const loss = paperLoss(shape, (name) => constant(tensors.get(name)!, dims.get(name)!), pass, options)
    const inputs = inputsOf([loss])
    const fn = await compileFunction({ inputs, outputs: { loss: reshape(loss, [1]) } })
    const fed = Object.fromEntries(Object.entries(feeds).filter(([name]) => pass === 1 || !/^(dist|trust)/.test(name)))
    const { loss: value } = await fn.run(fed)
    await fn.dispose()
    // Differences of a function with kinks are slopes but where a kink lies between.
    expect(value[0]).toBeCloseTo(expected(pass), slopes === 'exact' ? 4 : 1)
  })

  test('trusts distances of a cloud from eta1 on, in full from alpha eta1 on, on both sides alike (Eq. 14 to 16)', () => {
    // 2 / 1000^(1/3) = 0.2.
    expect(trustOf(0.19, 1000, 3, 10)).toBe(0)
    expect(trustOf(2, 1000, 3, 10)).toBe(1)
    expect(trustOf(1.1, 1000, 3, 10)).toBeCloseTo(0.5, 10)
    expect(trustOf(-1.1, 1000, 3, 10)).toBe(trustOf(1.1, 1000, 3, 10))
    expect(trustOf(0.5, 1000, 3, 10)).toBeLessThan(trustOf(0.6, 1000, 3, 10))
  })
})
