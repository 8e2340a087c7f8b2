/** `pliant export --gltf`: a trained file inside the GLB of its character, so that the two travel together. */
import { embedCollider, type GltfScene } from 'pliant/files'
import { glbExtensions, glbNodeNames } from 'pliant/unstable'
import { readTrained } from './artifact-file.js'
import { asBadInput } from './errors.js'
import { checkWritable, readInput, writeBeside } from './files.js'
import { formatBytes } from './format.js'
import { commandOf } from './kinds/index.js'
import type { Report } from './output.js'
import { readMesh } from './surface.js'

/**
 * @param file  the trained file
 * @param into  the GLB to put it into, which is left as it is
 * @param out   receives the GLB with both
 */
export async function exportGltf(file: string, into: string, out: string): Promise<Report> {
  await checkWritable([out], [file, into])
  const { bytes, artifact } = await readTrained(file)
  const carried = commandOf(file, artifact, 'gltf', 'load its file beside the GLB, or pass --onnx')
  const glb = await readInput(into)
  const carrying = await asBadInput(() => embedCollider(glb, bytes), into)
  const checked = await carried.requireFits(artifact, {
    path: into,
    nodes: glbNodeNames(glb),
    readScene: () => readScene(into, glb),
  })
  await writeBeside(out, carrying)
  const [all, own] = [carrying, bytes].map(({ length }) => formatBytes(length))
  const unsure = `; its meshes are compressed, so only the names of its joints were compared`
  return {
    json: { file: out, bytes: carrying.length, checked },
    text: `${out}: ${all}, of them ${own} the collider${checked === 'geometry' ? '' : unsure}`,
  }
}

/** @returns undefined if its meshes are compressed by an extension, which takes nothing from a collider */
async function readScene(path: string, glb: Uint8Array): Promise<GltfScene | undefined> {
  if (glbExtensions(glb).some((name) => /draco|meshopt/i.test(name))) return undefined
  const file = await readMesh(path)
  return file.kind === 'gltf' ? file.scene : undefined
}
