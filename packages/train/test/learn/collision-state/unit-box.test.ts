import { CollisionDetector } from 'pliant/unstable'
import { expect, it } from 'vitest'
import { randomStateTensors, SMALL_STATE } from '../../../../pliant/test/net/collision-state/random-collision-state.js'
import { UnitBox } from '../../../src/learn/collision-state/unit-box.js'

const lower = [-2, 0.5, -1, 3, -0.1]
const upper = [4, 0.7, 1, 8, 0.1]
const box = new UnitBox({ lower, upper })

it('scales codes of a box to -1 to 1 and back', () => {
  expect([...box.into(Float32Array.from([...lower, ...upper]))]).toEqual(
    [...Array(5).fill(-1), ...Array(5).fill(1)].map((value) => expect.closeTo(value, 5)),
  )
  const codes = Float32Array.of(1, 0.55, 0.2, 4, 0.05)
  expect([...box.outOf(box.into(codes))]).toEqual([...codes].map((value) => expect.closeTo(value, 5)))
})

it('takes its scaling into the first layers: the network says the same of codes as they are', async () => {
  const tensors = randomStateTensors(SMALL_STATE, 6)
  const scaled = await CollisionDetector.create(SMALL_STATE, tensors, { backend: 'scalar' })
  const plain = await CollisionDetector.create(SMALL_STATE, box.outOfWeights(SMALL_STATE, tensors), {
    backend: 'scalar',
  })
  const codes = Float32Array.from(
    { length: 10 * 5 },
    (_, i) => lower[i % 5] + (upper[i % 5] - lower[i % 5]) * ((i * 7) % 11) * 0.1,
  )
  const [due, found] = [new Float64Array(10), new Float64Array(10)]
  const [dueGradients, gradients] = [new Float64Array(50), new Float64Array(50)]
  scaled.query(box.into(codes), 10, due, dueGradients)
  plain.query(codes, 10, found, gradients)
  for (let i = 0; i < 10; i++) {
    expect(found[i]).toBeCloseTo(due[i], 4)
    const length = Math.hypot(...gradients.subarray(5 * i, 5 * i + 5))
    expect(box.lengthOf(Float32Array.from(dueGradients), i) / length).toBeCloseTo(1, 3)
  }
})
