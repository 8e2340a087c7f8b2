import { expect, it } from 'vitest'
import { Skeleton, type SkeletonPose } from '../../../src/model/skeleton.js'
import { type BodyField, GuardedField } from '../../../src/sim/dress/body-field.js'

const skeleton = new Skeleton({
  names: ['root'],
  parents: Int32Array.of(-1),
  root: 0,
  rest: {
    translations: new Float64Array(3),
    rotations: Float64Array.of(0, 0, 0, 1),
    scales: new Float64Array(3).fill(1),
  },
})

/** Answers with its own number, and counts how often it is posed. */
function constant(value: number): BodyField & { posed: number } {
  return {
    posed: 0,
    poseSkeleton() {
      this.posed++
    },
    gradient: (_points, count, distances) => distances.fill(value, 0, count),
  }
}

it('asks the learned field where it trusts itself, the other where not, and poses that only then', () => {
  const learned = Object.assign(constant(1), { trusted: true })
  const exact = constant(2)
  const guarded = new GuardedField(learned, exact)
  const at = (pose: SkeletonPose): number => {
    const distances = new Float64Array(1)
    guarded.poseSkeleton(pose, skeleton.restMatrices)
    guarded.gradient(new Float64Array(3), 1, distances, new Float64Array(3))
    return distances[0]
  }
  expect(at(skeleton.rest)).toBe(1)
  expect(guarded.trusted).toBe(true)
  expect(exact.posed).toBe(0)
  learned.trusted = false
  // Not before it is posed again: answers belong to one pose.
  const distances = new Float64Array(1)
  guarded.gradient(new Float64Array(3), 1, distances, new Float64Array(3))
  expect(distances[0]).toBe(1)
  expect(at(skeleton.rest)).toBe(2)
  expect(guarded.trusted).toBe(false)
  expect([learned.posed, exact.posed]).toEqual([2, 1])
})
