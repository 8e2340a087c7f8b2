/** An opened artifact: the shape at a code and the learned field, ready to be drawn and asked. */
import { type Artifact, decodeArtifact, loadField, type TrainedField } from 'pliant'
import type { ListedEntry } from '../../shell/object-picker.js'

export interface StudioObject {
  readonly title: string
  /** File name of a listed object; undefined for one opened from disk. */
  readonly listed: string | undefined
  readonly bytes: Uint8Array
  readonly artifact: Artifact
  readonly field: TrainedField
}

export type ListedObject = ListedEntry

const FOLDER = './artifacts/'

/** @throws Error in one line if the bytes are not an artifact that this Pliant reads */
export async function openObject(bytes: Uint8Array, title: string, listed?: string): Promise<StudioObject> {
  const artifact = decodeArtifact(bytes)
  return { title, listed, bytes, artifact, field: await loadField(artifact) }
}

/** The objects that are served with the studio. */
export async function listObjects(): Promise<ListedObject[]> {
  return (await (await fetchFile('index.json')).json()) as ListedObject[]
}

export async function openListed({ file, title }: ListedObject): Promise<StudioObject> {
  const bytes = new Uint8Array(await (await fetchFile(file)).arrayBuffer())
  return openObject(bytes, title, file)
}

async function fetchFile(file: string): Promise<Response> {
  const response = await fetch(FOLDER + encodeURIComponent(file))
  if (!response.ok) throw new Error(`studio: ${file} is not served (${response.status}); run \`npm run build\` again.`)
  return response
}
