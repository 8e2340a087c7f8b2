/** A trained artifact read from disk; anything else is refused by name. */
import { type Artifact, decodeArtifact } from 'pliant'
import { asBadInput, UsageError } from './errors.js'
import { fileKind } from './file-kind.js'
import { readInput } from './files.js'

export interface ArtifactFile {
  readonly bytes: Uint8Array
  readonly artifact: Artifact
}

/** @throws UsageError if the file is missing, of another kind, or damaged */
export async function readArtifact(path: string): Promise<ArtifactFile> {
  const bytes = await readInput(path)
  const kind = fileKind(bytes)
  if (kind === 'array') {
    throw new UsageError(`${path} is a .npy array, not a trained artifact; pass the file that 'pliant train' wrote.`)
  }
  if (kind === 'other') {
    throw new UsageError(`${path} is not a trained artifact; pass the file that 'pliant train' wrote.`)
  }
  const artifact = await asBadInput(() => decodeArtifact(bytes), path)
  return { bytes, artifact }
}
