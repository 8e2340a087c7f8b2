/** Rigged characters on the command line: the rig of a glTF file, and motions from other files for its skeleton. */
import { type Clip, type Rig, retargetMotion, rigFromScene, type Skeleton } from 'pliant/character'
import { type GltfScene, looksLikeBvh, readBvhMotion } from 'pliant/files'
import { asBadInput, UsageError } from './errors.js'
import { readInput } from './files.js'
import { readMesh } from './surface.js'

/** @returns the scene if the file is a glTF with a skin, else undefined */
export async function readRiggedScene(path: string): Promise<GltfScene | undefined> {
  if (!/\.(glb|gltf)$/i.test(path)) return undefined
  const file = await readMesh(path)
  return file.kind === 'gltf' && file.scene.meshes.some((mesh) => mesh.skin >= 0) ? file.scene : undefined
}

export function rigOf(path: string, scene: GltfScene): Promise<Rig> {
  return asBadInput(() => rigFromScene(scene), path)
}

/**
 * Clips for a skeleton from `.bvh` files with joints of the same names, or from glTF files of the same rig.
 * @param list paths, separated by commas
 */
export async function readMotions(list: string | undefined, skeleton: Skeleton): Promise<Clip[]> {
  const clips: Clip[] = []
  for (const path of list?.split(',').map((entry) => entry.trim()) ?? []) {
    const bytes = await readInput(path)
    if (looksLikeBvh(bytes)) {
      const name = path.replace(/^.*[\\/]/, '').replace(/\.[^.]*$/, '')
      const motion = await asBadInput(() => readBvhMotion(bytes), path)
      // Recordings begin with a frame in which the body stands: it says how the two skeletons compare.
      const options = motion.frameCount > 1 ? { name, reference: 0, firstFrame: 1 } : { name }
      clips.push((await asBadInput(() => retargetMotion(skeleton, motion, options), path)).clip)
      continue
    }
    const scene = await readRiggedScene(path)
    if (!scene) throw new UsageError(`${path} is no motion; pass a .bvh, or a glTF file of the same rig.`)
    const other = await rigOf(path, scene)
    if (other.skeleton.names.join() !== skeleton.names.join()) {
      throw new UsageError(`${path} has another skeleton; pass motions of the same joints.`)
    }
    clips.push(...other.clips)
  }
  return clips
}
