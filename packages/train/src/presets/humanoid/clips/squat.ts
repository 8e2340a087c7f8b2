/** A deep squat with the arms stretched forward. */
import { cycle } from '../cycle.js'
import { FLAT, type Posture, STANDING } from '../posture.js'

const depth = cycle([0, 0], [0.08, 0], [0.46, 1], [0.58, 1], [0.94, 0])

export function squat(phase: number): Posture {
  const down = depth(phase)
  const side = {
    arm: {
      lift: 9,
      swing: 2 + 104 * down,
      across: 0,
      twist: 8 - 4 * down,
      elbow: 14 - 6 * down,
      wrist: 6 * (1 - down),
    },
    foot: { ...FLAT, out: 0.06, turn: 20, splay: 6 * down },
  }
  return {
    ...STANDING,
    hips: [0, -0.01 - 0.42 * down, -0.15 * down],
    pelvis: { bend: 32 * down, turn: 0, lean: 0 },
    spine: { bend: 6 * down, turn: 0, lean: 0 },
    chest: { bend: -2 * down, turn: 0, lean: 0 },
    neck: { bend: -14 * down, turn: 0, lean: 0 },
    head: { bend: -12 * down, turn: 0, lean: 0 },
    left: side,
    right: side,
  }
}
