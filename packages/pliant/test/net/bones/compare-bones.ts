/** Every backend against the scalar reference over random bone networks; shared by the Node and the browser tests. */
import { expect } from 'vitest'
import { type BoneNetwork, createBoneNetwork } from '../../../src/net/bones/bone-network.js'
import type { NetworkOptions } from '../../../src/net/create-network.js'
import { randomBonePoints, randomBonePose, randomBoneShape, randomBoneTensors } from './random-bones.js'

export const COUNTS = [0, 1, 3, 17, 1000]

/** Backends agree to this, relative to 1 + the size of the value. */
const TOLERANCE = 1e-5
/** Gradients are sums of terms `sharpness` times as large, here up to 40, that cancel. */
const GRADIENT_TOLERANCE = 1e-4

/**
 * Asks two networks of one random shape the same questions and compares distances and gradients.
 * @param make    makes the one that is compared
 * @param counts  of points to ask
 */
export async function compareBonesWithScalar(
  seed: number,
  options: NetworkOptions,
  fixed: Parameters<typeof randomBoneShape>[1] = {},
  make: typeof createBoneNetwork = createBoneNetwork,
  counts = COUNTS,
): Promise<void> {
  const shape = randomBoneShape(seed, fixed)
  const tensors = randomBoneTensors(shape, seed)
  const reference = await createBoneNetwork(shape, tensors, { backend: 'scalar' })
  const network = await make(shape, tensors, options)
  expect(network.backend).toBe(options.backend)
  // Two poses: the second must leave nothing of the first behind.
  for (const pose of [1, 2]) {
    const { matrices, drivers } = randomBonePose(shape, seed + 1000 * pose)
    reference.pose(matrices, drivers)
    network.pose(matrices, drivers)
    for (const count of counts) {
      const points = randomBonePoints(count, seed + count)
      const expected = ask(reference, points, count)
      const actual = ask(network, points, count)
      const alone = new Float32Array(count)
      network.query(points, count, alone)
      let steep = 0
      const wrong: string[] = []
      for (let i = 0; i < count; i++) {
        const differences = compare(expected, actual, i)
        const tolerance = { distance: TOLERANCE, gradient: GRADIENT_TOLERANCE }
        if (!(differences.distance < tolerance.distance) || !(differences.gradient < tolerance.gradient)) {
          // Near a kink or where windows are all but shut, the last bits of the point decide: so they do in the
          // reference. Both must lie within what it answers around the point.
          const spread = answersAround(reference, points.subarray(3 * i, 3 * i + 3))
          tolerance.distance += 2 * spread.distance
          tolerance.gradient += 2 * spread.gradient
          steep++
        }
        const isRight = differences.distance < tolerance.distance && differences.gradient < tolerance.gradient
        if (!isRight) wrong.push(`point ${i} of ${count}, pose ${pose}: off by ${JSON.stringify(differences)}`)
        if (alone[i] !== actual.distances[i])
          wrong.push(`point ${i} of ${count}: the distance is another without gradients`)
      }
      expect(wrong).toEqual([])
      expect(steep, `points at kinks of ${count}`).toBeLessThanOrEqual(Math.ceil(count / 100))
    }
  }
  network.dispose()
}

interface Answer {
  distances: Float64Array
  gradients: Float64Array
}

function ask(network: BoneNetwork, points: Float32Array | Float64Array, count: number): Answer {
  const [distances, gradients] = [new Float64Array(count), new Float64Array(3 * count)]
  network.query(points, count, distances, gradients)
  return { distances, gradients }
}

/** Differences at a point, relative to 1 + the size of what is expected. */
function compare(expected: Answer, actual: Answer, i: number, j = i): { distance: number; gradient: number } {
  const length = Math.hypot(...expected.gradients.subarray(3 * i, 3 * i + 3))
  const difference = [0, 1, 2].map((axis) => actual.gradients[3 * j + axis] - expected.gradients[3 * i + axis])
  return {
    distance: Math.abs(actual.distances[j] - expected.distances[i]) / (1 + Math.abs(expected.distances[i])),
    gradient: Math.hypot(...difference) / (1 + length),
  }
}

/** How much the answers change within 1e-6, about what single precision does to a point's place in a box. */
function answersAround(network: BoneNetwork, point: Float32Array): { distance: number; gradient: number } {
  const points = new Float64Array(3 * 15)
  for (let n = 0; n < 15; n++) {
    const move = [n & 1, n & 2, n & 4].map((bit) => (bit ? 1 : -1))
    for (let axis = 0; axis < 3; axis++) {
      const along = n < 8 ? move[axis] : Math.floor((n - 8) / 2) === axis ? (n % 2 ? 1 : -1) : 0
      points[3 * n + axis] = point[axis] + 1e-6 * along
    }
  }
  const answers = ask(network, points, 15)
  const differences = Array.from({ length: 15 }, (_, n) => compare(answers, answers, 14, n))
  return {
    distance: Math.max(...differences.map(({ distance }) => distance)),
    gradient: Math.max(...differences.map(({ gradient }) => gradient)),
  }
}
