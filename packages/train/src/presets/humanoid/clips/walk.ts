/** Walking on the spot, as on a treadmill: 0.9 m/s. One round is two steps; the left heel touches down at phase 0. */
import { type Cycle, cycle, wave } from '../cycle.js'
import { FLAT, type Foot, HANGING, type Posture, STANDING } from '../posture.js'

/** Share of a round that a foot is on the ground. */
const STANCE = 0.6
/** Where it touches down and where it leaves [m]. */
const AHEAD = 0.27
const BEHIND = -0.3

const up: Cycle = cycle([0, 0], [0.6, 0], [0.68, 0.035], [0.76, 0.06], [0.88, 0.025])
const pitch: Cycle = cycle([0, -16], [0.1, 0], [0.34, 0], [0.5, 16], [0.62, 42], [0.7, 34], [0.82, 0], [0.94, -18])

export function walk(phase: number): Posture {
  return {
    ...STANDING,
    hips: [wave(0, 0.022, 0.3)(phase), wave(-0.03, 0.014, 0.29, 2)(phase), wave(0, 0.008, 0.1, 2)(phase)],
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
  const forward = wave(3, -22, 0.02)(phase)
  return {
    arm: { ...HANGING, swing: forward, elbow: wave(22, -12, 0.06)(phase), twist: 14, lift: 8 },
    foot: walkingFoot(phase),
  }
}

function walkingFoot(phase: number): Foot {
  return { ...FLAT, out: -0.03, ahead: treadmill(phase, STANCE, AHEAD, BEHIND), up: up(phase), pitch: pitch(phase) }
}

/** Back with the ground, then forward through the air, without a jolt between. */
export function treadmill(phase: number, stance: number, ahead: number, behind: number): number {
  const time = phase - Math.floor(phase)
  if (time < stance) return ahead + ((behind - ahead) * time) / stance
  const t = (time - stance) / (1 - stance)
  const slope = ((behind - ahead) * (1 - stance)) / stance
  return behind + t * (slope + t * (3 * (ahead - behind) - 3 * slope + t * (2 * (behind - ahead) + 2 * slope)))
}
