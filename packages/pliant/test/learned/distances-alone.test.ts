/**
 * Distances alone are cheaper than distances with gradients, so whatever passes a query on must ask for no more than it
 * was asked: else every query behind it costs twice as much and still answers right.
 */
import { describe, expect, it } from 'vitest'
import { fieldSphere } from '../../src/field/analytic.js'
import { BoxedField } from '../../src/field/boxed.js'
import { fieldDifference, fieldIntersection, fieldUnion } from '../../src/field/combined.js'
import { followingField } from '../../src/field/following.js'
import type { FrameState, MovingField, SignedField } from '../../src/field/signed-field.js'
import { timedField } from '../../src/field/timed.js'
import { TransformedField } from '../../src/field/transformed.js'
import { GuardedField } from '../../src/learned/guarded.js'
import { NeuralField } from '../../src/learned/neural.js'
import type { Network } from '../../src/net/network.js'

const BOX = { lower: [-1, -1, -1], upper: [1, 1, 1] } as const
const ball = fieldSphere([0, 0, 0], 0.5)

/** A ball that notes of each query whether gradients were asked for. */
function noted(asked: boolean[]): MovingField<FrameState> {
  return {
    update: () => {},
    query(points, count, distances, gradients) {
      asked.push(gradients !== undefined)
      ball.query(points, count, distances, gradients)
    },
    bounds: (box) => ball.bounds(box),
  }
}

const frame = (x: number, y: number): number[] => [x, 0, 0, 0, 0, y, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1]

function neural(asked: boolean[]): NeuralField {
  const { query } = noted(asked)
  const network = { shape: {}, backend: 'scalar', pose: () => {}, query, dispose: () => {} } as unknown as Network
  const code = { size: 0, lower: [], upper: [] }
  const normalisation = { centre: [0, 0, 0] as const, scale: 1, codeOffset: [], codeScale: [] }
  return new NeuralField({ name: 'ball', code, normalisation, domain: BOX, truncation: 0.2 }, network)
}

const CASES: Record<string, (field: MovingField<FrameState>, asked: boolean[]) => SignedField> = {
  transformed: (field) => new TransformedField(field, frame(2, 2)),
  boxed: (field) => new BoxedField(field, { margin: 1, boxOf: () => BOX }),
  union: (field) => fieldUnion(field, field),
  intersection: (field) => fieldIntersection(field, field),
  difference: (field) => fieldDifference(field, field),
  following: (field) => followingField(field, (state: FrameState) => state),
  timed: (field) => timedField(field, { update: 0, queries: 0 }),
  guarded: (field) => new GuardedField({ ...field, trusted: true }, field),
  neural: (_, asked) => neural(asked),
}

describe.each(Object.entries(CASES))('%s', (_, wrap) => {
  it('asks for gradients only if it is asked for them', () => {
    const asked: boolean[] = []
    const field = wrap(noted(asked), asked)
    const [points, distances] = [Float64Array.of(0.1, 0.2, 0.3, 0.4, 0, 0), new Float64Array(2)]
    field.query(points, 2, distances)
    expect(asked).not.toHaveLength(0)
    expect(asked).not.toContain(true)
    asked.length = 0
    field.query(points, 2, distances, new Float64Array(6))
    expect(asked).not.toHaveLength(0)
    expect(asked).not.toContain(false)
  })
})

it('a field that is scaled unevenly needs gradients for its distances, and gives the same without being asked', () => {
  const asked: boolean[] = []
  const field = new TransformedField(noted(asked), frame(1, 3))
  const points = Float64Array.of(0.1, 0.2, 0.3, 1.4, 0, 0)
  const [alone, both] = [new Float64Array(2), new Float64Array(2)]
  field.query(points, 2, alone)
  field.query(points, 2, both, new Float64Array(6))
  expect(asked).toEqual([true, true])
  expect(alone).toEqual(both)
})
