/** Walking on the spot, as on a treadmill: 1 m/s. One round is two steps; the left heel touches down at phase 0. */
import { cycle, wave } from '../cycle.js'
import { FLAT, HANGING, type Posture, STANDING } from '../posture.js'
import { treadmill } from './treadmill.js'

const up = cycle([0, 0], [0.6, 0], [0.68, 0.035], [0.76, 0.06], [0.88, 0.025])
const pitch = cycle([0, -18], [0.1, 0], [0.34, 0], [0.5, 18], [0.62, 44], [0.7, 34], [0.82, 0], [0.94, -18])

export function walk(phase: number): Posture {
  return {
    ...STANDING,
    hips: [wave(0, 0.022, 0.3)(phase), wave(-0.026, 0.015, 0.28, 2)(phase), wave(0, 0.008, 0.1, 2)(phase)],
    pelvis: { bend: 2, turn: wave(0, -6, 0.02)(phase), lean: wave(0, -4, 0.14)(phase) },
    spine: { bend: 1, turn: wave(0, 5, 0.02)(phase), lean: wave(0, 3, 0.14)(phase) },
    chest: { bend: 1, turn: wave(0, 7, 0.04)(phase), lean: wave(0, 2, 0.14)(phase) },
    neck: { bend: 0, turn: wave(0, -3, 0.04)(phase), lean: wave(0, -1, 0.14)(phase) },
    head: { bend: wave(-1, 1, 0.2, 2)(phase), turn: wave(0, -3, 0.04)(phase), lean: 0 },
    left: side(phase),
    right: side(phase + 0.5),
  }
}

function side(phase: number): Posture['left'] {
  return {
    arm: { ...HANGING, lift: 8, swing: wave(3, -22, 0.02)(phase), twist: 12, elbow: wave(22, -12, 0.06)(phase) },
    foot: { ...FLAT, out: -0.03, ahead: treadmill(phase, 0.6, 0.3, -0.33), up: up(phase), pitch: pitch(phase) },
  }
}
