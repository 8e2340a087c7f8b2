/** `pliant export --gltf`: a trained file inside the GLB of its character, so that the two travel together. */
import { embedCollider, glbNodeNames } from 'pliant/files'
import { readTrained, type TrainedFile } from './artifact-file.js'
import { asBadInput, UsageError } from './errors.js'
import { checkWritable, readInput, writeBeside } from './files.js'
import { formatBytes } from './format.js'
import type { Report } from './output.js'

/**
 * @param file  the trained file
 * @param into  the GLB to put it into, which is left as it is
 * @param out   receives the GLB with both
 */
export async function exportGltf(file: string, into: string, out: string): Promise<Report> {
  await checkWritable([out], [file, into])
  const trained = await readTrained(file)
  const glb = await readInput(into)
  const carrying = await asBadInput(() => embedCollider(glb, trained.bytes), into)
  requireJoints(trained, glbNodeNames(glb), into)
  await writeBeside(out, carrying)
  const [all, own] = [carrying, trained.bytes].map(({ length }) => formatBytes(length))
  return { json: { file: out, bytes: carrying.length }, text: `${out}: ${all}, of them ${own} the collider` }
}

/** A collider in the wrong file would be found out only in the page that loads it. */
function requireJoints(trained: TrainedFile, nodes: readonly string[], into: string): void {
  if (trained.kind !== 'character') return
  const { names, belowRoot } = trained.character.character.skeleton
  const missing = names.find((name, joint) => belowRoot[joint] === 1 && !nodes.includes(name))
  if (missing === undefined) return
  throw new UsageError(`${into} has no joint '${missing}' of the trained character; pass the file it was trained from.`)
}
