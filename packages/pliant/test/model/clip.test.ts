import { expect, it } from 'vitest'
import { type Clip, sampleClip } from '../../src/model/clip.js'
import { Skeleton } from '../../src/model/skeleton.js'

const skeleton = new Skeleton({
  names: ['root', 'tip'],
  parents: Int32Array.of(-1, 0),
  root: 0,
  rest: {
    translations: new Float64Array(6),
    rotations: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1),
    scales: new Float64Array(6).fill(1),
  },
})
const clip: Clip = {
  name: 'slide',
  duration: 2,
  tracks: [
    {
      target: 1,
      path: 'translation',
      size: 3,
      interpolation: 'LINEAR',
      times: Float32Array.of(0, 2),
      values: Float32Array.of(0, 0, 0, 4, 0, 0),
    },
  ],
}
const place = (time: number): number => {
  const pose = skeleton.createPose()
  sampleClip(skeleton, clip, time, pose)
  return pose.translations[3]
}

it('a clip has its last key at its end, and begins again after it and before its start', () => {
  expect([0, 0.5, 2].map(place)).toEqual([0, 1, 4])
  // A step beyond the end is a step from the beginning; otherwise loops jump, or the last key is never shown.
  expect(place(2.5)).toBeCloseTo(1)
  expect(place(-0.5)).toBeCloseTo(3)
  expect(place(6.5)).toBeCloseTo(1)
})
