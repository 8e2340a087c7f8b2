/** The humanoid's clips, written as postures over a round and sampled to keys. All of them loop. */
import type { RigAnimation } from 'pliant/unstable'
import { JOINTS } from '../joints.js'
import { type Posture, restPose, takePosture } from '../posture.js'
import { dance } from './dance.js'
import { idle } from './idle.js'
import { jacks } from './jacks.js'
import { kick } from './kick.js'
import { reach } from './reach.js'
import { run } from './run.js'
import { squat } from './squat.js'
import { turn } from './turn.js'
import { walk } from './walk.js'

const FRAMES_PER_SECOND = 30
/** Turns [rad] and ways [m] below this are none. */
const STILL = 1e-6

const CLIPS: { name: string; seconds: number; posture: (phase: number) => Posture }[] = [
  { name: 'idle', seconds: 4, posture: idle },
  { name: 'walk', seconds: 1.1, posture: walk },
  { name: 'run', seconds: 0.7, posture: run },
  { name: 'jumping jacks', seconds: 1.2, posture: jacks },
  { name: 'squat', seconds: 3, posture: squat },
  { name: 'kick', seconds: 2, posture: kick },
  { name: 'reach', seconds: 4, posture: reach },
  { name: 'turn', seconds: 4, posture: turn },
  { name: 'dance', seconds: 8, posture: dance },
]

/** Never trained on. */
export const HELD_OUT = ['dance', 'turn']

export function humanoidAnimations(): RigAnimation[] {
  return CLIPS.map(({ name, seconds, posture }) => {
    const frames = Math.round(seconds * FRAMES_PER_SECOND)
    const poses = Array.from({ length: frames + 1 }, (_, frame) => {
      const pose = restPose()
      takePosture(posture(frame / frames), pose)
      return pose
    })
    const times = Float32Array.from(poses, (_, frame) => frame / FRAMES_PER_SECOND)
    const channels: RigAnimation['channels'][number][] = []
    JOINTS.forEach((_, node) => {
      for (const [path, size] of [
        ['translation', 3],
        ['rotation', 4],
      ] as const) {
        const part = path === 'translation' ? 'translations' : 'rotations'
        const rest = restPose()[part].subarray(size * node, size * node + size)
        const values = Float32Array.from(
          poses.flatMap((pose) => [...pose[part].subarray(size * node, size * node + size)]),
        )
        if (size === 4) keepSigns(values)
        if (values.every((value, i) => Math.abs(value - rest[i % size]) < STILL)) continue
        channels.push({ node, path, interpolation: 'LINEAR', times, values, valuesPerKey: size })
      }
    })
    return { name, duration: times[frames], channels }
  })
}

/** A rotation has two quaternions; each key takes the one nearer to the key before. */
function keepSigns(values: Float32Array): void {
  for (let at = 4; at < values.length; at += 4) {
    let dot = 0
    for (let k = 0; k < 4; k++) dot += values[at + k] * values[at + k - 4]
    if (dot < 0) for (let k = 0; k < 4; k++) values[at + k] *= -1
  }
}
