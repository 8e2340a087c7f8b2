import { describe, expect, it } from 'vitest'
import { TouchDepth } from '../../../src/blocks/touch/touch-depth.js'
import { FemBody } from '../../../src/sim/index.js'
import { boxMesh } from '../../respond/scenes.js'

describe('a look at the triangles', () => {
  const body = new FemBody(boxMesh([0.2, 0.2, 0.2], [2, 2, 2], [0, 0, 0]))
  const tool = new FemBody(boxMesh([0.03, 0.03, 0.03], [1, 1, 1], [0, 0.3, 0]))
  const depth = new TouchDepth({ body, tool })
  const move = (...by: number[]): void => {
    for (let i = 0; i < tool.positions.length; i++) tool.positions[i] += by[i % 3]
  }

  it('sees nothing where the two are apart', () => {
    expect(depth.look()).toEqual({ toolInBody: 0, bodyInTool: 0 })
  })

  it('sees how deep a corner is', () => {
    move(0.05, -0.112, 0.05)
    const { toolInBody, bodyInTool } = depth.look()
    expect(toolInBody).toBeCloseTo(0.012, 9)
    expect(bodyInTool).toBe(0)
    expect(depth.toolVertices[1]).toBeCloseTo(0.188, 9)
  })

  it('sees how deep the body is in the tool as well', () => {
    // Around the vertex in the middle of the body's top.
    move(0.035, 0, 0.035)
    expect(depth.look().bodyInTool).toBeCloseTo(0.012, 9)
  })
})
