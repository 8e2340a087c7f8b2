/** Where patches are, learned, and gaps between them: the graph, the runtime and the truth say the same. */
import { randomStream } from 'pliant'
import { LearnedFrames, PosedGapNetwork, type PosedGapShape, posedGapTensors } from 'pliant/unstable'
import { createDenseNetwork } from 'pliant/unstable/dense'
import { expect, test } from 'vitest'
import { bar } from '../../../../pliant/test/model/acap/shapes.js'
import { compileFunction, constant, grad, input, min, sum } from '../../../src/graph/index.js'
import type { ContactPool } from '../../../src/label/contact-pool.js'
import { FRAME_LEARNING, learnFrames } from '../../../src/learn/posed-contact/learn-frames.js'
import type { PlacesOfPair } from '../../../src/learn/posed-contact/part-places.js'
import { posedGapGraph } from '../../../src/learn/posed-contact/posed-gap-graph.js'
import { posedGaps } from '../../../src/learn/posed-contact/posed-gaps.js'
import { patchRadii, spaceFrames } from '../../../src/learn/posed-contact/space-frames.js'
import type { Place } from '../../../src/learn/self-contact/choose-places.js'
import { uniformCodes } from '../../../src/sample/uniform-codes.js'
import { surfacePatches } from '../../../src/surface/surface-patches.js'

const mesh = bar(12, 2)
const patches = surfacePatches(mesh, 3)
const radii = patchRadii(mesh, patches)
/** Far from the middle of space, of widths that differ by far; the last number is always the same. */
const bounds = { lower: Float64Array.of(100, -0.03, 7), upper: Float64Array.of(140, -0.01, 7) }

/** Patches turn about z with the first number, and rise by the second. */
function truth(code: ArrayLike<number>): number[] {
  return [0, 1, 2].flatMap((patch) => {
    const angle = (patch * (code[0] - 120)) / 40
    const [c, s] = [Math.cos(angle), Math.sin(angle)]
    return [c, -s, 0, 5 + patch, s, c, 0, 20 * code[1], 0, 0, 1, 0]
  })
}

const pool = {
  codeSize: 3,
  bounds,
  draw: (count, random) => uniformCodes(bounds, count, random),
  frames: async (codes) =>
    Float32Array.from(
      Array.from({ length: codes.length / 3 }, (_, i) => truth(codes.subarray(3 * i, 3 * i + 3))).flat(),
    ),
} satisfies Partial<ContactPool> as unknown as ContactPool

const learning = (steps: number) => ({ ...FRAME_LEARNING, labels: 400, steps, batch: 64, hidden: [24] })
const run = { seed: 3, specHash: 'x', threads: 1 }
const learned = await learnFrames(pool, radii, learning(1500), run)

test('an error at the rim falls while frames are learned, and is what the network is beside the truth', async () => {
  const early = await learnFrames(pool, radii, learning(3), run)
  expect(learned.error).toBeLessThan(0.05 * early.error)
  expect(learned.error).toBeLessThan(0.01)
  const network = await createDenseNetwork(learned.shape, new Map(learned.tensors), { backend: 'scalar' })
  const codes = uniformCodes(bounds, 400, randomStream(5))
  const found = new Float64Array(36)
  let squares = 0
  for (let row = 0; row < 400; row++) {
    const code = codes.subarray(3 * row, 3 * row + 3)
    network.evaluate(code, 1, found)
    truth(code).forEach((due, k) => {
      squares += ((k % 4 === 3 ? 1 : radii[Math.floor(k / 12)]) * (found[k] - due)) ** 2
    })
  }
  expect(Math.sqrt(squares / 1200) / learned.error).toBeCloseTo(1, 0)
})

test('the same seed learns the same numbers, another one others', async () => {
  const [again, other] = [
    await learnFrames(pool, radii, learning(3), run),
    await learnFrames(pool, radii, learning(3), { ...run, seed: 4 }),
  ]
  const once = await learnFrames(pool, radii, learning(3), run)
  expect(again.tensors).toEqual(once.tensors)
  expect(other.tensors).not.toEqual(once.tensors)
})

test('radii are how far vertices of a patch are from its middle', () => {
  const own = [...patches.ofVertex.keys()].filter((v) => patches.ofVertex[v] === 1)
  const middle = [0, 1, 2].map((k) => own.reduce((total, v) => total + mesh.positions[3 * v + k], 0) / own.length)
  const squares = own.map((v) =>
    [0, 1, 2].reduce((total, k) => total + (mesh.positions[3 * v + k] - middle[k]) ** 2, 0),
  )
  expect(radii[1]).toBeCloseTo(Math.sqrt(squares.reduce((a, b) => a + b) / own.length), 12)
})

test('gaps between patches are the same in the graph and in the runtime, and follow the patches', async () => {
  const framed = await spaceFrames(mesh, patches, learned)
  const random = randomStream(9)
  const placeIn = (patch: number): Place => {
    const own = [...patches.ofVertex.keys()].filter((v) => patches.ofVertex[v] === patch)
    return [
      [own[random.below(own.length)], 0.7],
      [own[random.below(own.length)], 0.3],
    ]
  }
  const places = [
    [0, 2],
    [1, 2],
  ].map(
    ([a, b]) =>
      [
        [placeIn(a), placeIn(a)],
        [placeIn(b), placeIn(b)],
      ] as PlacesOfPair,
  )
  // An end is where its place is at rest, seen from the middle of the patch that has most of it.
  const [patch, ...at] = framed.endOf(places[0][1][0])
  const own = [...patches.ofVertex.keys()].filter((v) => patches.ofVertex[v] === 2)
  expect(patch).toBe(2)
  at.forEach((value, k) => {
    const middle = own.reduce((total, v) => total + mesh.positions[3 * v + k], 0) / own.length
    const rest = places[0][1][0].reduce((total, [v, weight]) => total + weight * mesh.positions[3 * v + k], 0)
    expect(value).toBeCloseTo(rest - middle, 12)
  })
  const codes = uniformCodes(bounds, 6, randomStream(10))
  const shape: PosedGapShape = {
    ...{ codeSize: 3, frames: 3, pairs: 2, places: 2, seen: 2 },
    ...{ hidden: [8], activation: 'silu', far: 0.4, perMetre: 3, softness: 0.3 },
  }
  const seen = uniformCodes(bounds, 50, randomStream(11))
  const rows = { codes: seen, clearances: Float32Array.from({ length: 100 }, () => random.between(-1, 1)) }
  const gapTensors = posedGaps(framed, places, rows, shape)
  const layers = [...posedGapTensors(shape)].filter(([name]) => /^pair\.\d/.test(name))
  const tensors = new Map([
    ...gapTensors,
    ['pair.far', new Float32Array(2).fill(1e6)] as const,
    ...layers.map(([name, dims]): [string, Float32Array] => {
      const size = dims.reduce((product, n) => product * n, 1)
      return [name, Float32Array.from({ length: size }, () => 0.5 * random.normal())]
    }),
  ])
  const given = { places: gapTensors.get('pair.places')!, middles: gapTensors.get('pair.middles')! }
  const asked = input('codes', ['n', 3])
  const tensorOf = (name: string) => constant(tensors.get(name)!, posedGapTensors(shape).get(name)!)
  const pairs = posedGapGraph(shape, framed.frameGraph(new Set([0, 1, 2])), given, tensorOf, asked, 'n')
  const values = min(pairs, 1)
  const outputs = { pairs, values, gradients: grad(sum(values), [asked])[0] }
  const graph = await compileFunction({ inputs: [asked], outputs }, {})
  const told = await graph.run({ codes })
  const network = await PosedGapNetwork.create(shape, tensors, framed.frames())
  const [found, slopes] = [new Float64Array(6), new Float64Array(18)]
  network.query(codes, 6, found, slopes)
  const apart = new Float64Array(2)
  for (let row = 0; row < 6; row++) {
    expect(found[row]).toBeCloseTo(told.values[row], 4)
    network.queryPairs(codes.subarray(3 * row, 3 * row + 3), apart)
    for (let pair = 0; pair < 2; pair++) expect(apart[pair]).toBeCloseTo(told.pairs[2 * row + pair], 4)
    for (let k = 0; k < 3; k++) {
      const due = told.gradients[3 * row + k]
      expect(Math.abs(slopes[3 * row + k] - due)).toBeLessThan(1e-3 * (1 + Math.abs(due)))
    }
  }
  expect(new Set(found.map((value) => Math.round(1e4 * value))).size).toBeGreaterThan(3)
  expect(framed.frames()).toBeInstanceOf(LearnedFrames)
  await graph.dispose()
})
