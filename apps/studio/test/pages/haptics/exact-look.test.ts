import { FemBody } from 'pliant/sim'
import { describe, expect, it } from 'vitest'
import { ExactLook } from '../../../src/pages/haptics/exact-look.js'
import { blockMesh } from './small-pair.js'

describe('a look at the triangles', () => {
  const body = new FemBody(blockMesh([0, 0, 0], [0.1, 0.1, 0.1], [2, 2, 2]))
  const tool = new FemBody(blockMesh([0, 0.3, 0], [0.03, 0.03, 0.03], [1, 1, 1]))
  const look = new ExactLook(body, tool)
  const move = (...by: number[]): void => {
    for (let i = 0; i < tool.positions.length; i++) tool.positions[i] += by[i % 3]
  }

  it('sees nothing where the two are apart', () => {
    expect(look.look()).toEqual({ toolInBody: 0, bodyInTool: 0 })
  })

  it('sees how deep a corner is', () => {
    move(0.05, -0.112, 0.05)
    const { toolInBody, bodyInTool } = look.look()
    expect(toolInBody).toBeCloseTo(0.012, 9)
    expect(bodyInTool).toBe(0)
    expect(look.toolVertices[1]).toBeCloseTo(0.188, 9)
  })

  it('sees how deep the body is in the tool as well', () => {
    // Around the vertex in the middle of the body's top.
    move(0.035, 0, 0.035)
    expect(look.look().bodyInTool).toBeCloseTo(0.012, 9)
  })
})
