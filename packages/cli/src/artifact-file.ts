/** A trained artifact read from disk, alone or inside a GLB; anything else is refused by name. */
import { type Artifact, artifactKind, decodeArtifact } from 'pliant'
import { type CharacterArtifact, decodeCharacter } from 'pliant/character'
import { extractCollider } from 'pliant/files'
import { asBadInput, UsageError } from './errors.js'
import { fileKind } from './file-kind.js'
import { readInput } from './files.js'

export interface ArtifactFile {
  readonly bytes: Uint8Array
  readonly artifact: Artifact
}

/** A trained file of either kind. */
export type TrainedFile =
  | ({ readonly kind: 'signed-distance' } & ArtifactFile)
  | { readonly kind: 'character'; readonly bytes: Uint8Array; readonly character: CharacterArtifact }

/** @throws UsageError if the file is missing, of another kind, or damaged */
export async function readTrained(path: string): Promise<TrainedFile> {
  const bytes = await readArtifactBytes(path)
  const kind = await asBadInput(() => artifactKind(bytes), path)
  if (kind === 'character') return { kind, bytes, character: await asBadInput(() => decodeCharacter(bytes), path) }
  return { kind: 'signed-distance', bytes, artifact: await asBadInput(() => decodeArtifact(bytes), path) }
}

/** The same where a character cannot be taken. */
export async function readArtifact(path: string): Promise<ArtifactFile> {
  const file = await readTrained(path)
  if (file.kind === 'signed-distance') return file
  throw new UsageError(`${path} is a trained character; pass an object with modes, such as 'pliant train bar' makes.`)
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
