/**
 * An animation of a glTF scene as a recorded motion, for skeletons other than the one it was made for. Its first frame
 * is the scene at rest, which says how the two compare; the animation follows.
 */
import { decomposeMat4 } from '../math/mat4.js'
import { type Clip, frameTimes, sampleClip } from './clip.js'
import type { MotionSource } from './posed-motion.js'
import type { RigAnimation, RigSource } from './rig-source.js'
import { Skeleton } from './skeleton.js'

/** Frames per second that animations are looked at with: keys between them are passed over. */
const FRAME_RATE = 60

/** To be retargeted with `reference: 0, firstFrame: 1`. */
export function motionFromScene({ nodes }: Pick<RigSource, 'nodes'>, animation: RigAnimation): MotionSource {
  const order = parentsFirst(nodes.map(({ parent }) => parent))
  const place = new Map(order.map((node, joint) => [node, joint]))
  const rest = {
    translations: new Float64Array(3 * order.length),
    rotations: new Float64Array(4 * order.length),
    scales: new Float64Array(3 * order.length).fill(1),
  }
  order.forEach((node, joint) => {
    const { parts, localMatrix } = nodes[node]
    rest.translations.set(parts?.translation ?? localMatrix.subarray(12, 15), 3 * joint)
    if (parts) rest.rotations.set(parts.rotation, 4 * joint)
    else decomposeMat4(localMatrix, 0, rest.rotations, 4 * joint, new Float64Array(3), 0)
  })
  const names = order.map((node) => nodes[node].name)
  const parents = Int32Array.from(order, (node) => place.get(nodes[node].parent) ?? -1)
  const skeleton = new Skeleton({ names, parents, root: 0, rest })
  const clip: Clip = {
    name: animation.name,
    duration: animation.duration,
    tracks: animation.channels
      .filter(({ path }) => path !== 'weights')
      .map(({ node, valuesPerKey, ...track }) => ({ ...track, target: place.get(node)!, size: valuesPerKey })),
  }
  const times = frameTimes(clip, FRAME_RATE)
  const frameCount = times.length + 1
  const rotations = new Float32Array(4 * order.length * frameCount)
  const translations = new Float32Array(3 * order.length * frameCount)
  rotations.set(rest.rotations)
  translations.set(rest.translations)
  const pose = skeleton.createPose()
  times.forEach((time, i) => {
    sampleClip(skeleton, clip, time, pose)
    rotations.set(pose.rotations, 4 * order.length * (i + 1))
    translations.set(pose.translations, 3 * order.length * (i + 1))
  })
  return {
    joints: names.map((name, joint) => ({
      name,
      parent: parents[joint],
      offset: [...rest.translations.subarray(3 * joint, 3 * joint + 3)],
    })),
    frameCount,
    frameTime: times.length > 1 ? times[1] : 1 / FRAME_RATE,
    rotations,
    translations,
  }
}

function parentsFirst(parents: readonly number[]): number[] {
  const children = parents.map((): number[] => [])
  const order: number[] = []
  parents.forEach((parent, node) => {
    if (parent < 0) order.push(node)
    else children[parent].push(node)
  })
  for (let i = 0; i < order.length; i++) for (const child of children[order[i]]) order.push(child)
  return order
}
