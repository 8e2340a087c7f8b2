import { describe, expect, it } from 'vitest'
import { randomStream } from '../../../src/math/random.js'
import { CollisionDetector } from '../../../src/net/collision-state/collision-detector.js'
import {
  type CollisionStateShape,
  collisionStateMultiplications,
} from '../../../src/net/collision-state/collision-state-shape.js'
import { randomStateTensors, SMALL_STATE } from './random-collision-state.js'

const size = SMALL_STATE.codeSize
const tensors = randomStateTensors(SMALL_STATE, 3)
const random = randomStream(4)
const COUNT = 300
const codes = Float32Array.from({ length: COUNT * size }, () => random.between(-1, 1))

const networks = {
  scalar: await CollisionDetector.create(SMALL_STATE, tensors, { backend: 'scalar' }),
  auto: await CollisionDetector.create(SMALL_STATE, tensors),
}

const ask = (network: CollisionDetector, at: Float32Array) => {
  const [values, gradients] = [new Float64Array(at.length / size), new Float64Array(at.length)]
  network.query(at, values.length, values, gradients)
  return { values, gradients }
}

/** The formula of collision-state-shape.ts once more, layer by layer in doubles. */
function plainly(code: ArrayLike<number>): { depths: number[]; distance: number } {
  const { domains, state, perLogit } = SMALL_STATE
  const elu = (x: number): number => (x > 0 ? x : Math.expm1(x))
  const through = (name: string, row: number[], last: (x: number) => number, layers: number, domain = 0): number[] => {
    let at = row
    for (let l = 0; l < layers; l++) {
      const count = name === 'predictor' ? domains.length : 1
      const [weight, bias] = ['weight', 'bias'].map((part) => {
        const all = tensors.get(`${name}.${l}.${part}`)!
        return all.subarray((domain * all.length) / count, ((domain + 1) * all.length) / count)
      })
      const before = at
      at = Array.from(bias, (start, k) => {
        const sum = before.reduce((total, x, i) => total + x * weight[i * bias.length + k], start)
        return l === layers - 1 ? last(sum) : elu(sum)
      })
    }
    return at
  }
  const whole = through('encoder', Array.from(code), Math.tanh, 3)
  expect(whole).toHaveLength(state)
  const softplus = (x: number): number => Math.log1p(Math.exp(x))
  const depths = domains.map(
    (entries, i) => through('predictor', [...whole, ...entries.map((k) => code[k])], softplus, 3, i)[0],
  )
  return { depths, distance: -perLogit * through('classifier', depths, (x) => x, 2)[0] }
}

describe.each(Object.entries(networks))('a collision detector (%s)', (_, network) => {
  it('computes what the formula says, of more codes than go through at once', () => {
    const { values } = ask(network, codes)
    const alone = new Float64Array(COUNT)
    network.query(codes, COUNT, alone)
    for (let i = 0; i < COUNT; i++) {
      expect(values[i]).toBeCloseTo(plainly(codes.subarray(i * size, (i + 1) * size)).distance, 5)
      expect(alone[i]).toBeCloseTo(values[i], 6)
    }
  })

  it('tells how deep each domain is', () => {
    for (let i = 0; i < 20; i++) {
      const code = codes.subarray(i * size, (i + 1) * size)
      const depths = new Float64Array(3)
      network.queryDepths(code, depths)
      plainly(code).depths.forEach((due, domain) => {
        expect(depths[domain]).toBeCloseTo(due, 5)
      })
    }
  })

  it('has the gradients that differences show', () => {
    // Codes are seen in single precision: a step that they can hold.
    const step = 2 ** -8
    for (let i = 0; i < 20; i++) {
      const code = codes.slice(i * size, (i + 1) * size)
      const { gradients } = ask(network, code)
      const [depths, byCode] = [new Float64Array(3), new Float64Array(3 * size)]
      network.queryDepths(code, depths, byCode)
      for (let k = 0; k < size; k++) {
        const ends = [-1, 1].map((sign) => {
          const moved = Float64Array.from(code)
          moved[k] = Math.fround(code[k] + sign * step)
          return { ...plainly(moved), at: moved[k] }
        })
        const way = ends[1].at - ends[0].at
        expect(gradients[k]).toBeCloseTo((ends[1].distance - ends[0].distance) / way, 3)
        for (let domain = 0; domain < 3; domain++) {
          const slope = (ends[1].depths[domain] - ends[0].depths[domain]) / way
          expect(byCode[domain * size + k]).toBeCloseTo(slope, 3)
        }
      }
    }
  })
})

describe('a collision detector', () => {
  it.each([
    ['of a code of no numbers', { codeSize: 0 }, 'collision state: codeSize of size 0'],
    ['without domains', { domains: [] }, 'collision state: domains of size 0'],
    [
      'of an entry that no code has',
      { domains: [[0], [], [5]] },
      'collision state: domain 2 has entry 5 of a code of 5.',
    ],
    ['of another size', { state: 7 }, "collision state: tensor 'encoder.2.weight' has 48 values"],
  ] as [string, Partial<CollisionStateShape>, string][])('%s is refused', async (_, wrong, message) => {
    await expect(CollisionDetector.create({ ...SMALL_STATE, ...wrong }, tensors)).rejects.toThrow(message)
  })

  it('says how much work it is', () => {
    const [encoder, classifier] = [5 * 9 + 9 * 8 + 8 * 6, 3 * 4 + 4]
    const predictors = [8, 6, 7].reduce((sum, inputs) => sum + inputs * 7 + 7 * 5 + 5, 0)
    expect(collisionStateMultiplications(SMALL_STATE)).toBe(encoder + predictors + classifier)
  })
})
