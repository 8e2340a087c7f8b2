/** Where a character comes from: served with the studio, or one's own files. */
import { extractCollider } from 'pliant/files'
import type { FileSource } from '../../shell/files/object-opener.js'
import type { ListedEntry } from '../../shell/files/object-picker.js'
import type { ClothSimulation } from './cloth-protocol.js'

export interface ListedCharacter extends ListedEntry {
  /** File of the trained collider; `file` is the rig's. */
  collider: string
}

export const characterFiles: FileSource<ListedCharacter, ClothSimulation['files']> = {
  list: 'characters.json',
  accept: '.glb,.safetensors',
  multiple: true,
  hint: 'A .glb that carries its collider, or a .glb and its .safetensors together; or drop them on the page',
  async load(entry, served) {
    const [collider, rig] = await Promise.all([served.bytes(entry.collider), served.bytes(entry.file)])
    return { collider, rig }
  },
  async read(files) {
    const rigFile = files.find(({ name }) => /\.glb$/i.test(name))
    const colliderFile = files.find(({ name }) => /\.safetensors$/i.test(name))
    if (!rigFile) {
      throw new Error('cloth: no .glb among the files; choose the character, with its collider inside or beside.')
    }
    const rig = new Uint8Array(await rigFile.arrayBuffer())
    const collider = colliderFile ? new Uint8Array(await colliderFile.arrayBuffer()) : extractCollider(rig)
    if (!collider) {
      throw new Error(`cloth: ${rigFile.name} carries no collider; train it, then choose both files together.`)
    }
    return { collider, rig }
  },
}
