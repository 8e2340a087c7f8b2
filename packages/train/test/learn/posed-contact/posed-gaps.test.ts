/** Gaps of the humanoid: the graph that is learned, the network that is asked, and the surface itself say the same. */
import { randomStream } from 'pliant'
import {
  createCharacter,
  denseOfPosedGaps,
  JointSpaces,
  PosedGapNetwork,
  type PosedGapShape,
  posedGapTensors,
  TERM_SIZE,
} from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { compileFunction, constant, grad, input, min, sum } from '../../../src/graph/index.js'
import { initialDenseTensors } from '../../../src/learn/initial.js'
import { jointChain } from '../../../src/learn/joints/joint-chain.js'
import { posedGapGraph } from '../../../src/learn/posed-contact/posed-gap-graph.js'
import { posedGaps } from '../../../src/learn/posed-contact/posed-gaps.js'
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
const pairs = Array.from({ length: 9 }, () => [place(), place()] as const)
const gapTensors = posedGaps(character, pairs, Float32Array.from(Array.from({ length: 100 }, anyCode).flat()))
const terms = gapTensors.get('gap.terms')!
const shape: PosedGapShape = {
  codeSize,
  joints: skeleton.jointCount,
  gaps: 9,
  terms: terms.length / TERM_SIZE,
  pairs: 5,
  hidden: [16, 16],
  activation: 'silu',
}
const tensors = new Map([...gapTensors, ...initialDenseTensors(denseOfPosedGaps(shape), 3)])

describe('gaps between places of a character', () => {
  it('are as long as the places are apart at rest, and follow the bone that moves them most', () => {
    const joints = new JointSpaces(skeleton, character.code)
    const { bones, influenceStarts, influenceBones, influenceWeights } = character.surface
    const rest = new Float64Array(3 * vertexCount)
    const vectorOf = (gap: number): number[] => {
      const vector = [0, 0, 0]
      for (let t = 0; t < terms.length; t += TERM_SIZE) {
        if (terms[t] !== gap) continue
        const [, joint, ...point] = terms.subarray(t, t + TERM_SIZE)
        for (let i = 0; i < 12; i++)
          vector[i % 3] += joints.spaces[16 * joint + 4 * Math.floor(i / 3) + (i % 3)] * point[Math.floor(i / 3)]
      }
      return vector
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
    joints.moveTo(character.code.bounds.lower.map(() => 0))
    character.positions(new Float64Array(codeSize), rest)
    // What the code leaves out stands at its mean over the clips, where skin bends a little at joints.
    for (const [gap, ends] of pairs.entries()) {
      const [a, b] = ends.map((end) => placeOf(rest, end))
      for (let axis = 0; axis < 3; axis++) expect(vectorOf(gap)[axis]).toBeCloseTo(a[axis] - b[axis], 1)
      const named = [...terms.keys()].filter((t) => t % TERM_SIZE === 0 && terms[t] === gap).map((t) => terms[t + 1])
      expect(named).toEqual(ends.map(mostOf))
    }
  })

  it('give the same values and gradients in the graph and in the runtime, by differences as well', async () => {
    const chain = jointChain(skeleton, character.code, character.surface.bones.joints)
    const asked = input('codes', ['n', codeSize])
    const tensorOf = (name: string) => constant(tensors.get(name)!, posedGapTensors(shape).get(name)!)
    const pairs = posedGapGraph(shape, chain, terms, tensorOf, asked, 'n')
    const values = min(pairs, 1)
    const outputs = { pairs, values, gradients: grad(sum(values), [asked])[0] }
    const graph = await compileFunction({ inputs: [asked], outputs }, {})
    const learned = await graph.run({ codes })
    const network = await PosedGapNetwork.create(shape, tensors, new JointSpaces(skeleton, character.code), {
      backend: 'scalar',
    })
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

  it('refuse terms of gaps or joints that are not there', async () => {
    const wrong = new Map(tensors).set(
      'gap.terms',
      terms.map((value, i) => (i === 1 ? 999 : value)),
    )
    const making = PosedGapNetwork.create(shape, wrong, new JointSpaces(skeleton, character.code))
    await expect(making).rejects.toThrow(/term 0 is of gap 0 and joint 999; there are 9 and 21/)
  })
})
