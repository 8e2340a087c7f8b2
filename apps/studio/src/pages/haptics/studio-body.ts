/** Where a body comes from: served with the studio, or one's own file. The tool is always a served one. */
import type { ListedEntry } from '../../shell/object-picker.js'
import type { NamedBytes } from './haptics-protocol.js'

export interface BodyFiles {
  title: string
  /** File name of a listed one; undefined for one's own. */
  listed: string | undefined
  body: NamedBytes
  tool: NamedBytes
}

export interface ListedBody extends ListedEntry {
  /** What it is touched with: a trained body, or tetrahedra alone. */
  tool: string
}

const FOLDER = './artifacts/'

export async function listBodies(): Promise<ListedBody[]> {
  return (await (await fetchFile('bodies.json')).json()) as ListedBody[]
}

export async function openListed({ title, file, tool }: ListedBody): Promise<BodyFiles> {
  const [body, held] = await Promise.all([file, tool].map(fetchNamed))
  return { title, listed: file, body, tool: held }
}

/** @param tool file of the tool @throws Error in one line if there is no trained body among the files */
export async function openFiles(files: readonly File[], tool: string): Promise<BodyFiles> {
  const file = files.find(({ name }) => /\.safetensors$/i.test(name))
  if (!file)
    throw new Error('haptics: no .safetensors among the files; train a body with `pliant train` and open that.')
  const body = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
  return { title: file.name, listed: undefined, body, tool: await fetchNamed(tool) }
}

async function fetchNamed(name: string): Promise<NamedBytes> {
  return { name, bytes: new Uint8Array(await (await fetchFile(name)).arrayBuffer()) }
}

async function fetchFile(file: string): Promise<Response> {
  const response = await fetch(FOLDER + encodeURIComponent(file))
  if (!response.ok) throw new Error(`studio: ${file} is not served (${response.status}); run \`npm run build\` again.`)
  return response
}
