/** Poses in a file: as many as it says, for no more memory than it has. */
import { expect, test } from 'vitest'
import { storePoses, takePoses } from '../../src/artifact/kinds/stored-poses.js'
import type { Tensors } from '../../src/artifact/take.js'
import { Skeleton } from '../../src/model/skeleton.js'

const joints = 1000
const skeleton = new Skeleton({
  names: Array.from({ length: joints }, (_, i) => `joint ${i}`),
  parents: Int32Array.from({ length: joints }, (_, i) => i - 1),
  root: 0,
  rest: {
    translations: new Float64Array(3 * joints).fill(0.1),
    rotations: Float64Array.from({ length: 4 * joints }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    scales: new Float64Array(3 * joints).fill(1),
  },
})

test('100,000 poses that no tensor backs share one, apart from the rest pose of the skeleton', () => {
  const poses = takePoses(new Map(), 'heldOut', 100_000, skeleton)
  expect(poses.length).toBe(100_000)
  expect(new Set(poses.flatMap(({ translations, rotations, scales }) => [translations, rotations, scales])).size).toBe(
    3,
  )
  expect(poses[99_999].translations).toEqual(skeleton.rest.translations)
  expect(poses[0].translations).not.toBe(skeleton.rest.translations)
})

test('poses that differ come back each as it was', () => {
  const tensors: Tensors = new Map()
  const poses = [1, 2].map((turn) => {
    const pose = skeleton.createPose()
    pose.rotations.set([0, 0, Math.fround(0.1 * turn), 1], 4 * 7)
    return pose
  })
  storePoses(tensors, 'heldOut', poses, skeleton)
  expect([...tensors.keys()]).toEqual(['heldOut.rotations'])
  const taken = takePoses(tensors, 'heldOut', 2, skeleton)
  expect(taken.map(({ rotations }) => rotations[4 * 7 + 2])).toEqual(poses.map(({ rotations }) => rotations[4 * 7 + 2]))
})
