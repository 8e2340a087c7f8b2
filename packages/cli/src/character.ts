/** Rigged characters on the command line: the rig of a glTF file. */
import { type Rig, rigFromScene } from 'pliant/character'
import type { GltfScene } from 'pliant/files'
import { asBadInput } from './errors.js'
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
