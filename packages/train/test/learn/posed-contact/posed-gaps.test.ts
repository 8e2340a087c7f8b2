/** Gaps of the humanoid: the graph that is learned, the network that is asked, and the surface itself say the same. */
import { randomStream } from 'pliant'
import {
  createCharacter,
  JointSpaces,
  PLACE_SIZE,
  PosedGapNetwork,
  type PosedGapShape,
  posedGapTensors,
} from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { compileFunction, constant, grad, input, min, sum } from '../../../src/graph/index.js'
import { characterFrames } from '../../../src/learn/posed-contact/character-frames.js'
import type { PlacesOfPair } from '../../../src/learn/posed-contact/part-places.js'
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
  (): PlacesOfPair => [
    [place(), place()],
    [place(), place()],
  ],
)
const shape: PosedGapShape = {
  ...{ codeSize, frames: skeleton.jointCount, pairs: 5, places: 2, seen: 2 },
  ...{ hidden: [8, 6], activation: 'silu', far: 0.4, perMetre: 4, softness: 0.3 },
}
const rows = {
  codes: Float32Array.from(Array.from({ length: 100 }, anyCode).flat()),
  // The second pair is near in few codes, the third in none.
  clearances: Float32Array.from({ length: 500 }, (_, i) => {
    const isNear = i % 5 === 2 ? false : i % 5 === 1 ? i < 15 : true
    return isNear ? random.between(-0.8, 0.8) : 1
  }),
}
const gapTensors = posedGaps(characterFrames(character), places, rows, shape)
const given = { places: gapTensors.get('pair.places')!, middles: gapTensors.get('pair.middles')! }
const layers = [...posedGapTensors(shape)].filter(([name]) => /^pair\.\d/.test(name))
const tensors = new Map([
  ...gapTensors,
  // Some pairs are far in some poses.
  ['pair.far', new Float32Array(5).fill(0.1)] as const,
  ...layers.map(([name, dims]): [string, Float32Array] => {
    const size = dims.reduce((product, n) => product * n, 1)
    return [name, Float32Array.from({ length: size }, () => 0.5 * random.normal())]
  }),
])

describe('gaps between places of a character', () => {
  it('see how skin bends: the first places again, as other bones carry them that move it there', () => {
    const { influenceStarts, influenceBones, influenceWeights, bones } = character.surface
    const sharesOf = (vertex: number) =>
      [...influenceBones.subarray(influenceStarts[vertex], influenceStarts[vertex + 1])].map((bone, i) => ({
        joint: bones.joints[bone],
        weight: influenceWeights[influenceStarts[vertex] + i],
      }))
    const isBent = (vertex: number): boolean => sharesOf(vertex).filter(({ weight }) => weight > 0.1).length > 1
    const bent = [...Array(vertexCount).keys()].find(isBent)!
    const stiff = [...Array(vertexCount).keys()].filter((vertex) => sharesOf(vertex).length === 1)
    const all = (first: number): Place[] => [first, ...stiff.slice(0, 7)].map((vertex): Place => [[vertex, 1]])
    const framed = characterFrames(character)
    const many = { seen: 6, perMetre: 4 }
    const tensors = posedGaps(framed, [[all(bent), all(stiff[9])]], { codes, clearances: new Float32Array(6) }, many)
    const rows = Array.from({ length: 16 }, (_, i) => [...tensors.get('pair.places')!.subarray(4 * i, 4 * i + 4)])
    const [, next] = sharesOf(bent).sort((a, b) => b.weight - a.weight)
    const due = framed.otherEndsOf([[bent, 1]])[0]
    expect(due[0]).toBe(next.joint)
    expect(rows[5]).toEqual(due.map(Math.fround))
    // At rest, about as it was bound, it is the same place within a centimetre, and nothing else is replaced.
    const joints = new JointSpaces(character.code)
    joints.moveTo(new Float64Array(codeSize))
    expect(squaredGap(joints.spaces, rows[5], rows[0])).toBeLessThan(1e-4)
    const others = [0, 1, 2, 3, 4, 6, 7].map((i) => [rows[i], framed.endOf(all(bent)[i]).map(Math.fround)])
    for (const [found, expected] of others) expect(found).toEqual(expected)
    // Stiff skin has no other bones.
    for (const [i, place] of all(stiff[9]).entries()) expect(rows[8 + i]).toEqual(framed.endOf(place).map(Math.fround))
  })

  it('are as long as the places are apart at rest, and follow the bone that moves them most', () => {
    const joints = new JointSpaces(character.code)
    const { bones, influenceStarts, influenceBones, influenceWeights } = character.surface
    const rest = new Float64Array(3 * vertexCount)
    const endAt = (at: number): number[] => {
      const [joint, ...point] = given.places.subarray(at, at + 4)
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
    for (const [i, end] of places.flat(2).entries()) {
      // What the code leaves out stands at its mean over the clips, where skin bends a little at joints.
      const there = placeOf(rest, end)
      endAt(PLACE_SIZE * i).forEach((x, axis) => {
        expect(x).toBeCloseTo(there[axis], 1)
      })
      expect(given.places[PLACE_SIZE * i]).toBe(mostOf(end))
    }
  })

  it('begin with balls that are no larger than clearances allow, and with what is seen at mean 0 and spread 1', () => {
    const joints = new JointSpaces(character.code)
    const radius = gapTensors.get('gap.radius')!
    const [scale, shift] = [gapTensors.get('seen.scale')!, gapTensors.get('seen.shift')!]
    for (let pair = 0; pair < 5; pair++) {
      const near = [...Array(100).keys()].filter((row) => rows.clearances[5 * row + pair] < 1)
      const placeAt = (i: number) => given.places.subarray(4 * (4 * pair + i), 4 * (4 * pair + i + 1))
      for (let gap = 0; gap < 4; gap++) {
        const beyond = near.map((row) => {
          joints.moveTo(rows.codes.subarray(row * codeSize, (row + 1) * codeSize))
          const length = Math.sqrt(squaredGap(joints.spaces, placeAt(gap >> 1), placeAt(2 + (gap % 2))))
          return 4 * length - rows.clearances[5 * row + pair]
        })
        const larger = beyond.filter((value) => value < radius[4 * pair + gap] - 1e-5).length
        // A twentieth of the codes may say that it is too large; a pair that was never near has balls of no size.
        expect(larger).toBeLessThanOrEqual(0.05 * near.length)
        if (near.length === 0) expect(radius[4 * pair + gap]).toBe(0)
        else expect(beyond.some((value) => Math.abs(value - radius[4 * pair + gap]) < 1e-4)).toBe(true)
      }
      const asked = near.length < 20 ? [...Array(100).keys()] : near
      const seen = asked.map((row) => {
        const m = joints.spaces
        joints.moveTo(rows.codes.subarray(row * codeSize, (row + 1) * codeSize))
        // x of the second part's first place from the first part's frame.
        const [from, place] = [16 * placeAt(0)[0], placeAt(2)]
        const way = [0, 1, 2].map((axis) => {
          const o = 16 * place[0] + axis
          return m[o] * place[1] + m[o + 4] * place[2] + m[o + 8] * place[3] + m[o + 12] - m[from + 12 + axis]
        })
        return scale[12 * pair] * way.reduce((sum, x, axis) => sum + m[from + axis] * x, 0) + shift[12 * pair]
      })
      const mean = seen.reduce((sum, x) => sum + x, 0) / seen.length
      const spread = Math.sqrt(seen.reduce((sum, x) => sum + (x - mean) ** 2, 0) / seen.length)
      expect(mean).toBeCloseTo(0, 3)
      // What hardly changes, by less than a twentieth of the reach, is no news.
      if (scale[12 * pair] < 79) expect(spread).toBeCloseTo(1, 3)
      else expect(spread).toBeLessThan(1.001)
    }
    expect(Math.max(...scale)).toBeLessThanOrEqual(80)
    expect(scale.filter((value) => value < 79).length).toBeGreaterThan(40)
  })

  it('give the same values and gradients in the graph and in the runtime, by differences as well', async () => {
    const frames = characterFrames(character).frameGraph(new Set(character.surface.bones.joints))
    const asked = input('codes', ['n', codeSize])
    const tensorOf = (name: string) => constant(tensors.get(name)!, posedGapTensors(shape).get(name)!)
    const pairs = posedGapGraph(shape, frames, given, tensorOf, asked, 'n')
    const values = min(pairs, 1)
    const outputs = { pairs, values, gradients: grad(sum(values), [asked])[0] }
    const graph = await compileFunction({ inputs: [asked], outputs }, {})
    const learned = await graph.run({ codes })
    const network = await PosedGapNetwork.create(shape, tensors, new JointSpaces(character.code))
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
})
