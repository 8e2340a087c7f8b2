/** Once round on the spot to the left in small steps, the arms held out. */
import { wave } from '../cycle.js'
import { jointPlace } from '../joints.js'
import { FLAT, type Foot, type Posture, STANDING } from '../posture.js'

/** Steps of each foot in a round. */
const STEPS = 6
const LIFT = 0.045

export function turn(phase: number): Posture {
  const bob = wave(0, 1, 0, 2 * STEPS)(phase)
  const swing = wave(0, 1, 0.02, STEPS)(phase)
  const arm = { lift: 62 + 3 * bob, swing: 0, across: 12, twist: 10, elbow: 24, wrist: -4 }
  return {
    ...STANDING,
    hips: [0, -0.03 + 0.008 * bob, 0],
    pelvis: { bend: 1, turn: 360 * phase, lean: 2.5 * swing },
    spine: { bend: 1, turn: 3, lean: -1.5 * swing },
    chest: { bend: -1, turn: 5, lean: -1.5 * swing },
    neck: { bend: 0, turn: 6, lean: 0 },
    head: { bend: 0, turn: 8, lean: -1 },
    left: { arm: { ...arm, lift: arm.lift + 8 }, foot: steppingFoot(phase, 1) },
    right: { arm: { ...arm, across: 24 }, foot: steppingFoot(phase + 0.5 / STEPS, -1, 0.5) },
  }
}

/** Each foot stands for half a step's time, then goes on ahead of the body by as much as it has fallen behind. */
function steppingFoot(phase: number, sign: number, lag = 0): Foot {
  const step = Math.floor(STEPS * phase)
  const t = Math.min(1, Math.max(0, 2 * (STEPS * phase - step) - 1))
  const eased = t * t * (3 - 2 * t)
  const degrees = (360 / STEPS) * (step + eased - lag + 0.25)
  const angle = (degrees * Math.PI) / 180
  const [x, , z] = jointPlace('LeftFoot')
  const side = sign * (x + 0.015)
  const place = [Math.cos(angle) * side + Math.sin(angle) * z, Math.cos(angle) * z - Math.sin(angle) * side]
  return {
    ...FLAT,
    out: sign * place[0] - x,
    ahead: place[1] - z,
    up: LIFT * Math.sin(Math.PI * t) ** 2,
    turn: sign * degrees + 8,
    pitch: 18 * Math.sin(Math.PI * t) ** 2,
  }
}
