import { describe, expect, it } from 'vitest'
import { wasTrainedOn } from '../../src/artifact/kinds/trained-clips.js'
import { multiplyQuaternions, quaternionOfVector } from '../../src/math/quaternion.js'
import { randomStream } from '../../src/math/random.js'
import type { Clip } from '../../src/model/clip.js'
import { clipFingerprint, FINGERPRINT_LENGTH, isSameClip } from '../../src/model/clip-fingerprint.js'
import { Skeleton } from '../../src/model/skeleton.js'

const COUNT = 12
const skeleton = new Skeleton({
  names: Array.from({ length: COUNT }, (_, i) => `joint ${i}`),
  parents: Int32Array.from({ length: COUNT }, (_, i) => Math.floor((i - 1) / 2)),
  root: 0,
  rest: {
    translations: new Float64Array(3 * COUNT).fill(0.1),
    rotations: Float64Array.from({ length: 4 * COUNT }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    scales: new Float64Array(3 * COUNT).fill(1),
  },
})

/** Random turns of every joint; `noise` on each of its numbers, `bend` on one joint [rad]. */
function clipOf(seed: number, { noise = 0, bend = 0, name = 'clip', root = 0 } = {}): Clip {
  const random = randomStream(seed)
  const errors = randomStream(99)
  const times = Float32Array.of(0, 0.5, 1.2, 2)
  const tracks = skeleton.names.map((_, target) => {
    const values = new Float32Array(16)
    for (let key = 0; key < 4; key++) {
      quaternionOfVector(
        [0, 1, 2].map(() => 0.5 * random.normal()),
        0,
        values,
        4 * key,
      )
      const extra = target === 0 ? root : target === 5 ? bend : 0
      multiplyQuaternions(values, 4 * key, [Math.sin(extra / 2), 0, 0, Math.cos(extra / 2)], 0, values, 4 * key)
    }
    const noisy = values.map((value) => value + noise * errors.normal())
    return { target, path: 'rotation' as const, interpolation: 'LINEAR' as const, size: 4, times, values: noisy }
  })
  return { name, duration: 2, tracks }
}

describe('what a clip does', () => {
  const print = (clip: Clip) => clipFingerprint(skeleton, clip)

  it('is known again under another name, rounded by another program, and wherever its root goes', () => {
    for (let seed = 0; seed < 20; seed++) {
      const own = print(clipOf(seed))
      expect(own).toHaveLength(FINGERPRINT_LENGTH)
      expect(isSameClip(own, print(clipOf(seed, { name: 'other', noise: 1e-4, root: 1 }))), `seed ${seed}`).toBe(true)
    }
  })

  it('differs between motions, also where one joint of twelve is bent by 20 degrees, and where it is cut', () => {
    const prints = Array.from({ length: 40 }, (_, seed) => print(clipOf(seed)))
    prints.forEach((a, i) => {
      expect(prints.findIndex((b) => isSameClip(a, b))).toBe(i)
    })
    expect(isSameClip(prints[0], print(clipOf(0, { bend: 0.35 })))).toBe(false)
    expect(isSameClip(prints[0], print({ ...clipOf(0), duration: 1.9 }))).toBe(false)
  })

  it('decides what was trained on, whatever it is called', () => {
    const clips = [{ name: 'clip', fingerprint: print(clipOf(0)) }]
    const known = { model: { clips } } as unknown as Parameters<typeof wasTrainedOn>[0]
    expect(wasTrainedOn(known, skeleton, clipOf(0, { name: 'new name' }))).toBe(true)
    expect(wasTrainedOn(known, skeleton, clipOf(1))).toBe(false)
  })
})
