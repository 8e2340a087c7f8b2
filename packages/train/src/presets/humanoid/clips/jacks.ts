/** Jumping jacks: two jumps a round, apart with the arms up and together again. */
import { cycle, wave } from '../cycle.js'
import { FLAT, type Posture, STANDING } from '../posture.js'

const apart = cycle([0.04, 0], [0.1, 0.02], [0.42, 1], [0.56, 1], [0.94, 0])
const up = cycle([0, 0], [0.1, 0], [0.25, 0.06], [0.4, 0], [0.6, 0], [0.75, 0.06], [0.9, 0])
const heel = cycle([0, 6], [0.1, 28], [0.25, 40], [0.4, 22], [0.5, 6], [0.6, 28], [0.75, 40], [0.9, 22])

export function jacks(phase: number): Posture {
  const share = apart(phase)
  const side = {
    arm: { lift: 10 + 148 * share, swing: 3 + 6 * share, across: 0, twist: 8 - 20 * share, elbow: 14, wrist: 4 },
    foot: { ...FLAT, out: -0.03 + 0.23 * share, turn: 6 + 8 * share, up: up(phase), pitch: heel(phase) },
  }
  return {
    ...STANDING,
    hips: [0, wave(-0.022, -0.038, 0, 2)(phase), -0.01],
    pelvis: { bend: wave(5, 3, 0, 2)(phase), turn: 0, lean: 0 },
    spine: { bend: wave(1, 2, 0, 2)(phase), turn: 0, lean: 0 },
    chest: { bend: -3 * share, turn: 0, lean: 0 },
    head: { bend: -3 - 4 * share, turn: 0, lean: 0 },
    left: side,
    right: side,
  }
}
