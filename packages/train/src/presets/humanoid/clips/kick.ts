/** A front kick with the right leg, hands on guard: knee up, leg out, knee back, foot down. */
import { cycle } from '../cycle.js'
import { FLAT, type Posture } from '../posture.js'

const guard = cycle([0, 0], [0.06, 0], [0.22, 1], [0.76, 1], [0.94, 0])
const weight = cycle([0, 0], [0.04, 0], [0.24, 1], [0.66, 1], [0.9, 0])
const ahead = cycle([0, 0], [0.2, -0.1], [0.34, 0.2], [0.44, 0.74], [0.49, 0.74], [0.6, 0.18], [0.76, -0.04], [0.9, 0])
const up = cycle([0, 0], [0.16, 0], [0.34, 0.4], [0.44, 0.72], [0.49, 0.72], [0.6, 0.36], [0.8, 0])
const pitch = cycle(
  [0, 0],
  [0.16, 24],
  [0.26, 40],
  [0.36, 10],
  [0.44, -50],
  [0.49, -50],
  [0.6, 12],
  [0.72, 20],
  [0.82, 0],
)
const drive = cycle([0, 0], [0.28, 0], [0.45, 1], [0.5, 1], [0.7, 0])

export function kick(phase: number): Posture {
  const [on, over, out] = [guard(phase), weight(phase), drive(phase)]
  const arm = (elbow: number, swing: number, lift: number) => ({
    lift: 9 + lift * on,
    swing: 2 + swing * on,
    across: 10 * on,
    twist: 8 + 30 * on,
    elbow: 14 + elbow * on,
    wrist: 6,
  })
  return {
    hips: [0.075 * over, -0.006 - 0.016 * over, 0.04 * out],
    pelvis: { bend: -14 * out, turn: 14 * out, lean: 3 * over },
    spine: { bend: 4 * on - 4 * out, turn: -8 * out, lean: -2 * over },
    chest: { bend: 4 * on, turn: -10 * out, lean: -2 * over },
    neck: { bend: 2 * out, turn: 0, lean: 0 },
    head: { bend: 4 * out, turn: 2 * out, lean: 0 },
    left: { arm: arm(92, 34 - 10 * out, 12), foot: { ...FLAT, turn: 16 } },
    right: {
      arm: arm(84, 26 - 46 * out, 20 + 14 * out),
      foot: { ...FLAT, turn: 7 - 7 * over, out: -0.03 * over, ahead: ahead(phase), up: up(phase), pitch: pitch(phase) },
    },
  }
}
