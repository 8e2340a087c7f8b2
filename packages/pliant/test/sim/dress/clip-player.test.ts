import { expect, it } from 'vitest'
import type { Clip } from '../../../src/model/clip.js'
import { ClipPlayer } from '../../../src/sim/dress/clip-player.js'
import { puppet } from './puppet.js'

const { skeleton } = puppet()
const arm = skeleton.jointNamed('LeftArm')
/** The arm turns by a right angle about z and stays there: its end is not its beginning. */
const raise: Clip = {
  name: 'raise',
  duration: 1,
  tracks: [
    {
      target: arm,
      path: 'rotation',
      size: 4,
      interpolation: 'LINEAR',
      times: Float32Array.of(0, 1),
      values: Float32Array.of(0, 0, 0, 1, 0, 0, Math.SQRT1_2, Math.SQRT1_2),
    },
  ],
}

it('a clip that begins again fades over, so that cloth is not torn by a jump', () => {
  const player = new ClipPlayer(skeleton)
  player.play(raise)
  const angle = (): number => 2 * Math.atan2(player.pose.rotations[4 * arm + 2], player.pose.rotations[4 * arm + 3])
  let [before, largest, highest] = [angle(), 0, 0]
  for (let frame = 0; frame < 150; frame++) {
    player.advance(1 / 60)
    const now = angle()
    largest = Math.max(largest, Math.abs(now - before))
    highest = Math.max(highest, now)
    before = now
  }
  // It gets there, and comes back within the fade: a jump would be a right angle in one frame.
  expect(highest).toBeGreaterThan(1.4)
  expect(largest).toBeLessThan(0.15)
  expect(player.time).toBeCloseTo(0.5, 6)
})
