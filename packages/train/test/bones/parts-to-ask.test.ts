import type { Vec3 } from 'pliant'
import { expect, it } from 'vitest'
import { fitBones } from '../../src/learn/frames/fit-bones.js'
import { ownersMissed, partsToAsk } from '../../src/learn/frames/parts-to-ask.js'
import { boxBody } from './box-body.js'

const NEAR = 0.02

function asked(boxes: readonly { joint: number; centre: Vec3; half: Vec3 }[]): { missed: number; parts: number } {
  const { character } = boxBody(boxes)
  const bones = fitBones(character, { margin: 0.05 })
  const shape = { bones, fade: 0.03 } as unknown as Parameters<typeof ownersMissed>[1]
  const poses = [character.skeleton.rest]
  return {
    missed: ownersMissed(character, { ...shape, nearest: 3 }, poses, NEAR, 1),
    parts: partsToAsk(character, shape, poses, NEAR, 1),
  }
}

it('three parts are enough along a chain of limbs', () => {
  const chain = [0, 1, 2, 3, 4, 5].map((joint) => ({
    joint,
    centre: [0, 0.3 * joint, 0] as const,
    half: [0.05, 0.12, 0.05] as const,
  }))
  expect(asked(chain)).toEqual({ missed: 0, parts: 3 })
})

it('asks a fourth part where a broad one bears small ones at a corner', () => {
  // A plate, and knobs around one of its corners: that corner belongs to the plate, and four knobs are nearer to it.
  const plate = { joint: 0, centre: [0, 0, 0], half: [0.5, 0.03, 0.5] } as const
  const knobs = [1, 2, 3, 4].map((joint) => ({
    joint,
    centre: [joint % 2 ? 0.46 : 0.5, 0.07, joint > 2 ? -0.46 : -0.5] as const,
    half: [0.015, 0.03, 0.015] as const,
  }))
  const { missed, parts } = asked([plate, ...knobs])
  expect(missed).toBeGreaterThan(0.005)
  expect(parts).toBe(4)
})
