/** Rigged characters on the command line: glTF files with a skin. */
import type { GltfScene } from 'pliant/files'
import { readMesh } from './surface.js'

/** @returns the scene if the file is a glTF with a skin, else undefined */
export async function readRiggedScene(path: string): Promise<GltfScene | undefined> {
  if (!/\.(glb|gltf)$/i.test(path)) return undefined
  const file = await readMesh(path)
  return file.kind === 'gltf' && file.scene.meshes.some((mesh) => mesh.skin >= 0) ? file.scene : undefined
}
