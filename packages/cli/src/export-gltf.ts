/** `pliant export --gltf`: a trained file inside the GLB of its character, so that the two travel together. */
import type { CharacterArtifact } from 'pliant/character'
import { embedCollider, type GltfScene } from 'pliant/files'
import { glbExtensions, glbNodeNames } from 'pliant/unstable'
import { readTrained } from './artifact-file.js'
import { asBadInput, UsageError } from './errors.js'
import { checkWritable, readInput, writeBeside } from './files.js'
import { formatBytes } from './format.js'
import type { Report } from './output.js'
import { requireSameCharacter } from './same-character.js'
import { readMesh } from './surface.js'

/**
 * @param file  the trained file
 * @param into  the GLB to put it into, which is left as it is
 * @param out   receives the GLB with both
 */
export async function exportGltf(file: string, into: string, out: string): Promise<Report> {
  await checkWritable([out], [file, into])
  const { bytes, artifact } = await readTrained(file)
  if (artifact.kind !== 'character') {
    throw new UsageError(`${file} is no character but an object; load its file beside the GLB, or pass --onnx.`)
  }
  const glb = await readInput(into)
  const carrying = await asBadInput(() => embedCollider(glb, bytes), into)
  requireJoints(artifact, glbNodeNames(glb), into)
  const scene = await readScene(into, glb)
  if (scene) await requireSameCharacter(artifact, scene, into)
  await writeBeside(out, carrying)
  const [all, own] = [carrying, bytes].map(({ length }) => formatBytes(length))
  const unsure = `; its meshes are compressed, so only the names of its joints were compared`
  return {
    json: { file: out, bytes: carrying.length, checked: scene ? 'geometry' : 'names' },
    text: `${out}: ${all}, of them ${own} the collider${scene ? '' : unsure}`,
  }
}

/** @returns undefined if its meshes are compressed by an extension, which takes nothing from a collider */
async function readScene(path: string, glb: Uint8Array): Promise<GltfScene | undefined> {
  if (glbExtensions(glb).some((name) => /draco|meshopt/i.test(name))) return undefined
  const file = await readMesh(path)
  return file.kind === 'gltf' ? file.scene : undefined
}

/** A collider in the wrong file would be found out only in the page that loads it. */
function requireJoints({ character }: CharacterArtifact, nodes: readonly string[], into: string): void {
  const { names, belowRoot } = character.skeleton
  const missing = names.find((name, joint) => belowRoot[joint] === 1 && !nodes.includes(name))
  if (missing === undefined) return
  throw new UsageError(`${into} has no joint '${missing}' of the trained character; pass the file it was trained from.`)
}
