/** Standing: the weight goes from one leg to the other, the chest breathes. */
import { cycle, wave } from '../cycle.js'
import { FLAT, HANGING, type Posture, STANDING } from '../posture.js'

const look = cycle([0, 0], [0.15, 0], [0.3, 14], [0.45, 14], [0.62, -8], [0.8, -8])

export function idle(phase: number): Posture {
  const shift = wave(0, 1, 0.3)(phase)
  const breath = wave(0, 1, 0.1, 2)(phase)
  const arm = { ...HANGING, lift: 10 + 0.8 * breath, swing: 1 + breath, elbow: 16 + breath }
  return {
    ...STANDING,
    hips: [0.022 * shift, -0.005 - 0.003 * shift * shift, 0],
    pelvis: { bend: 0, turn: 1.5 * shift, lean: -2.5 * shift },
    spine: { bend: 1 - 0.6 * breath, turn: 0, lean: 1.5 * shift },
    chest: { bend: 1 - 1.2 * breath, turn: -1.5 * shift, lean: 1.2 * shift },
    neck: { bend: 0.8 * breath, turn: 0.3 * look(phase), lean: 0 },
    head: { bend: 2, turn: 0.7 * look(phase), lean: -0.05 * look(phase) },
    left: { arm, foot: { ...FLAT, turn: 9 } },
    right: { arm, foot: { ...FLAT, turn: 9 } },
  }
}
