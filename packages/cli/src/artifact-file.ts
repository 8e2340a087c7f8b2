/** A trained artifact read from disk, alone or inside a GLB; anything else is refused by name. */

import { fileKind } from '@pliant/train/unstable/input'
import { type Artifact, decode } from 'pliant'
import { extractCollider } from 'pliant/files'
import { asBadInput, UsageError } from './errors.js'
import { readInput } from './files.js'

export interface TrainedFile<A extends Artifact = Artifact> {
  readonly bytes: Uint8Array
  readonly artifact: A
}

/** @throws UsageError if the file is missing, of another kind, or damaged */
export async function readTrained(path: string): Promise<TrainedFile> {
  const bytes = await readArtifactBytes(path)
  return { bytes, artifact: await asBadInput(() => decode(bytes), path) }
}

async function readArtifactBytes(path: string): Promise<Uint8Array> {
  const bytes = await readInput(path)
  const kind = fileKind(bytes)
  if (kind === 'array') {
    throw new UsageError(`${path} is a .npy array, not a trained artifact; pass the file that 'pliant train' wrote.`)
  }
  if (kind === 'artifact') return bytes
  const carried = await asBadInput(() => extractCollider(bytes), path)
  if (carried) return carried
  throw new UsageError(`${path} is not a trained artifact and carries none; pass the file that 'pliant train' wrote.`)
}
