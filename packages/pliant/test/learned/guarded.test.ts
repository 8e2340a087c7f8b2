import { expect, it } from 'vitest'
import type { CodeState, MovingField, NodeState } from '../../src/field/signed-field.js'
import { GuardedField } from '../../src/learned/guarded.js'
import { ModalField } from '../../src/learned/modal.js'
import { model, moved, swellingBox } from './swelling-box.js'

/** Answers with its own number, and counts how often it is updated. */
function constant<State>(value: number): MovingField<State> & { updates: number } {
  return {
    updates: 0,
    update() {
      this.updates++
    },
    query: (_points, count, distances) => distances.fill(value, 0, count),
    bounds: () => [value, value],
  }
}

/** What a field answers by each of its ways to ask. */
function answers(field: MovingField<never>): number[] {
  const distances = new Float64Array(2)
  field.query(new Float64Array(3), 1, distances, new Float64Array(3))
  field.query(new Float64Array(3), 1, distances.subarray(1))
  return [...distances, ...(field.bounds({ lower: [0, 0, 0], upper: [1, 1, 1] }) ?? [])]
}

it('asks the learned field where it trusts itself, the other where not, and updates that only then', () => {
  const learned = Object.assign(constant<CodeState>(1), { trusted: true })
  const exact = constant<CodeState>(2)
  const guarded = new GuardedField(learned, exact)
  const at = (code: number[]): number[] => {
    guarded.update({ code })
    return answers(guarded)
  }
  expect(at([])).toEqual([1, 1, 1, 1])
  expect(guarded.trusted).toBe(true)
  expect(exact.updates).toBe(0)
  learned.trusted = false
  // Not before it is updated again: answers belong to one shape.
  expect(answers(guarded)).toEqual([1, 1, 1, 1])
  expect(at([])).toEqual([2, 2, 2, 2])
  expect(guarded.trusted).toBe(false)
  expect([learned.updates, exact.updates]).toEqual([2, 1])
})

it('guards an elastic body that is followed by its nodes: the other where it is swollen beyond trust', () => {
  const elastic = new ModalField(model, swellingBox())
  const exact = constant<NodeState>(2)
  const guarded = new GuardedField<NodeState>(elastic, exact)
  const middle = moved(0).subarray(0, 3)
  const at = (swell: number): number => {
    const distances = new Float64Array(1)
    guarded.update({ nodes: moved(swell) })
    guarded.query(middle, 1, distances, new Float64Array(3))
    return distances[0]
  }
  // From the middle to the nearest face.
  expect(at(1)).toBeCloseTo(-0.05, 9)
  expect([exact.updates, guarded.trusted, elastic.expectedError]).toEqual([0, true, 0.02])
  expect(at(1.7)).toBe(2)
  expect([exact.updates, guarded.trusted, elastic.expectedError]).toEqual([1, false, 0.3])
  expect(at(1.2)).toBeCloseTo(-0.06, 9)
})
