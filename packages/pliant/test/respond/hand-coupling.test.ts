import { expect, it } from 'vitest'
import { HandCoupling } from '../../src/respond/hand-coupling.js'
import { FemBody } from '../../src/sim/index.js'
import { bar } from '../sim/fem/bars.js'

it('the hand feels spring and damper as they are at the end of the step, wherever the tool went', () => {
  const tool = new FemBody(bar([0.1, 0.1, 0.1], [1, 1, 1]))
  const wrist = [0, 1, 2]
  const settings = { handStiffness: 50, handDamping: 0.7, handForce: 1e6 }
  const hand = new HandCoupling(tool, wrist, settings)
  const [cx, cy, cz] = hand.position
  const goal = [0.03, -0.02, 0.01]
  hand.moveTo([cx + goal[0], cy + goal[1], cz + goal[2]], [0, 0, 0, 1])
  const h = 0.01
  tool.forces.fill(0)
  hand.pull(0, 1, h)
  // The wrist follows by another way than the hand, each node alike.
  const went = [0.01, 0.004, -0.002]
  const moves = Float64Array.from({ length: tool.positions.length }, (_, i) => went[i % 3])
  hand.feel(moves)
  for (let axis = 0; axis < 3; axis++) {
    const spring = settings.handStiffness * (goal[axis] - went[axis])
    const damper = (settings.handDamping * (goal[axis] - went[axis])) / h
    expect(hand.force[axis]).toBeCloseTo(-(spring + damper), 9)
  }
})
