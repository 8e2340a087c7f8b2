import { randomStream } from 'pliant'
import {
  type BoneNetworkShape,
  boneTensors,
  chooseBones,
  createBoneNetwork,
  MAX_DRIVERS,
  makePosedBones,
  poseBones,
} from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { compileFunction, constant, input, intInput, type Tensor } from '../../src/graph/index.js'
import { type BoneBatch, boneGraph } from '../../src/learn/frames/bone-graph.js'

describe('boneGraph', () => {
  for (const seed of [1, 2, 3, 4]) {
    it(`trains the network that the runtime runs (seed ${seed})`, async () => {
      const shape = randomShape(seed)
      const tensors = randomTensors(shape, seed)
      const random = randomStream(seed, 3)
      const matrices = randomMatrices(shape, seed)
      const drivers = Float32Array.from({ length: shape.bones.length * 3 * MAX_DRIVERS }, () => 0.3 * random.normal())
      const count = 500
      const points = Float32Array.from({ length: 3 * count }, () => random.between(-1, 1))

      const batch = makeBatch(shape, count)
      const { poses: _, ...inputs } = batch
      const dimensions = boneTensors(shape)
      const f = boneGraph(shape, (name) => constant(tensors.get(name)!, dimensions.get(name)!), batch)
      const graph = await compileFunction({ inputs: Object.values(inputs) as Tensor[], outputs: { f } })
      const trained = (await graph.run({ drivers, ...seePoints(shape, matrices, points, count) })).f

      for (const backend of ['scalar', 'auto'] as const) {
        const network = await createBoneNetwork(shape, tensors, { backend })
        network.pose(matrices, drivers)
        const distances = new Float64Array(count)
        network.query(points, count, distances)
        for (let i = 0; i < count; i++) {
          const expected = trained[i] * shape.scale
          expect(Math.abs(distances[i] - expected), `${backend}, point ${i}`).toBeLessThan(
            1e-5 * (1 + Math.abs(expected)),
          )
        }
      }
    })
  }
})

/** Seeds beyond 2 have fewer bones than are asked to answer. */
function randomShape(seed: number): BoneNetworkShape {
  const random = randomStream(seed, 1)
  const vec = (lower: number, upper: number) =>
    Array.from({ length: 3 }, () => random.between(lower, upper)) as [number, number, number]
  return {
    bones: Array.from({ length: seed > 2 ? 2 : 12 }, (_, b) => ({
      name: `bone ${b}`,
      joint: b,
      centre: vec(-0.05, 0.05),
      half: vec(0.15, 0.5),
      nodes: [3 + (b % 4), 7, 5 + (b % 3)],
      start: vec(-0.1, 0.1),
      end: vec(-0.3, 0.3),
      radius: random.between(0, 0.1),
      drivers: [b],
    })),
    nearest: 3,
    fade: 0.15,
    sharpness: 20,
    scale: 1.7,
    coefficients: 5,
    codeHidden: 6,
    warp: { resolution: 4, features: 3 },
    grid: { features: 2 },
    hidden: 10,
  }
}

function randomTensors(shape: BoneNetworkShape, seed: number): Map<string, Float32Array> {
  let stream = 10
  return new Map(
    Array.from(boneTensors(shape), ([name, dimensions]) => {
      const random = randomStream(seed, stream++)
      const size = dimensions.reduce((product, n) => product * n, 1)
      const spread = name.startsWith('warp') || name === 'grid' ? 0.1 : 0.3
      return [name, Float32Array.from({ length: size }, () => spread * random.normal())]
    }),
  )
}

/** A turn about one axis, a scale and a place for each joint. */
function randomMatrices(shape: BoneNetworkShape, seed: number): Float64Array {
  const random = randomStream(seed, 2)
  const matrices = new Float64Array(16 * shape.bones.length)
  for (let j = 0; j < shape.bones.length; j++) {
    const angle = random.between(-3, 3)
    const scale = random.between(0.8, 1.25)
    const [c, s] = [scale * Math.cos(angle), scale * Math.sin(angle)]
    const place = [0, 1, 2].map(() => random.between(-0.6, 0.6))
    matrices.set([c, s, 0, 0, -s, c, 0, 0, 0, 0, scale, 0, ...place, 1], 16 * j)
  }
  return matrices
}

function makeBatch(shape: BoneNetworkShape, count: number): BoneBatch {
  const { nearest, bones } = shape
  return {
    drivers: input('drivers', [1, bones.length, 3 * MAX_DRIVERS]),
    poses: 1,
    local: input('local', [count * nearest, 3]),
    bone: intInput('bone', [count * nearest]),
    posedBone: intInput('posedBone', [count * nearest]),
    window: input('window', [count, nearest]),
    outside: input('outside', [count, nearest]),
  }
}

/** Points as the graph wants them: in the boxes of the bones that answer, clamped, with what lies beyond. */
function seePoints(shape: BoneNetworkShape, matrices: Float64Array, points: Float32Array, count: number) {
  const { nearest } = shape
  const posed = makePosedBones(shape.bones.length)
  poseBones(shape, matrices, posed)
  const choice = { bones: new Int32Array(nearest), windows: new Float64Array(nearest) }
  const local = new Float32Array(3 * count * nearest)
  const bone = new Int32Array(count * nearest)
  const window = new Float32Array(count * nearest)
  const outside = new Float32Array(count * nearest)
  for (let i = 0; i < count; i++) {
    const [x, y, z] = points.subarray(3 * i, 3 * i + 3)
    chooseBones(shape, posed, x, y, z, choice)
    for (let k = 0; k < nearest; k++) {
      const row = i * nearest + k
      const b = choice.bones[k]
      let squared = 0
      for (let axis = 0; axis < 3; axis++) {
        const [a0, a1, a2, a3] = posed.toBox.subarray(12 * b + 4 * axis)
        const seen = a0 * x + a1 * y + a2 * z + a3
        local[3 * row + axis] = Math.min(Math.max(seen, -1), 1)
        squared += ((seen - Math.min(Math.max(seen, -1), 1)) * shape.bones[b].half[axis]) ** 2
      }
      bone[row] = b
      window[row] = choice.windows[k]
      outside[row] = Math.sqrt(squared) / shape.scale
    }
  }
  return { local, bone, posedBone: bone, window, outside }
}
