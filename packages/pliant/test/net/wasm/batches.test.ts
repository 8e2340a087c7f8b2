/** What both kinds of networks get from batches: any size, either precision, one thread or two, always the same bits. */
import { describe, expect, it, vi } from 'vitest'
import type { Floats } from '../../../src/math/floats.js'
import { createSimdBoneNetwork } from '../../../src/net/bones/wasm/simd-bone-network.js'
import type { NetworkShape } from '../../../src/net/network-shape.js'
import { KernelInstance } from '../../../src/net/wasm/kernel-instance.js'
import { createSimdNetwork } from '../../../src/net/wasm/simd-network.js'
import { randomBonePoints, randomBonePose, randomBoneShape, randomBoneTensors } from '../bones/random-bones.js'
import { randomCode, randomPoints, randomTensors } from '../random-network.js'

interface Subject {
  network: {
    readonly threads: number
    query(points: Floats, count: number, values: Floats, gradients?: Floats): void
    dispose(): void
  }
  pose(seed: number): void
}

const dense: NetworkShape = {
  code: 6,
  conditioning: { kind: 'input' },
  warp: null,
  grids: [],
  hidden: [128, 128, 128],
  activation: 'relu',
  output: 'tanh',
}
const bones = randomBoneShape(2, { boneCount: 31, nearest: 3 })

const kinds = [
  {
    name: 'SimdNetwork',
    points: randomPoints,
    async make(threads: number): Promise<Subject> {
      const network = await createSimdNetwork(dense, randomTensors(dense, 2), { relaxed: false, threads })
      return { network, pose: (seed) => network.pose(randomCode(dense, seed)) }
    },
  },
  {
    name: 'SimdBoneNetwork',
    points: randomBonePoints,
    async make(threads: number): Promise<Subject> {
      const network = await createSimdBoneNetwork(bones, randomBoneTensors(bones, 2), { relaxed: false, threads })
      const pose = (seed: number): void => {
        const { matrices, drivers } = randomBonePose(bones, seed)
        network.pose(matrices, drivers)
      }
      return { network, pose }
    },
  },
]

describe.each(kinds)('batches of $name', ({ points: randomPointsOf, make }) => {
  it('may be larger than the staging buffers, in either precision', async () => {
    const { network, pose } = await make(1)
    pose(1)
    const count = 9001
    const points = randomPointsOf(count, 1)
    const single = [new Float32Array(count), new Float32Array(3 * count)]
    const double = [new Float64Array(count), new Float64Array(3 * count)]
    network.query(points, count, single[0], single[1])
    network.query(Float64Array.from(points), count, double[0], double[1])
    expect(Float32Array.from(double[0])).toEqual(single[0])
    expect(Float32Array.from(double[1])).toEqual(single[1])
    const last = new Float32Array(1)
    network.query(points.subarray(3 * (count - 1)), 1, last)
    expect(single[0][count - 1]).toBe(last[0])
  })

  it('take half the work where no gradients are asked for', async () => {
    const { network, pose } = await make(1)
    pose(1)
    const run = vi.spyOn(KernelInstance.prototype, 'run')
    try {
      network.query(randomPointsOf(8, 1), 8, new Float32Array(8))
      network.query(randomPointsOf(8, 1), 8, new Float32Array(8), new Float32Array(24))
      const [[alone, , work], [both, , workOfBoth]] = run.mock.calls
      expect(both).not.toBe(alone)
      expect(workOfBoth).toBe(2 * work)
    } finally {
      run.mockRestore()
    }
  })

  it('are answered the same on two threads, bit for bit', async () => {
    const [one, two] = await Promise.all([make(1), make(2)])
    expect([one.network.threads, two.network.threads]).toEqual([1, 2])
    for (const count of [64, 1000, 5000]) {
      for (let round = 0; round < 15; round++) {
        const points = randomPointsOf(count, round)
        const [a, b] = [one, two].map(({ network, pose }) => {
          pose(round)
          const [alone, values, gradients] = [count, count, 3 * count].map((n) => new Float32Array(n))
          network.query(points, count, alone)
          network.query(points, count, values, gradients)
          expect(values).toEqual(alone)
          return { values, gradients }
        })
        expect(b).toEqual(a)
      }
    }
    two.network.dispose()
    // Disposed of its threads, it still answers, alone.
    expect(two.network.threads).toBe(1)
    two.network.query(randomPointsOf(1000, 1), 1000, new Float32Array(1000))
    two.network.dispose()
  })
})
