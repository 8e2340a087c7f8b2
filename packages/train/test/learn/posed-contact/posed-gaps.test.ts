/** Gaps of the humanoid: the graph that is learned, the network that is asked, and the surface itself say the same. */
import { randomStream } from 'pliant'
import {
  BOUNDED_SHARE,
  createCharacter,
  END_SIZE,
  JointSpaces,
  PosedGapNetwork,
  type PosedGapShape,
  posedGapTensors,
} from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { compileFunction, constant, grad, input, min, sum } from '../../../src/graph/index.js'
import { characterFrames } from '../../../src/learn/posed-contact/character-frames.js'
import { posedGapGraph } from '../../../src/learn/posed-contact/posed-gap-graph.js'
import { posedGaps, squaredGap } from '../../../src/learn/posed-contact/posed-gaps.js'
import type { Place } from '../../../src/learn/self-contact/choose-places.js'
import { findCharacterPreset } from '../../../src/presets/index.js'

const character = createCharacter(await findCharacterPreset('humanoid')!.make())
const { codeSize, vertexCount, skeleton } = character
const { lower, upper } = character.bounds
const random = randomStream(7)
const anyCode = (): number[] => Array.from({ length: codeSize }, (_, k) => random.between(lower[k], upper[k]))
const codes = Float32Array.from(Array.from({ length: 6 }, anyCode).flat())

const place = (): Place => [
  [random.below(vertexCount), 0.7],
  [random.below(vertexCount), 0.3],
]
/** Of five pairs of parts, two of the one and two of the other. */
const places = Array.from(
  { length: 5 },
  () =>
    [
      [place(), place()],
      [place(), place()],
    ] as const,
)
const gaps = places.flatMap(([first, second]) => first.flatMap((a) => second.map((b) => [a, b] as const)))
const gapTensors = posedGaps(
  characterFrames(character),
  places,
  Float32Array.from(Array.from({ length: 100 }, anyCode).flat()),
)
const ends = gapTensors.get('gap.ends')!
const shape: PosedGapShape = {
  codeSize,
  frames: skeleton.jointCount,
  pairs: 5,
  gaps: 4,
  hidden: [8, 6],
  activation: 'silu',
  far: 0.4,
  perMetre: 0,
}
const layers = [...posedGapTensors(shape)].filter(([name]) => /^pair\.\d/.test(name))
const tensors = new Map([
  ...gapTensors,
  // Some pairs are far in some poses.
  ['pair.far', new Float32Array(5).fill(0.1)] as const,
  ['pair.slack', new Float32Array(5).fill(1e6)] as const,
  ...layers.map(([name, dims]): [string, Float32Array] => {
    const size = dims.reduce((product, n) => product * n, 1)
    return [name, Float32Array.from({ length: size }, () => 0.5 * random.normal())]
  }),
])

describe('gaps between places of a character', () => {
  it('are as long as the places are apart at rest, and follow the bone that moves them most', () => {
    const joints = new JointSpaces(skeleton, character.code)
    const { bones, influenceStarts, influenceBones, influenceWeights } = character.surface
    const rest = new Float64Array(3 * vertexCount)
    const endAt = (at: number): number[] => {
      const [joint, ...point] = ends.subarray(at, at + 4)
      return [0, 1, 2].map((row) =>
        [...point, 1].reduce((total, x, k) => total + joints.spaces[16 * joint + 4 * k + row] * x, 0),
      )
    }
    const placeOf = (positions: Float64Array, end: Place): number[] =>
      [0, 1, 2].map((axis) => end.reduce((total, [v, w]) => total + w * positions[3 * v + axis], 0))
    const mostOf = (end: Place): number => {
      const weights = new Map<number, number>()
      for (const [vertex, share] of end) {
        for (let k = influenceStarts[vertex]; k < influenceStarts[vertex + 1]; k++) {
          const joint = bones.joints[influenceBones[k]]
          weights.set(joint, (weights.get(joint) ?? 0) + share * influenceWeights[k])
        }
      }
      return [...weights].sort(([, a], [, b]) => b - a)[0][0]
    }
    joints.moveTo(new Float64Array(codeSize))
    character.positions(new Float64Array(codeSize), rest)
    for (const [gap, both] of gaps.entries()) {
      both.forEach((end, side) => {
        const at = END_SIZE * gap + 4 * side
        // What the code leaves out stands at its mean over the clips, where skin bends a little at joints.
        const there = placeOf(rest, end)
        endAt(at).forEach((x, axis) => {
          expect(x).toBeCloseTo(there[axis], 1)
        })
        expect(ends[at]).toBe(mostOf(end))
      })
    }
  })

  it('give the same values and gradients in the graph and in the runtime, by differences as well', async () => {
    const frames = characterFrames(character).frameGraph(new Set(character.surface.bones.joints))
    const asked = input('codes', ['n', codeSize])
    const tensorOf = (name: string) => constant(tensors.get(name)!, posedGapTensors(shape).get(name)!)
    const pairs = posedGapGraph(shape, frames, { ends, middles: gapTensors.get('pair.middles')! }, tensorOf, asked, 'n')
    const values = min(pairs, 1)
    const outputs = { pairs, values, gradients: grad(sum(values), [asked])[0] }
    const graph = await compileFunction({ inputs: [asked], outputs }, {})
    const learned = await graph.run({ codes })
    const network = new PosedGapNetwork(shape, tensors, new JointSpaces(skeleton, character.code))
    // Some pairs are too far apart to be looked at, and some are not.
    const isFar = learned.pairs.filter((value) => Math.abs(value - 0.4) < 1e-6).length
    expect(isFar).toBeGreaterThan(3)
    expect(isFar).toBeLessThan(27)
    const [found, slopes] = [new Float64Array(6), new Float64Array(codes.length)]
    network.query(codes, 6, found, slopes)
    const alone = new Float64Array(1)
    for (let row = 0; row < 6; row++) {
      expect(found[row]).toBeCloseTo(learned.values[row], 5)
      const code = Float64Array.from(codes.subarray(row * codeSize, (row + 1) * codeSize))
      const own = new Float64Array(codeSize)
      network.query(code, 1, alone, own)
      expect(alone[0]).toBeCloseTo(found[row], 6)
      const apart = new Float64Array(5)
      network.queryPairs(code, apart)
      for (let pair = 0; pair < 5; pair++) expect(apart[pair]).toBeCloseTo(learned.pairs[5 * row + pair], 5)
      expect(Math.min(...apart)).toBeCloseTo(found[row], 6)
      for (let k = 0; k < codeSize; k++) {
        const at = row * codeSize + k
        expect(slopes[at]).toBeCloseTo(learned.gradients[at], 4)
        expect(own[k]).toBeCloseTo(slopes[at], 6)
      }
    }
    // Every entry at once, along some direction: single precision of the layers allows no small steps.
    const way = Float64Array.from({ length: codeSize }, () => random.between(-1, 1))
    const code = Float64Array.from(codes.subarray(0, codeSize))
    const valueAt = (step: number): number => {
      network.query(
        code.map((value, k) => value + step * way[k]),
        1,
        alone,
      )
      return alone[0]
    }
    const slope = way.reduce((total, value, k) => total + value * slopes[k], 0)
    expect(Math.abs((valueAt(1e-3) - valueAt(-1e-3)) / 2e-3 - slope)).toBeLessThan(2e-2 * (1 + Math.abs(slope)))
    await graph.dispose()
    network.dispose()
  })

  it('rule out pairs by their shortest gaps, and say the same as all together', () => {
    const asked = new Float64Array(6)
    const all = new PosedGapNetwork(shape, tensors, new JointSpaces(skeleton, character.code))
    all.query(codes, 6, asked)
    // What pairs have at least, by their shortest gap: told from what they have.
    const perMetre = 2
    const slack = new Float32Array(5).fill(-1e6)
    const [apart, joints] = [new Float64Array(5), new JointSpaces(skeleton, character.code)]
    for (let row = 0; row < 6; row++) {
      const code = codes.subarray(row * codeSize, (row + 1) * codeSize)
      all.queryPairs(code, apart)
      joints.moveTo(code)
      for (let pair = 0; pair < 5; pair++) {
        const lengths = [0, 1, 2, 3].map((k) => Math.sqrt(squaredGap(joints.spaces, ends, END_SIZE * (4 * pair + k))))
        if (apart[pair] < BOUNDED_SHARE * shape.far) {
          slack[pair] = Math.max(slack[pair], perMetre * Math.min(...lengths) - apart[pair])
        }
      }
    }
    const bounded = (by: Float32Array) =>
      new PosedGapNetwork({ ...shape, perMetre }, new Map(tensors).set('pair.slack', by), joints)
    const found = new Float64Array(6)
    bounded(slack).query(codes, 6, found)
    // Of what lies beyond, it is known that it does.
    const known = (values: Float64Array) => values.filter((value) => value < BOUNDED_SHARE * shape.far)
    expect(known(found)).toEqual(known(asked))
    expect(known(asked).length).toBeGreaterThan(2)
    // With bounds that lie, the least may be missed.
    bounded(slack.map((value) => value - 5)).query(codes, 6, found)
    expect(found).not.toEqual(asked)
  })

  it('refuse frames that are not there', () => {
    const wrong = new Map(tensors).set(
      'gap.ends',
      ends.map((value, i) => (i === END_SIZE + 4 ? 999 : value)),
    )
    const making = () => new PosedGapNetwork(shape, wrong, new JointSpaces(skeleton, character.code))
    expect(making).toThrow(/gap 1 is of frame 999; there are 21/)
  })
})
