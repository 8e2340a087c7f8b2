/** A clip as an animation of a glTF file: what `clipIntoGlb` and `writeGltf` (files/) take. */
import type { GltfClip } from '../files/gltf-clip.js'
import type { GltfSourceChannel } from '../files/gltf-write-animation.js'
import { type Clip, sampleClip } from './clip.js'
import { clipTimes, isJointTrack, leavesRest, requireFiniteClip } from './clip-frames.js'
import type { Skeleton } from './skeleton.js'

export interface ClipAnimationOptions {
  /** Evenly spread frames per second; default: the clip's own keys, or 60 where it has jumps or curves between them. */
  framesPerSecond?: number
}

/**
 * Rotations of all joints that the clip turns, translations and scales of those that it moves away from rest; LINEAR, at
 * one list of times. Quaternions have the sign that is nearer to the one before. Morph weights are left out.
 * @param nodes  each joint's node in the file, such as `Rig.nodes`
 * @throws RangeError naming joint and frame that are not finite, or a joint that moves and has no node
 */
export function animationOfClip(
  skeleton: Skeleton,
  clip: Clip,
  nodes: ArrayLike<number>,
  { framesPerSecond }: ClipAnimationOptions = {},
): GltfClip {
  if (nodes.length !== skeleton.jointCount) {
    throw new RangeError(`clip '${clip.name}': ${nodes.length} nodes for ${skeleton.jointCount} joints; pass one each.`)
  }
  requireFiniteClip(skeleton, clip)
  const times = clipTimes(clip, framesPerSecond)
  const moved = new Map<string, { target: number; path: 'translation' | 'rotation' | 'scale'; values: Float32Array }>()
  for (const { target, path } of clip.tracks.filter(isJointTrack)) {
    const values = new Float32Array((path === 'rotation' ? 4 : 3) * times.length)
    moved.set(`${path} ${target}`, { target, path, values })
  }
  const pose = skeleton.createPose()
  times.forEach((time, frame) => {
    // Single precision may have put the last frame behind the end, which would be the beginning again.
    sampleClip(skeleton, clip, Math.min(time, clip.duration), pose)
    for (const { target, path, values } of moved.values()) {
      const size = values.length / times.length
      values.set(pose[`${path}s`].subarray(size * target, size * target + size), size * frame)
    }
  })
  const channels: GltfSourceChannel[] = []
  for (const { target, path, values } of moved.values()) {
    if (path === 'rotation') joinSigns(values, skeleton.rest.rotations.subarray(4 * target, 4 * target + 4))
    else if (!leavesRest(skeleton, { target, path, values })) continue
    if (!(nodes[target] >= 0)) {
      throw new RangeError(
        `clip '${clip.name}': joint '${skeleton.names[target]}' moves and is no node of the file; hang all joints from one node.`,
      )
    }
    channels.push({ node: nodes[target], path, interpolation: 'LINEAR', times, values })
  }
  return { name: clip.name, channels, nodes: Array.from(nodes).filter((node) => node >= 0) }
}

/** q and -q are one rotation; readers that blend numbers without asking go the long way from one to the other. */
function joinSigns(values: Float32Array, first: ArrayLike<number>): void {
  for (let at = 0; at < values.length; at += 4) {
    let dot = 0
    for (let k = 0; k < 4; k++) dot += values[at + k] * (at === 0 ? first[k] : values[at - 4 + k])
    if (dot < 0) for (let k = 0; k < 4; k++) values[at + k] = -values[at + k]
  }
}
