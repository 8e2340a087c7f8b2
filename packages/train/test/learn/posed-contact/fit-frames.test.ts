/** Where patches are, fitted, and gaps between them: the graph, the runtime and the truth say the same. */
import { randomStream } from 'pliant'
import {
  exactShapeSpace,
  PieceFrames,
  PosedGapNetwork,
  type PosedGapShape,
  posedGapTensors,
  type ShapeSpaceData,
} from 'pliant/unstable'
import { expect, test } from 'vitest'
import { linearSpace } from '../../../../pliant/test/artifact/shape-contact-example.js'
import { bar } from '../../../../pliant/test/model/acap/shapes.js'
import { compileFunction, constant, grad, input, min, sum } from '../../../src/graph/index.js'
import { frameTasks } from '../../../src/label/frame-tasks.js'
import { fitFrames } from '../../../src/learn/posed-contact/fit-frames.js'
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
/** Its numbers turn vertices by up to about a radian, and more the further along the bar they are. */
const space: ShapeSpaceData = linearSpace(mesh, bounds, (vertex, channel, number) => {
  const along = mesh.positions[3 * vertex] + 1
  if (number === 0) return channel === 0 ? 0.02 * along : 0
  return number === 1 ? (channel === 1 ? 30 * along : channel === 3 ? 4 : 0) : 0
})
const exact = exactShapeSpace(space)
const framesAt = frameTasks(exact, Float64Array.from(mesh.positions), patches).frames
const truth = (codes: Float32Array): Float32Array => framesAt({ codes }).value

const pool = {
  codeSize: 3,
  bounds,
  draw: (count: number, random: ReturnType<typeof randomStream>) => uniformCodes(bounds, count, random),
  frames: async (codes: Float32Array) => truth(codes),
}
const fitOf = (pieces: number, seed = 3) =>
  fitFrames(pool, space, radii, { seed, fit: { pieces, vertices: 1, codes: 6 } })
const learned = await fitOf(12)
const ready = await PieceFrames.create(learned.shape, learned.tensors, { backend: 'scalar' })

test('rims are where they are, to a thousandth of the bar, which is told; a surface of one piece knows less', async () => {
  expect(learned.shape).toEqual({ codeSize: 3, pieces: 12, frames: 3 })
  expect(learned.error).toBeLessThan(2e-3)
  expect(learned.error).toBeLessThan(0.1 * (await fitOf(1)).error)
  const codes = uniformCodes(bounds, 400, randomStream(5))
  const due = truth(codes)
  let squares = 0
  ready.moveThrough(Float64Array.from(codes), 400, (row) => {
    for (let k = 0; k < 36; k++) {
      const [frame, within] = [Math.floor(k / 12), k % 12]
      const found = ready.spaces[16 * frame + 4 * (within % 4) + Math.floor(within / 4)]
      squares += ((k % 4 === 3 ? 1 : radii[frame]) * (found - due[36 * row + k])) ** 2
    }
  })
  expect(Math.sqrt(squares / 1200) / learned.error).toBeGreaterThan(0.7)
  expect(Math.sqrt(squares / 1200) / learned.error).toBeLessThan(1.4)
})

test('what a piece does is what features say of its vertices, in the mean: its rotation vector, then its stretch', async () => {
  const { tensors } = await fitOf(1)
  const [weight, bias] = [tensors.get('pieces.weight')!, tensors.get('pieces.bias')!]
  const features = new Float64Array(3 * mesh.positions.length)
  for (const code of [Float64Array.of(133, -0.012, 7), Float64Array.of(104, -0.027, 7)]) {
    exact.features(code, features)
    const mean = (channel: number): number =>
      features.reduce((total, value, i) => total + (i % 9 === channel ? value : 0), 0) / (features.length / 9)
    const due = [-mean(2), mean(1), -mean(0), ...[3, 4, 5, 6, 7, 8].map(mean)]
    due.forEach((value, i) => {
      expect(code.reduce((total, number, k) => total + number * weight[9 * k + i], bias[i])).toBeCloseTo(value, 4)
    })
  }
})

test('the same seed fits the same numbers, another one others', async () => {
  expect((await fitOf(12)).tensors).toEqual(learned.tensors)
  expect((await fitOf(12, 4)).tensors).not.toEqual(learned.tensors)
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
  const framed = spaceFrames(mesh, patches, learned, ready)
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
  const frames = framed.frameGraph(new Set([0, 1, 2]))
  const tensorOf = (name: string) => constant(tensors.get(name)!, posedGapTensors(shape).get(name)!)
  const pairs = posedGapGraph(shape, frames, given, tensorOf, asked, 'n')
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
  await graph.dispose()
})
