import { expect, it } from 'vitest'
import { ModalBody } from '../../src/model/modal-body.js'
import { ElasticField } from '../../src/respond/elastic-field.js'
import { GuardedTouchField, type TouchField } from '../../src/respond/touch-field.js'

const rest = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
const modal = new ModalBody({ rest, masses: new Float64Array(4).fill(1), modes: new Float64Array(0) })

/** A trained field that trusts itself near the origin only, and answers 1. */
function nearTheOrigin() {
  let far = false
  return {
    codeSize: 0,
    pose: () => {},
    poseNodes: (_positions: ArrayLike<number>, origin: readonly number[]) => {
      far = origin[0] > 5
    },
    evaluate: () => {},
    gradient: (_points: ArrayLike<number>, count: number, distances: Float64Array | Float32Array) => {
      distances.fill(1, 0, count)
    },
    bounds: () => undefined,
    probeError: 0,
    get expectedError() {
      return far ? 0.3 : 0.01
    },
    get trusted() {
      return !far
    },
  }
}

it('asks the learned field where it trusts itself, the other where not', () => {
  const elastic = new ElasticField(modal, nearTheOrigin())
  let followed = 0
  const exact: TouchField = {
    follow: () => {
      followed++
    },
    gradient: (_points, count, distances) => distances.fill(2, 0, count),
  }
  const guarded = new GuardedTouchField(elastic, exact)
  const at = (shift: number): number => {
    const distances = new Float64Array(1)
    guarded.follow(rest.map((value, i) => (i % 3 === 0 ? value + shift : value)))
    guarded.gradient(new Float64Array(3), 1, distances, new Float64Array(3))
    return distances[0]
  }
  expect([at(0), followed, guarded.trusted, elastic.expectedError]).toEqual([1, 0, true, 0.01])
  expect([at(9), followed, guarded.trusted, elastic.expectedError]).toEqual([2, 1, false, 0.3])
  expect(at(1)).toBe(1)
})

it('does not trust a field that tells nothing of its error', () => {
  const silent = new ElasticField(modal, {
    codeSize: 0,
    pose: () => {},
    evaluate: () => {},
    gradient: () => {},
    bounds: () => undefined,
  })
  expect(silent.trusted).toBe(false)
  expect(silent.expectedError).toBeNaN()
})
