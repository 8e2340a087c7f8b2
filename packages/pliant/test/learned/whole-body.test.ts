import { expect, it } from 'vitest'
import type { NeuralFrame } from '../../src/learned/neural.js'
import { SurfaceProbes } from '../../src/learned/surface-probes.js'
import { WholeBodyField } from '../../src/learned/whole-body.js'
import { randomStream } from '../../src/math/random.js'
import { gatherVertices } from '../../src/mesh/gather-vertices.js'
import { JointCode } from '../../src/model/joint-code.js'
import { Skeleton, type SkeletonPose } from '../../src/model/skeleton.js'
import { SkinnedCharacter } from '../../src/model/skinned-character.js'
import { createNetwork } from '../../src/net/create-network.js'
import { multiplicationsPerQuery, type NetworkShape } from '../../src/net/network-shape.js'
import { conformField } from '../field/conformance.js'
import { randomSurface } from '../field/random-surface.js'
import { randomTensors } from '../net/random-network.js'

const SEED = 8
const TRUNCATION = 0.15
const skeleton = new Skeleton({
  names: ['root', 'elbow'],
  parents: Int32Array.of(-1, 0),
  root: 0,
  rest: {
    translations: Float64Array.of(0, 1, 0, 0, 0.5, 0),
    rotations: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    scales: new Float64Array(6).fill(1),
  },
})
const code = new JointCode(skeleton, {
  joints: Uint16Array.of(1, 1),
  axes: Uint8Array.of(0, 2),
  units: Float64Array.of(Math.PI, Math.PI),
  fixed: skeleton.createPose(),
  bounds: { lower: Float64Array.of(-0.4, -0.3), upper: Float64Array.of(0.5, 0.3) },
  dropped: [],
  largestAngle: 1.6,
})
const dense: NetworkShape = {
  code: 2,
  conditioning: { kind: 'input' },
  warp: null,
  grids: [],
  hidden: Array<number>(8).fill(128),
  activation: 'relu',
  output: 'tanh',
}
const frame: NeuralFrame = {
  name: 'arm',
  code: { size: 2, lower: [-0.4, -0.3], upper: [0.5, 0.3] },
  normalisation: { centre: [0.1, 0.2, 0], scale: 1.5, codeOffset: [0, 0], codeScale: [1, 1] },
  domain: { lower: [-1, -1.2, -1], upper: [1.2, 1.6, 1] },
  truncation: TRUNCATION,
}
const tensors = randomTensors(dense, SEED)

async function makeField(backend: 'scalar' | 'auto' = 'auto'): Promise<WholeBodyField> {
  return new WholeBodyField(frame, code, await createNetwork(dense, tensors, { backend }))
}

for (const backend of ['scalar', 'auto'] as const) {
  conformField({
    name: `the paper's field of a character (${backend})`,
    async make() {
      const field = await makeField(backend)
      field.update({ code: [0.2, -0.1] })
      return field
    },
    box: { lower: [-1.5, -1.5, -1.5], upper: [1.5, 2, 1.5] },
    inside: [],
    outside: [[3, 0, 0]],
    step: 1e-3,
    gradientTolerance: 0.05,
    // Where one of 1,024 rectifiers turns, and the edge of the domain.
    kinks: 0.4,
  })
}

it(`folds the code into the first bias without changing the answer (seed ${SEED})`, async () => {
  const field = await makeField()
  const random = randomStream(SEED)
  const angles = [0.3, -0.2]
  field.update({ code: angles })
  const points = Float64Array.from({ length: 300 }, () => random.between(-0.9, 0.9))
  const answers = new Float64Array(100)
  field.query(points, 100, answers)
  const { centre, scale } = frame.normalisation
  for (let i = 0; i < 100; i++) {
    const q = [0, 1, 2].map((axis) => (points[3 * i + axis] - centre[axis]) / scale)
    expect(Math.abs(answers[i] - scale * unfolded([...q, ...angles]))).toBeLessThan(1e-5)
  }
  expect(multiplicationsPerQuery(dense)).toBe(115_200)
})

it('follows a skeleton by its joint angles; what the root does is not seen', async () => {
  const field = await makeField()
  const pose = skeleton.createPose()
  code.decode([0.25, 0.1], pose)
  pose.translations.set([5, 6, 7], 0)
  const points = Float64Array.of(0.2, 0.4, 0.1, -0.3, 0, 0.2)
  const [byPose, byCode] = [new Float64Array(2), new Float64Array(2)]
  field.update(skeleton.stateOf(pose))
  field.query(points, 2, byPose)
  field.update({ code: [0.25, 0.1] })
  field.query(points, 2, byCode)
  expect(Math.abs(byPose[0] - byCode[0])).toBeLessThan(1e-6)
  expect(Math.abs(byPose[1] - byCode[1])).toBeLessThan(1e-6)
})

it('tells its error where the skeleton is, joints that it does not see included, or where its code is', async () => {
  const surface = randomSurface(skeleton.jointCount, 3)
  const character = new SkinnedCharacter({ skeleton, code, surface, height: 1, skinning: 'linear' })
  const network = await createNetwork(dense, tensors, { backend: 'scalar' })
  const judged = { shape: character, measured: { distances: 1, probes: 1 } }
  const field = new WholeBodyField(frame, code, network, judged)
  const rest = new Float64Array(3 * character.vertexCount)
  character.positionsOfPose(skeleton.rest, rest)
  const errorOn = (pose: SkeletonPose): number => {
    const probes = new SurfaceProbes({ positions: rest, triangles: surface.triangles })
    const positions = new Float64Array(rest.length)
    character.positionsOfPose(pose, positions)
    gatherVertices(positions, probes.corners, probes.places)
    return probes.meanError(field)
  }
  const pose = skeleton.createPose()
  code.decode([0.25, 0.1], pose)
  field.update(skeleton.stateOf(pose))
  const seen = field.probeError
  expect(seen).toBeCloseTo(errorOn(pose), 10)
  // Slides are no part of this code: the network answers as before, the surface is elsewhere.
  const slid = { ...pose, translations: Float64Array.of(0, 1, 0, 0.2, 0.9, 0) }
  field.update(skeleton.stateOf(slid))
  expect(field.probeError).toBeCloseTo(errorOn(slid), 10)
  expect(field.probeError).not.toBeCloseTo(seen, 3)
  field.update({ code: [0.25, 0.1] })
  expect(field.probeError).toBeCloseTo(seen, 6)
  // What is refused leaves it there.
  field.update(skeleton.stateOf(slid))
  field.update({ code: [0.25, 0.1] })
  expect(() => field.update(skeleton.stateOf({ ...slid, scales: new Float64Array(1) }))).toThrow('update: scales are ')
  expect(field.probeError).toBeCloseTo(seen, 6)
})

/** Eq. 3 of the paper as it stands: the code beside every point. */
function unfolded(input: number[]): number {
  let values = input
  for (let l = 0; l <= dense.hidden.length; l++) {
    const weight = tensors.get(`dense.${l}.weight`)!
    const bias = tensors.get(`dense.${l}.bias`)!
    const next = Array.from(bias, (b, o) => values.reduce((sum, v, i) => sum + v * weight[i * bias.length + o], b))
    values = l < dense.hidden.length ? next.map((v) => Math.max(0, v)) : next.map(Math.tanh)
  }
  return values[0]
}
