/** Clips for a character out of a .bvh or glTF file: as they are for its own skeleton, retargeted by names and places for another. */
import { type Clip, rigFromScene, type SkinnedCharacter, sampleClip } from 'pliant/character'
import { readGltf } from 'pliant/files'
import {
  areaOfJoints,
  looksLikeBvh,
  motionFromScene,
  type Retargeted,
  readBvhMotion,
  retargetMotion,
} from 'pliant/unstable'
import type { CodeMotion, MotionFile } from './pose-subject.js'

/** Share of the surface that a motion must move, as for `pliant repair --motion`. */
const LEAST_MATCHED = 0.75

/** @throws Error in one line if the file is no motion, or moves too little of the character */
export function readCharacterMotions(character: SkinnedCharacter, file: MotionFile): CodeMotion[] {
  let clips: Clip[]
  try {
    clips = readClips(character, file)
  } catch (error) {
    throw new Error(`pose repair: ${file.name}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (clips.length === 0) {
    throw new Error(`pose repair: ${file.name} has no animation; open a .bvh, or a glTF file with clips.`)
  }
  return clips.map((clip) => codeMotion(character, clip))
}

/** Motions are chosen by their names: those of one name are numbered, and one without is called what it is. */
export function namedApart(motions: readonly CodeMotion[]): CodeMotion[] {
  const taken = new Set<string>()
  return motions.map((motion) => {
    const plain = motion.name || 'motion'
    let name = plain
    for (let number = 2; taken.has(name); number++) name = `${plain} (${number})`
    taken.add(name)
    return { ...motion, name }
  })
}

function readClips({ skeleton, surface }: SkinnedCharacter, { name, bytes }: MotionFile): Clip[] {
  const weights = areaOfJoints(surface, skeleton.jointCount)
  if (looksLikeBvh(bytes)) {
    return [matching(retargetMotion(skeleton, readBvhMotion(bytes), { name: name.replace(/\.[^.]*$/, ''), weights }))]
  }
  const scene = readGltf(bytes)
  if (scene.meshes.some(({ skin }) => skin >= 0)) {
    const rig = rigFromScene(scene)
    if (rig.skeleton.names.join() === skeleton.names.join()) return rig.clips
  }
  return scene.animations.map((animation) => {
    // The scene at rest comes first, which says how the two skeletons compare.
    const options = { name: animation.name, reference: 0, firstFrame: 1, weights }
    return matching(retargetMotion(skeleton, motionFromScene(scene, animation), options))
  })
}

function matching({ clip, share }: Retargeted): Clip {
  if (share >= LEAST_MATCHED) return clip
  throw new Error(
    `its joints move ${Math.floor(100 * share)}% of the surface, ${100 * LEAST_MATCHED}% are needed; rename them as the character's.`,
  )
}

function codeMotion({ skeleton, code }: SkinnedCharacter, clip: Clip): CodeMotion {
  const pose = skeleton.createPose()
  return {
    name: clip.name,
    seconds: clip.duration,
    codeAt(time, out) {
      sampleClip(skeleton, clip, time, pose)
      code.encode(pose, out)
    },
  }
}
