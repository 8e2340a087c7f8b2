/** Running on the spot, as on a treadmill, with both feet off the ground twice a round. */
import { cycle, wave } from '../cycle.js'
import { FLAT, type Posture, STANDING } from '../posture.js'
import { treadmill } from './treadmill.js'

const up = cycle([0, 0], [0.36, 0], [0.48, 0.16], [0.6, 0.33], [0.74, 0.24], [0.9, 0.06])
const pitch = cycle([0, -6], [0.08, 0], [0.2, 4], [0.36, 46], [0.5, 84], [0.62, 72], [0.8, 4], [0.92, -10])

export function run(phase: number): Posture {
  return {
    ...STANDING,
    hips: [wave(0, 0.012, 0.2)(phase), wave(-0.03, -0.03, 0.17, 2)(phase), 0.02],
    pelvis: { bend: 9, turn: wave(0, -9, 0.95)(phase), lean: wave(0, -4, 0.12)(phase) },
    spine: { bend: 4, turn: wave(0, 9, 0.95)(phase), lean: wave(0, 3, 0.12)(phase) },
    chest: { bend: 3, turn: wave(0, 11, 0.97)(phase), lean: 0 },
    neck: { bend: -6, turn: wave(0, -5, 0.97)(phase), lean: 0 },
    head: { bend: -5, turn: wave(0, -5, 0.97)(phase), lean: 0 },
    left: side(phase),
    right: side(phase + 0.5),
  }
}

function side(phase: number): Posture['left'] {
  return {
    arm: {
      lift: 14,
      swing: wave(2, -44, 0.95)(phase),
      across: 0,
      twist: 24,
      elbow: wave(88, -14, 0.98)(phase),
      wrist: 8,
    },
    foot: {
      ...FLAT,
      out: -0.04,
      turn: 4,
      ahead: treadmill(phase, 0.36, 0.22, -0.36),
      up: up(phase),
      pitch: pitch(phase),
    },
  }
}
