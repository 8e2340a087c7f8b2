import { describe, expect, it } from 'vitest'
import { nodesAbove, nodesBelow } from '../../../src/blocks/touch/mesh-ends.js'
import { boxMesh } from '../../respond/scenes.js'

describe('the ends of a body', () => {
  // From z = -0.2 to 0, a layer of four nodes every 2 cm.
  const mesh = boxMesh([0.02, 0.02, 0.2], [1, 1, 10], [0, 0, -0.2])
  const heights = (nodes: number[]): number[] => nodes.map((node) => mesh.positions[3 * node + 2])

  it('are a share of its length from above: a wrist is not the whole arm', () => {
    const wrist = nodesAbove(mesh, 2, 0.28)
    expect(wrist).toHaveLength(12)
    expect(Math.min(...heights(wrist))).toBeCloseTo(-0.04, 12)
  })

  it('and from below', () => {
    const base = nodesBelow(mesh, 2, 0.15)
    expect(base).toHaveLength(8)
    expect(Math.max(...heights(base))).toBeCloseTo(-0.18, 12)
  })
})
