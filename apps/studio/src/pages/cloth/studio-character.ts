/** Where a character comes from: served with the studio, or one's own files. */
import { extractCollider } from 'pliant/files'
import type { ListedEntry } from '../../shell/object-picker.js'

export interface CharacterFiles {
  title: string
  /** File name of a listed one; undefined for one's own. */
  listed: string | undefined
  /** The trained collider. */
  collider: Uint8Array
  /** A glTF file of the same skeleton, with its clips. */
  rig: Uint8Array
}

export interface ListedCharacter extends ListedEntry {
  /** File of the trained collider; `file` is the rig's. */
  collider: string
}

const FOLDER = './artifacts/'

export async function listCharacters(): Promise<ListedCharacter[]> {
  return (await (await fetchFile('characters.json')).json()) as ListedCharacter[]
}

export async function openListed({ title, collider, file }: ListedCharacter): Promise<CharacterFiles> {
  const [colliderBytes, rigBytes] = await Promise.all([collider, file].map(fetchBytes))
  return { title, listed: file, collider: colliderBytes, rig: rigBytes }
}

/**
 * A GLB that carries its collider, or a GLB and a .safetensors file chosen together.
 * @throws Error in one line that says what is missing
 */
export async function openFiles(files: readonly File[]): Promise<CharacterFiles> {
  const rig = files.find(({ name }) => /\.glb$/i.test(name))
  const collider = files.find(({ name }) => /\.safetensors$/i.test(name))
  if (!rig) throw new Error('cloth: no .glb among the files; choose the character, with its collider inside or beside.')
  const rigBytes = new Uint8Array(await rig.arrayBuffer())
  const carried = collider ? new Uint8Array(await collider.arrayBuffer()) : extractCollider(rigBytes)
  if (!carried) {
    throw new Error(
      `cloth: ${rig.name} carries no collider; train it with \`pliant train\` and choose both files together.`,
    )
  }
  return { title: rig.name, listed: undefined, collider: carried, rig: rigBytes }
}

async function fetchBytes(file: string): Promise<Uint8Array> {
  return new Uint8Array(await (await fetchFile(file)).arrayBuffer())
}

async function fetchFile(file: string): Promise<Response> {
  const response = await fetch(FOLDER + encodeURIComponent(file))
  if (!response.ok) throw new Error(`studio: ${file} is not served (${response.status}); run \`npm run build\` again.`)
  return response
}
