/**
 * A tool that comes to a body again and again from another side: approaches, grazes it, goes deep, slides and leaves; in each
 * frame with the two numbers between which the depth is proved to lie (reference.ts), of either surface in the other body.
 */
import { streamOf } from '@pliant/train/unstable/streams'
import { type PosedField, surfaceDepth } from '../reference.js'

export interface MotionFrame {
  /** From the tool to the body, rigid, column-major 4x4; the body stays. */
  pose: Float64Array
  /** Least value of the tool's field on the body's surface is between these [m]; negative where they overlap. */
  body: readonly [number, number]
  /** The same of the body's field on the tool's surface. */
  tool: readonly [number, number]
}

/** Frames of one pass. */
export const PASS = 60
/** Depth at frames of a pass, as shares of the size; lines between. */
const SCRIPT: readonly (readonly [frame: number, depth: number])[] = [
  [0, -0.08],
  [14, -0.002],
  [16, 0.001],
  [24, 0.004],
  [36, 0.06],
  [42, 0.03],
  [52, 0.03],
  [59, -0.08],
]
/** Turns in a pass [rad]: of the place, and of the tool about itself. */
const [ROUND, ABOUT] = [0.5, 0.8]
/** How far apart the proved ends lie, as a share of the size; and while the tool is put where the script wants it. */
const [TOLERANCE, COARSE] = [5e-4, 4e-3]
const CORRECTIONS = 4

export async function toolMotion(
  body: Omit<PosedField, 'pose'>,
  tool: Omit<PosedField, 'pose'>,
  { seed, frames, size }: { seed: number; frames: number; size: number },
  told: (done: number) => Promise<void>,
): Promise<MotionFrame[]> {
  const still = { ...body, pose: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) }
  const middle = [0, 1, 2].map((k) => (body.box.lower[k] + body.box.upper[k]) / 2)
  const out: MotionFrame[] = []
  let apart = size
  for (let index = 0; index < frames; index++) {
    await told(index)
    const random = streamOf('contactPoses', seed, 700_000 + Math.floor(index / PASS))
    const share = (index % PASS) / PASS
    const pose = poseOf(random, share)
    if (index % PASS === 0) apart = size
    const put = (): void => {
      for (let k = 0; k < 3; k++) pose[12 + k] = middle[k] - apart * pose[4 + k]
    }
    const moved = { ...tool, pose }
    const wanted = scripted(index % PASS) * size
    // As long as bodies are known to be apart, or a correction of how deep they are: each step goes most of the way.
    for (let step = 0; step < (index % PASS === 0 ? 8 : CORRECTIONS); step++) {
      put()
      const options = { tolerance: COARSE * size }
      const least = Math.min(surfaceDepth(still, moved, options).least[1], surfaceDepth(moved, still, options).least[1])
      apart -= least + wanted
    }
    put()
    const options = { tolerance: TOLERANCE * size }
    out.push({
      pose,
      body: surfaceDepth(still, moved, options).least,
      tool: surfaceDepth(moved, still, options).least,
    })
  }
  return out
}

function scripted(frame: number): number {
  const after = SCRIPT.findIndex(([at]) => at >= frame)
  if (after <= 0) return SCRIPT[0][1]
  const [[from, low], [to, high]] = [SCRIPT[after - 1], SCRIPT[after]]
  return low + ((high - low) * (frame - from)) / (to - from)
}

/** The tool's y axis towards the body, at a share of a pass. */
function poseOf(random: { normal(): number; between(low: number, high: number): number }, share: number): Float64Array {
  const first = unit([random.normal(), random.normal(), random.normal()])
  const side = unit(cross(first, [random.normal(), random.normal(), random.normal()]))
  const angle = ROUND * share
  const y = first.map((value, k) => Math.cos(angle) * value + Math.sin(angle) * side[k])
  const about = random.between(0, 2 * Math.PI) + ABOUT * share
  const [u, v] = [cross(first, side), side.map((value, k) => Math.cos(angle) * value - Math.sin(angle) * first[k])]
  const x = u.map((value, k) => Math.cos(about) * value + Math.sin(about) * v[k])
  const z = cross(x, y)
  return Float64Array.of(x[0], x[1], x[2], 0, y[0], y[1], y[2], 0, z[0], z[1], z[2], 0, 0, 0, 0, 1)
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

function unit(vector: readonly number[]): number[] {
  const size = Math.hypot(...vector)
  return vector.map((value) => value / size)
}
