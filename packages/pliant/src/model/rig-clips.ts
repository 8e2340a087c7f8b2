/** The clips of a rig: the scene's animations, as far as they move its joints or morph targets. */
import type { Clip, ClipTrack } from './clip.js'
import type { RigMesh, RigSource } from './rig-source.js'

export function rigClips(
  scene: RigSource,
  meshes: readonly RigMesh[],
  jointOfNode: ReadonlyMap<number, number>,
): Clip[] {
  const firstMorph = new Map<number, number>()
  let morphs = 0
  for (const mesh of meshes) {
    if (mesh.morphTargets.length > 0) firstMorph.set(mesh.node, morphs)
    morphs += mesh.morphTargets.length
  }
  return scene.animations
    .map(({ name, duration, channels }) => {
      const tracks: ClipTrack[] = []
      for (const { node, valuesPerKey, ...track } of channels) {
        const target = track.path === 'weights' ? firstMorph.get(node) : jointOfNode.get(node)
        if (target !== undefined) tracks.push({ ...track, target, size: valuesPerKey })
      }
      return { name, duration, tracks }
    })
    .filter(({ tracks }) => tracks.length > 0)
}
