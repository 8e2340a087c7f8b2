import { describe, expect, it } from 'vitest'
import { type BoneNetwork, createBoneNetwork } from '../../../src/net/bones/bone-network.js'
import { randomBonePose, randomBoneShape, randomBoneTensors } from './random-bones.js'

const DISTANCES = [1e3, 1e5, 1e6, 1e7, 1e9, 1e12, 1e15, 1e18, 1e19, 2e19, 1e20, 1e25, 1e30, 1e35, 1e38, 3e38]

/** Both ways along each axis, and along all three at once. */
const WAYS = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 1, 1],
  [1, -1, 0.5],
].flatMap((way) => [way, way.map((component) => -component)])

const FAR = Float32Array.from(DISTANCES.flatMap((length) => WAYS.flatMap((way) => way.map((x) => x * length))))
const COUNT = FAR.length / 3

async function posed(seed: number, boneCount: number, nearest: number, options: object): Promise<BoneNetwork> {
  const shape = randomBoneShape(seed, { boneCount, nearest })
  const network = await createBoneNetwork(shape, randomBoneTensors(shape, seed), options)
  const { matrices, drivers } = randomBonePose(shape, seed)
  network.pose(withoutScale(matrices), drivers)
  return network
}

/** From afar, bones of several scales would all be nearest. */
function withoutScale(matrices: Float64Array): Float64Array {
  return matrices.map((entry, i) => {
    const column = i - (i % 4)
    return i % 16 < 12 ? entry / Math.hypot(...matrices.subarray(column, column + 3)) : entry
  })
}

function ask(network: BoneNetwork, points: Float32Array | Float64Array) {
  const count = points.length / 3
  const [distances, gradients] = [new Float64Array(count), new Float64Array(3 * count)]
  const alone = new Float64Array(count)
  network.query(points, count, distances, gradients)
  network.query(points, count, alone)
  expect(alone).toEqual(distances)
  return { distances, gradients }
}

describe('far points', () => {
  const cases = Array.from({ length: 8 }, (_, n) => n + 1).flatMap((bones) =>
    [1, 3, 8].map((nearest) => [bones, nearest] as const),
  )
  it.each(cases)('get the same answers from both backends, %d bones of which %d answer', async (bones, nearest) => {
    const scalar = ask(await posed(bones, bones, nearest, { backend: 'scalar' }), FAR)
    const simd = ask(await posed(bones, bones, nearest, { backend: 'simd' }), FAR)
    for (let i = 0; i < COUNT; i++) {
      const length = Math.hypot(...FAR.subarray(3 * i, 3 * i + 3))
      // The body is within 3 m of the origin, the network's own part within 2 m.
      expect(Math.abs(scalar.distances[i] - length), `scalar, point ${i}`).toBeLessThan(5 + 1e-6 * length)
      const difference = Math.abs(simd.distances[i] - scalar.distances[i])
      expect(difference, `SIMD, point ${i} at ${length}`).toBeLessThan(1e-5 * length)
      for (let axis = 0; axis < 3; axis++) {
        const at = 3 * i + axis
        expect(Math.abs(simd.gradients[at] - scalar.gradients[at]), `slope ${axis} of point ${i}`).toBeLessThan(2e-3)
        expect(Math.abs(scalar.gradients[at] - FAR[at] / length)).toBeLessThan(2e-2)
      }
    }
  })

  it('are far from the body, wherever that is', async () => {
    for (const backend of ['scalar', 'simd']) {
      const shape = randomBoneShape(2, { boneCount: 3, scale: 1 })
      const network = await createBoneNetwork(shape, randomBoneTensors(shape, 2), { backend } as object)
      const { matrices, drivers } = randomBonePose(shape, 2)
      const moved = withoutScale(matrices).map((entry, i) => (i % 16 === 12 ? entry + 2e5 : entry))
      network.pose(moved, drivers)
      const places = [-1e7, -1e4, 0, 1e4, 1.5e5, 2.5e5, 2.8e5, 1e7]
      const { distances, gradients } = ask(network, Float64Array.from(places.flatMap((x) => [x, 0, 0])))
      for (const [i, x] of places.entries()) {
        expect(Math.abs(distances[i] - Math.abs(x - 2e5))).toBeLessThan(5)
        expect(Math.abs(gradients[3 * i] - Math.sign(x - 2e5))).toBeLessThan(2e-3)
      }
    }
  })

  it('beyond single precision, too', async () => {
    const points = Float64Array.of(1e39, 0, 0, 0, -1e60, 1e60, 1e153, 0, 0, 1e200, 1e200, 0, 0, 0, 1e300)
    for (const backend of ['scalar', 'simd']) {
      const { distances } = ask(await posed(1, 2, 3, { backend }), points)
      const lengths = [1e39, Math.SQRT2 * 1e60, 1e153, Math.SQRT2 * 1e200, 1e300]
      for (const [i, length] of lengths.entries()) expect(distances[i] / length).toBeCloseTo(1, 6)
    }
  })

  it.each([1, 2, 3, 5])('that are not finite get NaN from both, %d bones', async (bones) => {
    const broken = [Number.NaN, Infinity, -Infinity].flatMap((x) => [
      [x, 0, 0],
      [0, x, 0],
      [0, 0, x],
      [x, x, x],
      [x, -x, 1e30],
    ])
    for (const backend of ['scalar', 'simd']) {
      const network = await posed(bones, bones, 3, { backend })
      const { distances, gradients } = ask(network, Float64Array.from(broken.flat()))
      expect([...distances, ...gradients].filter((value) => !Number.isNaN(value))).toEqual([])
    }
  })

  it('do not end or hold up threads', async () => {
    const network = await posed(2, 2, 4, { backend: 'simd', threads: 3 })
    const alone = await posed(2, 2, 4, { backend: 'simd' })
    const points = Float32Array.from({ length: 12_000 }, (_, i) => FAR[i % FAR.length])
    expect(ask(network, points)).toEqual(ask(alone, points))
    network.dispose()
  })
})
