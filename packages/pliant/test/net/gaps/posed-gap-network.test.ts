/** The formula of posed-gap-shape.ts written out again, gradients by differences, and what is refused. */
import { describe, expect, test } from 'vitest'
import type { Floats } from '../../../src/math/floats.js'
import { randomStream } from '../../../src/math/random.js'
import type { CodeFrames, VisitFrames } from '../../../src/net/gaps/code-frames.js'
import { PosedGapNetwork } from '../../../src/net/gaps/posed-gap-network.js'
import type { PosedGapShape } from '../../../src/net/gaps/posed-gap-shape.js'
import { randomPairs, randomSpaces } from './random-pairs.js'

const shape: PosedGapShape = {
  ...{ codeSize: 4, frames: 5, pairs: 6, places: 3, seen: 2, hidden: [5, 4], activation: 'silu' },
  ...{ far: 9, perMetre: 3, softness: 0.5 },
}
const tensors = randomPairs(shape, 5)

/** Frames that move linearly with the code. */
class LinearFrames implements CodeFrames {
  readonly spaces = new Float64Array(16 * shape.frames)
  readonly #start = randomSpaces(shape.frames, randomStream(6))
  readonly #by = Array.from({ length: shape.codeSize }, (_, k) =>
    randomSpaces(shape.frames, randomStream(7 + k)).map((value, i) => (i % 4 === 3 ? 0 : 0.5 * value)),
  )

  moveTo(code: ArrayLike<number>): void {
    this.spaces.set(this.#start)
    this.#by.forEach((by, k) => {
      for (let i = 0; i < by.length; i++) this.spaces[i] += code[k] * by[i]
    })
  }

  moveThrough(codes: Floats, count: number, visit: VisitFrames, gradients?: Floats): void {
    for (let row = 0; row < count; row++) {
      this.moveTo(codes.subarray(4 * row, 4 * row + 4))
      const by = new Float64Array(this.spaces.length)
      visit(row, gradients && by)
      if (gradients) this.pullBack(by, gradients.subarray(4 * row, 4 * row + 4))
    }
  }

  pullBack(bySpaces: Float64Array, out: Floats): void {
    this.#by.forEach((by, k) => {
      out[k] = by.reduce((sum, value, i) => sum + value * bySpaces[i], 0)
    })
  }
}

const silu = (x: number): number => x / (1 + Math.exp(-x))

/** One pair, as the comment of the shape says it. */
function dueOf(spaces: Float64Array, pair: number): number {
  const { places: K, seen: C } = shape
  const of = (name: string, width: number): number[] => [
    ...tensors.get(name)!.subarray(pair * width, (pair + 1) * width),
  ]
  const at = (row: readonly number[]): number[] =>
    [0, 1, 2].map((axis) => {
      const o = 16 * row[0] + axis
      return spaces[o] * row[1] + spaces[o + 4] * row[2] + spaces[o + 8] * row[3] + spaces[o + 12]
    })
  const rowsOf = (name: string, count: number): number[][] =>
    Array.from({ length: count }, (_, i) => of(name, 4 * count).slice(4 * i, 4 * i + 4))
  const apart = (a: number[], b: number[]): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
  const [m, n] = rowsOf('pair.middles', 2).map(at)
  if (apart(m, n) ** 2 > tensors.get('pair.far')![pair]) return shape.far
  const rows = rowsOf('pair.places', 2 * K)
  const points = rows.map(at)
  const radii = of('gap.radius', K * K)
  let sum = 0
  for (let k = 0; k < K; k++) {
    for (let l = 0; l < K; l++) {
      sum += Math.exp(-(shape.perMetre * apart(points[k], points[K + l]) - radii[K * k + l]) / shape.softness)
    }
  }
  const local = (frame: number, point: number[]): number[] =>
    [0, 1, 2].map((axis) =>
      point.reduce(
        (total, x, row) => total + spaces[16 * frame + 4 * axis + row] * (x - spaces[16 * frame + 12 + row]),
        0,
      ),
    )
  const seen = [
    ...points.slice(K, K + C).flatMap((point) => local(rows[0][0], point)),
    ...points.slice(0, C).flatMap((point) => local(rows[K][0], point)),
  ]
  const [scale, shift] = [of('seen.scale', 6 * C), of('seen.shift', 6 * C)]
  let row = seen.map((x, i) => scale[i] * x + shift[i])
  for (const [l, width] of [...shape.hidden, 1].entries()) {
    const [weight, bias] = [of(`pair.${l}.weight`, row.length * width), of(`pair.${l}.bias`, width)]
    const sums = bias.map((b, k) => row.reduce((total, x, i) => total + x * weight[i * width + k], b))
    row = l < shape.hidden.length ? sums.map(silu) : sums
  }
  return row[0] - shape.softness * Math.log(sum)
}

const random = randomStream(20)
const codes = Float64Array.from({ length: 8 * shape.codeSize }, () => random.between(-1, 1))

describe.each(['scalar', 'simd'] as const)('by %s', (backend) => {
  const close = backend === 'scalar' ? 1e-6 : 3e-5

  test('answers the formula of its comment, of each pair and of the least', async () => {
    const frames = new LinearFrames()
    const network = await PosedGapNetwork.create(shape, tensors, frames, { backend })
    expect(network.backend).toBe(backend)
    const [values, out] = [new Float64Array(8), new Float64Array(shape.pairs)]
    network.query(codes, 8, values)
    let far = 0
    for (let i = 0; i < 8; i++) {
      const code = codes.subarray(4 * i, 4 * i + 4)
      network.queryPairs(code, out)
      frames.moveTo(code)
      const due = out.map((_, pair) => dueOf(frames.spaces, pair))
      due.forEach((value, pair) => {
        expect(Math.abs(out[pair] - value)).toBeLessThan(close * (1 + Math.abs(value)))
      })
      expect(values[i]).toBe(Math.min(...out))
      far += due.filter((value) => value === shape.far).length
    }
    expect(far).toBeGreaterThan(3)
    expect(far).toBeLessThan(8 * shape.pairs - 8)
  })

  test('its gradients are those of differences, of the least and of all pairs together', async () => {
    const network = await PosedGapNetwork.create(shape, tensors, new LinearFrames(), { backend })
    const plain = await PosedGapNetwork.create(shape, tensors, new LinearFrames(), { backend: 'scalar' })
    const [value, gradient, out] = [new Float64Array(1), new Float64Array(4), new Float64Array(shape.pairs)]
    const weights = out.map(() => random.normal())
    const summed = (code: Float64Array): number => {
      plain.queryPairs(code, out)
      return out.reduce((sum, one, pair) => sum + weights[pair] * one, 0)
    }
    const least = (code: Float64Array): number => {
      plain.query(code, 1, value)
      return value[0]
    }
    const slopes = (of: (code: Float64Array) => number, code: Float64Array): number[] =>
      [0, 1, 2, 3].map((k) => {
        const moved = (by: number) => of(code.map((x, i) => (i === k ? x + by : x)))
        return (moved(1e-6) - moved(-1e-6)) / 2e-6
      })
    for (let i = 0; i < 8; i++) {
      const code = codes.slice(4 * i, 4 * i + 4)
      network.query(code, 1, value, gradient)
      slopes(least, code).forEach((slope, k) => {
        expect(Math.abs(gradient[k] - slope)).toBeLessThan(1e-5 * (1 + Math.abs(slope)))
      })
      network.queryPairs(code, out)
      network.pullBackPairs(weights, gradient)
      slopes(summed, code).forEach((slope, k) => {
        expect(Math.abs(gradient[k] - slope)).toBeLessThan(1e-5 * (1 + Math.abs(slope)))
      })
    }
  })
})

test('refuses frames that are not there, and more places seen than there are', async () => {
  const wrong = new Map(tensors).set(
    'pair.places',
    tensors.get('pair.places')!.map((value, i) => (i === 8 ? 99 : value)),
  )
  await expect(PosedGapNetwork.create(shape, wrong, new LinearFrames())).rejects.toThrow(
    /^posed gap network: pair\.places\[2\] is of frame 99; there are 5\.$/,
  )
  await expect(PosedGapNetwork.create({ ...shape, seen: 4 }, tensors, new LinearFrames())).rejects.toThrow(
    /4 places are seen; there are 3/,
  )
})

test.each(['scalar', 'simd'] as const)(
  'answers NaN to frames that are none, not that all is far (%s)',
  async (backend) => {
    const network = await PosedGapNetwork.create(shape, tensors, new LinearFrames(), { backend })
    const out = new Float64Array(shape.pairs)
    network.queryPairs(Float64Array.of(0.1, Number.NaN, 0.2, 0), out)
    expect([...out]).toEqual(new Array(shape.pairs).fill(Number.NaN))
  },
)
