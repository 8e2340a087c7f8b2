/**
 * A dance of sixteen beats: steps to the side and back with swinging arms (eight), arms waved overhead over circling
 * hips (four), a twist low in the knees with the arms out (four).
 */
import { type Cycle, cycle, wave } from '../cycle.js'
import { type Arm, FLAT, type Foot, type Posture } from '../posture.js'

const BEATS = 16

/** Keys by beats. */
const beats = (...keys: [beat: number, value: number][]): Cycle =>
  cycle(...keys.map(([beat, value]): [number, number] => [beat / BEATS, value]))

/** How much of each figure there is; together one. */
const stepping = beats([0, 1], [7.6, 1], [8.6, 0], [15.2, 0])
const waving = beats([0, 0], [7.6, 0], [8.6, 1], [11.6, 1], [12.5, 0])

/** Left and right foot, to the left. */
const leftStep = beats([0, 0], [0.9, 0.22], [3, 0.22], [3.9, 0], [5, 0], [5.9, -0.17], [6.1, -0.17], [7, 0])
const rightStep = beats([0, 0], [1, 0], [1.9, 0.17], [2.1, 0.17], [3, 0], [4, 0], [4.9, -0.22], [7, -0.22], [7.9, 0])
const leftUp = beats(
  [0, 0],
  [0.45, 0.05],
  [0.9, 0],
  [3, 0],
  [3.45, 0.06],
  [3.9, 0],
  [5, 0],
  [5.5, 0.07],
  [6, 0.01],
  [6.5, 0.06],
  [7, 0],
  [15.9, 0],
)
const rightUp = beats(
  [0, 0],
  [1, 0],
  [1.5, 0.07],
  [2, 0.01],
  [2.5, 0.06],
  [3, 0],
  [4, 0],
  [4.45, 0.05],
  [4.9, 0],
  [7, 0],
  [7.45, 0.06],
  [7.9, 0],
  [15.9, 0],
)
const across = beats([0, 0], [1, 0.12], [2, 0.17], [3, 0.08], [4, 0], [5, -0.12], [6, -0.17], [7, -0.08], [8, 0])

export function dance(phase: number): Posture {
  const [step, arms] = [stepping(phase), waving(phase)]
  const twist = 1 - step - arms
  const everyBeat = wave(0, 1, 0, BEATS)(phase)
  const everyOther = wave(0, 1, 0.5 / BEATS, BEATS / 2)(phase)
  const quarter = wave(0, 1, 1 / BEATS, BEATS / 4)(phase)
  const circle = wave(0, 1, 0, BEATS / 4)(phase)
  return {
    hips: [
      across(phase) + 0.022 * step * everyOther + 0.055 * arms * quarter + 0.03 * twist * everyOther,
      -0.048 - 0.024 * everyBeat - 0.012 * arms - 0.08 * twist,
      0.035 * arms * circle - 0.03 * twist,
    ],
    pelvis: {
      bend: 4 + 5 * arms * circle + 10 * twist,
      turn: 12 * step * quarter + 8 * arms * circle + 28 * twist * everyOther,
      lean: -9 * step * everyOther - 12 * arms * quarter,
    },
    spine: {
      bend: 2 + 4 * twist,
      turn: -6 * step * quarter - 18 * twist * everyOther,
      lean: 6 * step * everyOther + 9 * arms * quarter,
    },
    chest: {
      bend: 2 * everyBeat - 4 * arms,
      turn: -12 * step * quarter - 32 * twist * everyOther,
      lean: 5 * step * everyOther + 7 * arms * quarter,
    },
    neck: { bend: -1, turn: 4 * step * quarter + 8 * twist * everyOther, lean: -3 * arms * quarter },
    head: {
      bend: 3 * everyBeat - 5 * arms - 6 * twist,
      turn: 6 * step * quarter + 8 * twist * everyOther,
      lean: -4 * everyOther * step,
    },
    left: {
      arm: armOf(step, arms, twist, everyOther, quarter),
      foot: footOf(leftStep(phase), leftUp(phase), arms, twist, everyOther),
    },
    right: {
      arm: armOf(step, arms, twist, -everyOther, -quarter),
      foot: footOf(-rightStep(phase), rightUp(phase), arms, twist, -everyOther),
    },
  }
}

/** The three figures' arms in their shares. */
function armOf(step: number, arms: number, twist: number, beat: number, sway: number): Arm {
  return {
    lift: step * (28 + 10 * sway) + arms * (142 + 22 * sway) + twist * (74 + 10 * beat),
    swing: step * (10 + 42 * beat) + arms * 8 + twist * 4,
    across: step * 4 + twist * (26 - 16 * beat),
    twist: step * 26 - arms * 26 - twist * 6,
    elbow: step * (78 + 16 * beat) + arms * (28 - 16 * sway) + twist * (58 + 20 * beat),
    wrist: step * 8 - arms * 6 * sway + twist * 4,
  }
}

/** While the arms wave, heels lift in turn; in the twist the feet stand wide and roll over their balls. */
function footOf(out: number, up: number, arms: number, twist: number, beat: number): Foot {
  return {
    ...FLAT,
    out: out + 0.02 + 0.05 * twist + 0.02 * arms,
    up,
    turn: 10 + 6 * twist * beat,
    pitch: 260 * up + 20 * arms * Math.max(0, -beat) ** 2 + 12 * twist * Math.max(0, beat) ** 2,
    splay: 5 * twist,
  }
}
