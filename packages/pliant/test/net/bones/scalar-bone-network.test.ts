import { describe, expect, it } from 'vitest'
import { chooseBones, makePosedBones, poseBones } from '../../../src/net/bones/bone-choice.js'
import { createBoneNetwork } from '../../../src/net/bones/bone-network.js'
import { randomBonePoints, randomBonePose, randomBoneShape, randomBoneTensors } from './random-bones.js'

/** [m]. Shorter steps drown in the single precision in which grids find a point's cell. */
const STEP = 2e-4

describe('ScalarBoneNetwork', () => {
  for (let seed = 1; seed <= 30; seed++) {
    it(`gives the slope of its own distances (seed ${seed})`, async () => {
      const shape = randomBoneShape(seed)
      const network = await createBoneNetwork(shape, randomBoneTensors(shape, seed), { backend: 'scalar' })
      const { matrices, drivers } = randomBonePose(shape, seed)
      network.pose(matrices, drivers)
      const count = 150
      const centres = randomBonePoints(count, seed)
      let compared = 0
      for (let i = 0; i < count; i++) {
        for (let axis = 0; axis < 3; axis++) {
          const points = Float64Array.from({ length: 9 }, (_, n) => centres[3 * i + (n % 3)])
          points[axis] -= STEP
          points[6 + axis] += STEP
          const distances = new Float64Array(3)
          const gradients = new Float64Array(9)
          network.query(points, 3, distances, gradients)
          // A kink in between (face of a cell, another bone) or strong curvature shows in the slopes themselves.
          const [before, at, after] = [0, 1, 2].map((n) => gradients[3 * n + axis])
          if (Math.abs(before - at) + Math.abs(after - at) > 0.01 * (1 + Math.abs(at))) continue
          const jump = distances[2] - distances[0]
          // One bone alone has no other to hand over to: where it changes, the distance jumps.
          if (shape.nearest === 1 && Math.abs(jump - STEP * (before + after)) > 0.1 * STEP) continue
          compared++
          const simpson = ((before + 4 * at + after) * STEP) / 3
          expect(Math.abs(jump - simpson) / (2 * STEP), `point ${i}, axis ${axis}`).toBeLessThan(
            6e-3 * (1 + Math.abs(at)),
          )
        }
      }
      expect(compared).toBeGreaterThan(count)
    })
  }

  it('is continuous where the bones that answer change', async () => {
    for (const seed of [1, 2, 3, 4]) {
      // Not sharp: a bone that outweighs the others by e^40 enters within less than one step.
      const shape = randomBoneShape(seed, { boneCount: 20, nearest: 3, fade: 0.2, sharpness: 2 })
      const network = await createBoneNetwork(shape, randomBoneTensors(shape, seed), { backend: 'scalar' })
      const { matrices, drivers } = randomBonePose(shape, seed)
      network.pose(matrices, drivers)
      const posed = makePosedBones(shape.bones.length)
      poseBones(shape, matrices, posed)
      const count = 20001
      const points = new Float64Array(3 * count)
      const [from, to] = [randomBonePoints(1, seed), randomBonePoints(1, seed + 100)]
      for (let i = 0; i < 3 * count; i++) {
        points[i] = from[i % 3] + (Math.floor(i / 3) / (count - 1)) * (to[i % 3] - from[i % 3])
      }
      const distances = new Float64Array(count)
      const gradients = new Float64Array(3 * count)
      network.query(points, count, distances, gradients)
      const choice = { bones: new Int32Array(3), windows: new Float64Array(3) }
      const jumps: number[] = []
      let switches = 0
      let before = ''
      for (let i = 0; i < count; i++) {
        chooseBones(shape, posed, points[3 * i], points[3 * i + 1], points[3 * i + 2], choice)
        const bones = Array.from(choice.bones).sort().join()
        if (i > 0 && bones !== before) switches++
        before = bones
        if (i === 0) continue
        const step = Math.hypot(...[0, 1, 2].map((axis) => points[3 * i + axis] - points[3 * i - 3 + axis]))
        const slope = Math.max(...[i - 1, i].map((n) => Math.hypot(...gradients.subarray(3 * n, 3 * n + 3))))
        // A twentieth more than the steeper end: curvature within a step; 1e-6: single precision in the grids.
        if (!(Math.abs(distances[i] - distances[i - 1]) < 1.05 * slope * step + 1e-6)) jumps.push(i)
      }
      expect(jumps, `seed ${seed}`).toEqual([])
      expect(switches).toBeGreaterThan(1)
    }
  })
})
