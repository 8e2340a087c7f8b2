/** An opened artifact: the shape at a code and the learned field, ready to be drawn and asked. */
import { decode, load, type ObjectArtifact, type TrainedField } from 'pliant'
import { multiplicationsOf } from 'pliant/unstable'
import type { FileSource } from '../../shell/files/object-opener.js'
import type { ListedEntry } from '../../shell/files/object-picker.js'

export interface StudioObject {
  readonly title: string
  readonly bytes: Uint8Array
  readonly artifact: ObjectArtifact
  /** Of one query, once posed. */
  readonly multiplications: number
  readonly field: TrainedField
}

export const objectFiles: FileSource<ListedEntry, StudioObject> = {
  list: 'index.json',
  accept: '.safetensors',
  hint: 'An object that `pliant train` made; or drop it on the page',
  load: async ({ file, title }, served) => openObject(await served.bytes(file), title),
  async read([file]) {
    try {
      return await openObject(new Uint8Array(await file.arrayBuffer()), file.name)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`${file.name} cannot be opened. ${reason}`)
    }
  },
}

/** @throws Error in one line if the bytes are not an artifact that this Pliant reads */
async function openObject(bytes: Uint8Array, title: string): Promise<StudioObject> {
  const artifact = await decode(bytes, 'linear-modes', 'elastic-body')
  const multiplications = await multiplicationsOf(artifact.manifest)
  return { title, bytes, artifact, multiplications, field: await load(artifact) }
}
