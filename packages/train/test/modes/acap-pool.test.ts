import { encodeShapes } from '@pliant/train/unstable'
import { AcapFeatures } from 'pliant/unstable'
import { expect, test } from 'vitest'
import { bar, bend, mapped } from '../../../pliant/test/model/acap/shapes.js'

const reference = bar(12, 2)
const shapes = Array.from({ length: 40 }, (_, i) =>
  Float32Array.from(mapped(reference.positions, bend(0.1 + 0.02 * i))),
)

test('features are those of one shape after the other, whatever the number of workers', async () => {
  const fractions: number[] = []
  const onProgress = ({ fraction }: { fraction: number }): void => void fractions.push(fraction)
  const [one, two] = await Promise.all([
    encodeShapes(reference, shapes, { threads: 1, onProgress }),
    encodeShapes(reference, shapes, { threads: 2 }),
  ])
  expect(two).toEqual(one)
  expect(fractions.at(-1)).toBe(1)
  const acap = new AcapFeatures(reference)
  const features = new Float32Array(acap.size)
  shapes.forEach((shape, i) => {
    acap.encode(shape, features)
    expect(one[i]).toEqual(features)
  })
})

test('shapes that do not belong to the reference are named', async () => {
  const other = [...shapes.slice(0, 20), new Float32Array(9)]
  await expect(encodeShapes(reference, other)).rejects.toThrow(
    'acap: shape 20 has 3 vertices, the reference 106; give meshes of the same vertices.',
  )
  const broken = shapes.map((shape, i) => (i === 17 ? shape.slice().fill(Number.NaN, 3, 4) : shape))
  await expect(encodeShapes(reference, broken, { threads: 1 })).rejects.toThrow(
    'shape 17: acap: vertex 1 is NaN; pass finite numbers.',
  )
})

test('an abort ends it with its reason', async () => {
  const aborting = new AbortController()
  const features = encodeShapes(reference, shapes, { threads: 1, signal: aborting.signal })
  aborting.abort(new Error('enough'))
  await expect(features).rejects.toThrow('enough')
})
