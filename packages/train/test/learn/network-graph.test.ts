import { randomStream } from 'pliant'
import { createNetwork, type NetworkShape, networkTensors } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { compileFunction, constant, grad, input, sum } from '../../src/graph/index.js'
import { networkGraph } from '../../src/learn/network-graph.js'

const box = { lower: [-1, -0.8, -0.6], upper: [1, 0.8, 0.6] } as const
const base: NetworkShape = {
  code: 3,
  conditioning: { kind: 'input' },
  warp: null,
  grids: [],
  hidden: [8, 8],
  activation: 'relu',
  output: 'tanh',
}
const grids = [
  { ...box, resolution: [4, 3, 2] as const, channels: 2 },
  { ...box, resolution: [5, 4, 6] as const, channels: 3 },
]
const shapes: Record<string, NetworkShape> = {
  'the paper: code beside the point': base,
  'a static object': { ...base, code: 0 },
  'static grids': { ...base, grids, activation: 'elu', output: 'linear' },
  'warp and grids': {
    ...base,
    conditioning: { kind: 'blend', coefficients: 4, hidden: 5, layers: 0 },
    warp: { ...box, resolution: [4, 4, 3], channels: 5 },
    grids,
    activation: 'silu',
    output: 'linear',
  },
  'warp of three channels, blended layers': {
    ...base,
    conditioning: { kind: 'blend', coefficients: 4, hidden: 0, layers: 3 },
    warp: { ...box, resolution: [3, 3, 3], channels: 3 },
    activation: 'softplus',
  },
  'blended layers without a warp': {
    ...base,
    conditioning: { kind: 'blend', coefficients: 2, hidden: 3, layers: 2 },
    grids: grids.slice(0, 1),
    activation: 'tanh',
  },
}

describe.each(Object.entries(shapes))('the training graph of %s (seed 21)', (_, shape) => {
  const random = randomStream(21)
  const tensors = new Map(
    [...networkTensors(shape)].map(([name, dims]) => [
      name,
      Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, () => 0.3 * random.normal()),
    ]),
  )
  const dims = networkTensors(shape)
  const tensor = (name: string) => constant(tensors.get(name)!, dims.get(name)!)
  const poses = 3
  const perPose = 50
  const points = Float32Array.from({ length: 3 * poses * perPose }, () => random.between(-1, 1))
  const codes = Float32Array.from({ length: poses * shape.code }, () => random.between(-1, 1))

  it('answers for many poses what the runtime answers for each', async () => {
    const pointsIn = input('points', [poses * perPose, 3])
    const codesIn = shape.code > 0 ? input('codes', [poses, shape.code]) : null
    const value = networkGraph(shape, tensor, { points: pointsIn, codes: codesIn, poses, pointsPerPose: perPose })
    const inputs = codesIn ? [pointsIn, codesIn] : [pointsIn]
    const fn = await compileFunction({ inputs, outputs: { value } })
    const { value: got } = await fn.run(codesIn ? { points, codes } : { points })
    const network = await createNetwork(shape, tensors, { backend: 'scalar' })
    const expected = new Float32Array(perPose)
    for (let p = 0; p < poses; p++) {
      network.pose(codes.subarray(p * shape.code, (p + 1) * shape.code))
      network.query(points.subarray(3 * p * perPose), perPose, expected)
      for (let i = 0; i < perPose; i++) expect(Math.abs(got[p * perPose + i] - expected[i])).toBeLessThan(1e-5)
    }
    await fn.dispose()
  })

  it('answers for one code and any number of points, with the gradient of the runtime', async () => {
    const pointsIn = input('points', ['n', 3])
    const codesIn = shape.code > 0 ? input('codes', [1, shape.code]) : null
    const value = networkGraph(shape, tensor, { points: pointsIn, codes: codesIn, poses: 1, pointsPerPose: 'n' })
    const gradient = grad(sum(value), [pointsIn])[0]
    const inputs = codesIn ? [pointsIn, codesIn] : [pointsIn]
    const fn = await compileFunction({ inputs, outputs: { value, gradient } })
    const network = await createNetwork(shape, tensors, { backend: 'scalar' })
    const code = codes.subarray(0, shape.code)
    network.pose(code)
    for (const count of [1, 37]) {
      const some = points.slice(0, 3 * count)
      const got = await fn.run(codesIn ? { points: some, codes: code } : { points: some })
      const values = new Float32Array(count)
      const gradients = new Float32Array(3 * count)
      network.query(some, count, values, gradients)
      for (let i = 0; i < count; i++) expect(Math.abs(got.value[i] - values[i])).toBeLessThan(1e-5)
      for (let i = 0; i < 3 * count; i++) expect(Math.abs(got.gradient[i] - gradients[i])).toBeLessThan(1e-4)
    }
    await fn.dispose()
  })
})
