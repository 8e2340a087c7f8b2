/** Two fields of one body, asked around the place to which `moved` brings it. */
import { expect } from 'vitest'
import { type MovingField, type NodeState, randomStream } from '../../src/index.js'

export function compareMoved(
  field: MovingField<NodeState>,
  reference: MovingField<NodeState>,
  nodes: Float64Array,
  seed: number,
): void {
  const random = randomStream(seed)
  const count = 40
  const points = Float64Array.from({ length: 3 * count }, (_, i) => [0.4, 1, -2][i % 3] + random.between(-0.15, 0.15))
  const [a, b] = [field, reference].map((one) => {
    const [distances, gradients] = [new Float64Array(count), new Float64Array(3 * count)]
    const alone = new Float64Array(count)
    one.update({ nodes })
    one.query(points, count, distances, gradients)
    one.query(points, count, alone)
    for (let i = 0; i < count; i++) expect(alone[i]).toBeCloseTo(distances[i], 12)
    return { distances, gradients }
  })
  for (let i = 0; i < count; i++) expect(a.distances[i]).toBeCloseTo(b.distances[i], 9)
  for (let i = 0; i < count; i++) {
    // Deep inside, several faces are nearest and the direction is either's.
    if (b.distances[i] < 0) continue
    for (let k = 3 * i; k < 3 * i + 3; k++) expect(a.gradients[k]).toBeCloseTo(b.gradients[k], 7)
  }
}
