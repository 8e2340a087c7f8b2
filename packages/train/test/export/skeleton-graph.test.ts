import { randomStream } from 'pliant'
import { JointCode, Skeleton } from 'pliant/character'
import { jointVector, normaliseQuaternion } from 'pliant/unstable'
import { describe, expect, it } from 'vitest'
import { skeletonGraph } from '../../src/export/skeleton-graph.js'
import { compileFunction, input } from '../../src/graph/index.js'

const JOINTS = 9

describe('skeletonGraph', () => {
  for (const seed of [1, 2, 3]) {
    it(`poses joints as the code and the skeleton do, beyond half a turn too (seed ${seed})`, async () => {
      const code = randomCode(seed)
      const { skeleton } = code
      const given = input('code', [code.size])
      const graph = await compileFunction({ inputs: [given], outputs: { ...skeletonGraph(code, given) } })
      const random = randomStream(seed, 5)
      for (const reach of [0, 1e-5, 0.3, 1.7]) {
        const values = Float32Array.from({ length: code.size }, () => random.between(-reach, reach))
        const posed = await graph.run({ code: values })
        const pose = skeleton.createPose()
        code.decode(values, pose)
        const matrices = new Float64Array(16 * JOINTS)
        skeleton.matrices(pose, matrices)
        const vector = new Float64Array(3)
        for (let joint = 0; joint < JOINTS; joint++) {
          for (let i = 0; i < 16; i++) {
            const rowMajor = 16 * joint + 4 * (i % 4) + Math.floor(i / 4)
            expect(posed.matrices[rowMajor], `joint ${joint}, entry ${i}`).toBeCloseTo(matrices[16 * joint + i], 4)
          }
          jointVector(skeleton, pose, joint, vector, 0)
          // At half a turn the vector and its opposite are the same rotation.
          if (Math.hypot(...vector) > 3.13) continue
          for (let k = 0; k < 3; k++) {
            expect(Math.PI * posed.vectors[3 * joint + k], `vector ${joint}`).toBeCloseTo(vector[k], 4)
          }
        }
      }
      await graph.dispose()
    })
  }

  it('refuses a code that is measured from carriers: turns in parents are no part of it', () => {
    const code = randomCode(1)
    const carried = new JointCode(code.skeleton, { ...code, carriers: code.skeleton.parents })
    const message = /^export: the joint code is measured from carriers, this network by parents; train it again\.$/
    expect(() => skeletonGraph(carried, input('code', [code.size]))).toThrow(message)
  })
})

/** Joints that turn and slide, some not at all, hung from a root that is not the first, with scales. */
function randomCode(seed: number): JointCode {
  const random = randomStream(seed, 1)
  const parents = Int32Array.from({ length: JOINTS }, (_, joint) =>
    joint < 2 ? joint - 1 : 1 + random.below(joint - 1),
  )
  const skeleton = new Skeleton({
    names: Array.from({ length: JOINTS }, (_, joint) => `joint ${joint}`),
    parents,
    root: 1,
    rest: randomPose(),
  })
  const entries = Array.from({ length: JOINTS * 6 }, (_, i) => ({ joint: Math.floor(i / 6), axis: i % 6 })).filter(
    ({ joint }) => joint > 1 && joint % 3 > 0 && random.uniform() < 0.6,
  )
  return new JointCode(skeleton, {
    joints: Uint16Array.from(entries, ({ joint }) => joint),
    axes: Uint8Array.from(entries, ({ axis }) => axis),
    units: Float64Array.from(entries, ({ axis }) => (axis < 3 ? Math.PI : 1.7)),
    fixed: randomPose(),
    bounds: { lower: new Float64Array(entries.length).fill(-1), upper: new Float64Array(entries.length).fill(1) },
    dropped: [],
    largestAngle: 1,
  })

  function randomPose() {
    const rotations = Float64Array.from({ length: 4 * JOINTS }, () => random.normal())
    for (let joint = 0; joint < JOINTS; joint++) normaliseQuaternion(rotations, 4 * joint)
    return {
      translations: Float64Array.from({ length: 3 * JOINTS }, () => random.between(-0.4, 0.4)),
      rotations,
      scales: new Float64Array(3 * JOINTS).fill(1).map((_, i) => (Math.floor(i / 3) === 4 ? 1.3 : 1)),
    }
  }
}
