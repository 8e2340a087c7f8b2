/** Up on the toes for something high with the right hand, then forward and down with the left. */
import { cycle } from '../cycle.js'
import { FLAT, type Posture } from '../posture.js'

const high = cycle([0, 0], [0.05, 0], [0.24, 1], [0.36, 1], [0.5, 0])
const low = cycle([0, 0], [0.48, 0], [0.68, 1], [0.78, 1], [0.96, 0])

export function reach(phase: number): Posture {
  const [rise, bow] = [high(phase), low(phase)]
  const foot = { ...FLAT, turn: 10, out: 0.02, pitch: 26 * rise }
  return {
    hips: [-0.03 * rise + 0.02 * bow, -0.006 + 0.045 * rise - 0.1 * bow, 0.05 * rise - 0.07 * bow],
    pelvis: { bend: 24 * bow, turn: 6 * rise - 12 * bow, lean: 4 * rise },
    spine: { bend: 14 * bow - 4 * rise, turn: 4 * rise - 10 * bow, lean: 5 * rise },
    chest: { bend: 10 * bow - 6 * rise, turn: 6 * rise - 14 * bow, lean: 6 * rise },
    neck: { bend: -8 * rise - 6 * bow, turn: -4 * rise + 4 * bow, lean: 0 },
    head: { bend: -14 * rise - 4 * bow, turn: -6 * rise + 6 * bow, lean: 0 },
    left: {
      arm: {
        lift: 9 + 14 * rise,
        swing: 2 + 66 * bow,
        across: 6 * bow,
        twist: 8,
        elbow: 14 + 14 * rise - 8 * bow,
        wrist: 6,
      },
      foot,
    },
    right: {
      arm: {
        lift: 9 + 146 * rise + 8 * bow,
        swing: 2 + 14 * rise - 24 * bow,
        across: 0,
        twist: 8 - 24 * rise,
        elbow: 14 - 6 * rise + 18 * bow,
        wrist: 6,
      },
      foot,
    },
  }
}
